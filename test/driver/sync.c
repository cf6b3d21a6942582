/*
 * MPI_File_sync: whoever wrote, in whatever way, has called fsync when it is over.
 */

#include "common.h"

#include <aio.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 4096, BLOCKS = 16, BYTES = BLOCK * BLOCKS };

static unsigned char out[BYTES];

/* --- what libmpi calls on the file */

static ino_t file;
static int writes, syncs;

static int is_file(int fd)
{
    struct stat info;

    return file != 0 && fstat(fd, &info) == 0 && info.st_ino == file;
}

#define NEXT(name)                                                                                 \
    ({                                                                                             \
        static __typeof__(&name) next;                                                             \
        if (next == NULL)                                                                          \
            *(void **) &next = dlsym(RTLD_NEXT, #name);                                            \
        next;                                                                                      \
    })

#define COUNTED(result, name, parameters, arguments, fd, counter)                                  \
    result name parameters                                                                         \
    {                                                                                              \
        counter += is_file(fd);                                                                    \
        return NEXT(name) arguments;                                                               \
    }

COUNTED(ssize_t, write, (int fd, const void *buf, size_t size), (fd, buf, size), fd, writes)
COUNTED(ssize_t, pwrite, (int fd, const void *buf, size_t size, off_t at), (fd, buf, size, at), fd,
        writes)
COUNTED(ssize_t, pwrite64, (int fd, const void *buf, size_t size, off64_t at), (fd, buf, size, at),
        fd, writes)
COUNTED(int, aio_write, (struct aiocb * request), (request), request->aio_fildes, writes)
COUNTED(int, aio_write64, (struct aiocb64 * request), (request), request->aio_fildes, writes)
COUNTED(int, fsync, (int fd), (fd), fd, syncs)

/* --- ways to write */

static void collective(MPI_File fh)
{
    MPI_File_write_at_all(fh, 0, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void alone(MPI_File fh)
{
    MPI_File_write_at(fh, 0, out, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void last_alone(MPI_File fh)
{
    if (rank == ranks - 1)
        alone(fh);
}

static void nonblocking(MPI_File fh)
{
    MPI_Request request;

    MPI_File_iwrite_at(fh, 0, out, BYTES, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void nonblocking_collective(MPI_File fh)
{
    MPI_Request request;

    MPI_File_iwrite_at_all(fh, 0, out, BYTES, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static const struct {
    const char *name;
    void (*write)(MPI_File fh);
} ways[] = {{"collective write", collective},
            {"independent write", alone},
            {"independent write of the last rank", last_alone},
            {"nonblocking write", nonblocking},
            {"nonblocking collective write", nonblocking_collective}};

static void check_way(MPI_File fh, const char *mode, const char *view, size_t way)
{
    const char *name = ways[way].name;
    int all;

    writes = syncs = 0;
    ways[way].write(fh);
    MPI_Allreduce(&writes, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_File_sync(fh);
    tap_ok(all > 0 && (writes == 0 || syncs > 0), "%s, %s: %s, then fsync", mode, view, name);
    syncs = 0;
    MPI_File_sync(fh);
    tap_ok(syncs == 0 || strcmp(fs, "gpfs") == 0, "%s, %s: %s, nothing to do again", mode, view,
           name);
}

/* An existing file's inode is its name for the counters above. */
static MPI_File open_again(const char *mode)
{
    MPI_Info info = one_hint("romio_autotune", mode);
    MPI_File fh = MPI_FILE_NULL;
    struct stat is;

    MPI_File_open(MPI_COMM_WORLD, path("autotune:", "file"), RDWR_CREATE, info, &fh);
    collective(fh);
    MPI_Barrier(MPI_COMM_WORLD);
    file = stat(path("", "file"), &is) == 0 ? is.st_ino : 0;
    MPI_File_sync(fh);
    MPI_Info_free(&info);
    return fh;
}

static void check_mode(const char *mode)
{
    MPI_File fh = open_again(mode);
    MPI_Datatype blocks;

    MPI_Type_vector(BLOCKS, BLOCK, BLOCK * ranks, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    for (int strided = 0; strided < 2; strided++) {
        MPI_File_set_view(fh, (MPI_Offset) rank * (strided ? BLOCK : BYTES), MPI_BYTE,
                          strided ? blocks : MPI_BYTE, "native", MPI_INFO_NULL);
        for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
            check_way(fh, mode, strided ? "strided" : "contiguous", i);
    }
    MPI_Type_free(&blocks);
    MPI_File_close(&fh);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    fill(out, BYTES, rank);
    check_mode("enable");
    check_mode("disable");
    return finish();
}
