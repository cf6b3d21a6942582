/* Counts calls of ROMIO, then makes them under their other name. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace.h"

static int tracing;
static int sizes_known; /* offsets are exchanged, data follows */
static int nodes = 1;
static trace_numbers numbers;

void trace_begin(void)
{
    numbers = (trace_numbers){.reads.min = UINT64_MAX, .writes.min = UINT64_MAX};
    sizes_known = 0;
    tracing = 1;
}

trace_numbers trace_end(void)
{
    tracing = 0;
    return numbers;
}

void trace_set_nodes(int count)
{
    nodes = count;
}

/* --- collectives */

static uint64_t waits;

/* Functions with large counts: before MPICH 5.0.1, ROMIO has no other names for them
 * (mpipr.h). */
#if MPICH_NUMVERSION >= 50001000
#define CALLED(name) P##name
#define REAL(name) name
#else
#define CALLED(name) name
#define REAL(name) P##name
#endif

/* Another call of this collective. */
static void collective(uint64_t *calls)
{
    if (!tracing)
        return;
    if (waits > 0)
        numbers.waits = waits;
    waits = 0;
    ++*calls;
}

int PMPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
    if (numbers.alltoalls > 0)
        sizes_known = 1;
    collective(&numbers.allreduces);
    return MPI_Allreduce(from, to, count, type, op, comm);
}

int PMPI_Allgather(const void *from, int n, MPI_Datatype s, void *to, int m, MPI_Datatype r,
                   MPI_Comm comm)
{
    collective(&numbers.allgathers);
    return MPI_Allgather(from, n, s, to, m, r, comm);
}

int PMPI_Alltoall(const void *from, int n, MPI_Datatype s, void *to, int m, MPI_Datatype r,
                  MPI_Comm comm)
{
    collective(&numbers.alltoalls);
    return MPI_Alltoall(from, n, s, to, m, r, comm);
}

int PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    collective(&numbers.bcasts);
    return MPI_Bcast(buffer, count, type, root, comm);
}

static void message(uint64_t bytes)
{
    if (!tracing || bytes == 0)
        return;
    if (sizes_known) {
        numbers.data_messages++;
        numbers.data_bytes += bytes;
    } else {
        numbers.request_messages++;
        numbers.request_bytes += bytes;
    }
}

static uint64_t size_of(MPI_Count count, MPI_Datatype type)
{
    int size;

    MPI_Type_size(type, &size);
    return (uint64_t) count * (uint64_t) size;
}

int PMPI_Alltoallv(const void *from, const int *n, const int *d, MPI_Datatype s, void *to,
                   const int *m, const int *e, MPI_Datatype r, MPI_Comm comm)
{
    int ranks;

    MPI_Comm_size(comm, &ranks);
    collective(&numbers.alltoallvs);
    for (int i = 0; i < ranks; i++) {
        message(size_of(n[i], s));
        numbers.received += tracing && m[i] != 0;
    }
    return MPI_Alltoallv(from, n, d, s, to, m, e, r, comm);
}

int CALLED(MPI_Alltoallv_c)(const void *from, const MPI_Count *n, const MPI_Aint *d, MPI_Datatype s,
                            void *to, const MPI_Count *m, const MPI_Aint *e, MPI_Datatype r,
                            MPI_Comm comm)
{
    int ranks;

    MPI_Comm_size(comm, &ranks);
    collective(&numbers.alltoallvs);
    for (int i = 0; i < ranks; i++) {
        message(size_of(n[i], s));
        numbers.received += tracing && m[i] != 0;
    }
    return REAL(MPI_Alltoallv_c)(from, n, d, s, to, m, e, r, comm);
}

/* --- collectives that no count model knows */

int PMPI_Barrier(MPI_Comm comm)
{
    collective(&numbers.others);
    return MPI_Barrier(comm);
}

int PMPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm)
{
    collective(&numbers.others);
    return MPI_Reduce(from, to, count, type, op, root, comm);
}

int PMPI_Gather(const void *from, int n, MPI_Datatype s, void *to, int m, MPI_Datatype r, int root,
                MPI_Comm comm)
{
    collective(&numbers.others);
    return MPI_Gather(from, n, s, to, m, r, root, comm);
}

int PMPI_Alltoallw(const void *from, const int *n, const int *d, const MPI_Datatype *s, void *to,
                   const int *m, const int *e, const MPI_Datatype *r, MPI_Comm comm)
{
    collective(&numbers.others);
    return MPI_Alltoallw(from, n, d, s, to, m, e, r, comm);
}

/* --- point to point */

int PMPI_Isend(const void *from, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    message(size_of(count, type));
    return MPI_Isend(from, count, type, rank, tag, comm, request);
}

int PMPI_Issend(const void *from, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    message(size_of(count, type));
    return MPI_Issend(from, count, type, rank, tag, comm, request);
}

int PMPI_Send(const void *from, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm)
{
    message(size_of(count, type));
    return MPI_Send(from, count, type, rank, tag, comm);
}

int PMPI_Irecv(void *to, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    numbers.received += tracing;
    return MPI_Irecv(to, count, type, rank, tag, comm, request);
}

/* since MPICH 4.2.2 */
int CALLED(MPI_Isend_c)(const void *from, MPI_Count count, MPI_Datatype type, int rank, int tag,
                        MPI_Comm comm, MPI_Request *request)
{
    message(size_of(count, type));
    return REAL(MPI_Isend_c)(from, count, type, rank, tag, comm, request);
}

int CALLED(MPI_Issend_c)(const void *from, MPI_Count count, MPI_Datatype type, int rank, int tag,
                         MPI_Comm comm, MPI_Request *request)
{
    message(size_of(count, type));
    return REAL(MPI_Issend_c)(from, count, type, rank, tag, comm, request);
}

int CALLED(MPI_Irecv_c)(void *to, MPI_Count count, MPI_Datatype type, int rank, int tag,
                        MPI_Comm comm, MPI_Request *request)
{
    numbers.received += tracing;
    return REAL(MPI_Irecv_c)(to, count, type, rank, tag, comm, request);
}

int PMPI_Recv(void *to, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    numbers.received += tracing;
    return MPI_Recv(to, count, type, rank, tag, comm, status);
}

int PMPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    waits += tracing;
    return MPI_Waitall(count, requests, statuses);
}

/* --- names of nodes: ROMIO's choice of aggregators depends on them */

int PMPI_Get_processor_name(char *name, int *length)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node%d", rank % nodes);
    return MPI_SUCCESS;
}

/* --- the file system; the stand-ins come after this */

static void file_access(trace_file *file, size_t bytes)
{
    if (!tracing)
        return;
    file->calls++;
    file->bytes += bytes;
    if (bytes < file->min)
        file->min = bytes;
    if (bytes > file->max)
        file->max = bytes;
}

static void *next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);

    if (function == NULL)
        abort();
    return function;
}

#define ACCESS(name, buffer, file)                                                                 \
    ssize_t name(int fd, buffer, size_t bytes, off_t offset)                                       \
    {                                                                                              \
        ssize_t (*real)(int, buffer, size_t, off_t) =                                              \
            (ssize_t(*)(int, buffer, size_t, off_t)) next(#name);                                  \
        file_access(&numbers.file, bytes);                                                         \
        return real(fd, data, bytes, offset);                                                      \
    }

ACCESS(pread, void *data, reads)
ACCESS(pread64, void *data, reads)
ACCESS(pwrite, const void *data, writes)
ACCESS(pwrite64, const void *data, writes)
