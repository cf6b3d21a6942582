/*
 * One open, three collective writes, a read and a close, whatever goes wrong.
 *     fault DIRECTORY PREFIX
 * FAULT_KILL=RANK:CALL:N   this rank is killed in its N-th open() or pwrite()
 * FAULT_HINT=KEY=A,B       even ranks give the hint with value A, odd ones with B;
 *                          an empty value is none
 * Prints "error CLASS" for each call that failed (the lowest rank's class), then
 * "right" or "wrong" for the bytes, and ends with 0.
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { BLOCK = 2000, BLOCKS = 30, BYTES = BLOCK * BLOCKS };

static int rank, ranks;
static int armed; /* MPI_Init is through */

/* --- being killed */

static void count_call(const char *call)
{
    static int calls;
    char name[16];
    int victim, left;
    const char *kill_at = getenv("FAULT_KILL");

    if (!armed || kill_at == NULL || sscanf(kill_at, "%d:%15[a-z]:%d", &victim, name, &left) != 3)
        return;
    if (victim == rank && strcmp(name, call) == 0 && ++calls == left)
        raise(SIGKILL);
}

static int open_file(const char *name, const char *path, int flags, mode_t mode)
{
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...)) dlsym(RTLD_NEXT, name);

    count_call("open");
    return real(path, flags, mode);
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list arguments;                                                                         \
        mode_t mode = 0;                                                                           \
                                                                                                   \
        va_start(arguments, flags);                                                                \
        if (flags & O_CREAT)                                                                       \
            mode = va_arg(arguments, mode_t);                                                      \
        va_end(arguments);                                                                         \
        return open_file(#name, path, flags, mode);                                                \
    }

#define PWRITE(name)                                                                               \
    ssize_t name(int fd, const void *data, size_t bytes, off_t offset)                             \
    {                                                                                              \
        ssize_t (*real)(int, const void *, size_t, off_t) =                                        \
            (ssize_t(*)(int, const void *, size_t, off_t)) dlsym(RTLD_NEXT, #name);                \
                                                                                                   \
        count_call("pwrite");                                                                      \
        return real(fd, data, bytes, offset);                                                      \
    }

OPEN(open)
OPEN(open64)
PWRITE(pwrite)
PWRITE(pwrite64)

/* --- what is done */

static MPI_Info hints(void)
{
    const char *hint = getenv("FAULT_HINT");
    char key[64], values[2][512] = {"", ""};
    MPI_Info info = MPI_INFO_NULL;

    if (hint == NULL || sscanf(hint, "%63[^=]=%511[^,],%511s", key, values[0], values[1]) < 2)
        return info;
    if (strcmp(values[rank % 2], "") == 0 || strcmp(values[rank % 2], "-") == 0)
        return info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, values[rank % 2]);
    return info;
}

static void say(int error, const char *what)
{
    int mine = MPI_ERR_LASTCODE, lowest;

    if (error != MPI_SUCCESS)
        MPI_Error_class(error, &mine);
    MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0 && lowest != MPI_ERR_LASTCODE)
        printf("%s: error %d\n", what, lowest);
}

static void interleave(MPI_File fh)
{
    MPI_Datatype type;

    MPI_Type_vector(BLOCKS, BLOCK, BLOCK * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    say(MPI_File_set_view(fh, (MPI_Offset) rank * BLOCK, MPI_BYTE, type, "native", MPI_INFO_NULL),
        "view");
    MPI_Type_free(&type);
}

/* Whether the file is open on all ranks */
static int open_all(const char *name, MPI_Info info, MPI_File *fh)
{
    int error = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, fh);
    int open = error == MPI_SUCCESS, all;

    say(error, "open");
    MPI_Allreduce(&open, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    static unsigned char out[BYTES], in[BYTES];
    static const int sizes[] = {BYTES, BLOCK, BYTES};
    char name[4096];
    MPI_File fh;
    MPI_Info info;
    int right, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    for (int i = 0; i < BYTES; i++)
        out[i] = (unsigned char) (rank * 31 + i * 7 + i / 256);
    snprintf(name, sizeof(name), "%s%s/file", argv[2], argv[1]);
    info = hints();
    armed = 1;
    if (open_all(name, info, &fh)) {
        interleave(fh);
        for (int i = 0; i < 3; i++)
            say(MPI_File_write_at_all(fh, 0, out, sizes[i], MPI_BYTE, MPI_STATUS_IGNORE), "write");
        say(MPI_File_sync(fh), "sync");
        MPI_Barrier(MPI_COMM_WORLD);
        say(MPI_File_read_at_all(fh, 0, in, BYTES, MPI_BYTE, MPI_STATUS_IGNORE), "read");
        right = memcmp(in, out, BYTES) == 0;
        MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
        say(MPI_File_close(&fh), "close");
        if (rank == 0)
            printf("%s\n", all ? "right" : "wrong");
    }
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
