/*
 * What this rank really did to files, seen below MPI: the functions that ROMIO
 * reads and writes with are counted and passed on; so is the one that it gathers
 * offsets with.  Include it in one file of a
 * program, before which _GNU_SOURCE is defined.
 */

#ifndef DRIVER_TRACED_H
#define DRIVER_TRACED_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct traced {
    uint64_t calls, bytes, max;
};

static int tracing, traced_gathers;
static struct traced traced_reads, traced_writes;

static inline void trace_start(void)
{
    traced_reads = traced_writes = (struct traced){0, 0, 0};
    traced_gathers = 0;
    tracing = 1;
}

static inline void trace_stop(void)
{
    tracing = 0;
}

static inline void trace(struct traced *counted, size_t bytes)
{
    if (!tracing || bytes == 0)
        return;
    counted->calls++;
    counted->bytes += bytes;
    if (bytes > counted->max)
        counted->max = bytes;
}

/* MPI's sockets are none of our business. */
static inline int is_traced(int fd)
{
    struct stat file;

    return tracing && fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
}

static inline void *traced_next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);

    if (function == NULL)
        abort();
    return function;
}

#define TRACED(name, buffer, counted)                                                              \
    ssize_t name(int fd, buffer, size_t bytes, off_t offset)                                       \
    {                                                                                              \
        ssize_t (*real)(int, buffer, size_t, off_t) =                                              \
            (ssize_t(*)(int, buffer, size_t, off_t)) traced_next(#name);                           \
        trace(&counted, bytes);                                                                    \
        return real(fd, data, bytes, offset);                                                      \
    }

/* The NFS driver's */
#define TRACED_AT_POINTER(name, buffer, counted)                                                   \
    ssize_t name(int fd, buffer, size_t bytes)                                                     \
    {                                                                                              \
        ssize_t (*real)(int, buffer, size_t) =                                                     \
            (ssize_t(*)(int, buffer, size_t)) traced_next(#name);                                  \
        trace(&counted, is_traced(fd) ? bytes : 0);                                                \
        return real(fd, data, bytes);                                                              \
    }

int PMPI_Allgather(const void *from, int n, MPI_Datatype s, void *to, int m, MPI_Datatype r,
                   MPI_Comm comm)
{
    traced_gathers += tracing;
    return MPI_Allgather(from, n, s, to, m, r, comm);
}

TRACED(pread, void *data, traced_reads)
TRACED(pread64, void *data, traced_reads)
TRACED(pwrite, const void *data, traced_writes)
TRACED(pwrite64, const void *data, traced_writes)
TRACED_AT_POINTER(read, void *data, traced_reads)
TRACED_AT_POINTER(write, const void *data, traced_writes)

#endif /* DRIVER_TRACED_H */
