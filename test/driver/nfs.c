/*
 * What a rank writes after MPI_File_set_size has returned stays: no other rank
 * truncates the file later.  ADIOI_NFS_Resize does so on every rank and waits for none
 * (ad_nfs_resize.c:18).  Here ftruncate of one rank in turn is late: it waits until the
 * others have written, or for a while where they wait for it.
 *
 *     nfs DIRECTORY FS      NFS_PREFIX: other than "autotune:"
 */

#include "common.h"

#include <dlfcn.h>
#include <unistd.h>

enum { BYTES = 1000 };

static unsigned char out[BYTES];
static int delayed; /* the next ftruncate is late */

/* --- a late ftruncate */

static const char *marker(int r)
{
    static char file[32];

    snprintf(file, sizeof(file), "written.%d", r);
    return path("", file);
}

static int others_have_written(void)
{
    for (int r = 0; r < ranks; r++)
        if (r != rank && access(marker(r), F_OK) != 0)
            return 0;
    return 1;
}

static void be_late(void)
{
    enum { STEPS = 100, STEP = 1000 }; /* microseconds */

    if (!delayed)
        return;
    delayed = 0;
    for (int i = 0; i < STEPS && !others_have_written(); i++)
        usleep(STEP);
}

static int real_ftruncate(const char *name, int fd, off_t size)
{
    int (*real)(int, off_t) = (int (*)(int, off_t)) dlsym(RTLD_NEXT, name);

    be_late();
    return real(fd, size);
}

int ftruncate(int fd, off_t size)
{
    return real_ftruncate("ftruncate", fd, size);
}

int ftruncate64(int fd, off64_t size)
{
    return real_ftruncate("ftruncate64", fd, size);
}

/* --- cases: what sets the size, to what, of a file that has how many bytes */

static const struct {
    const char *name;
    int preallocates, size, before;
} cases[] = {
    {"set_size of 0, new file", 0, 0, 0},      {"set_size of 0", 0, 0, 4 * BYTES},
    {"set_size of less", 0, BYTES, 4 * BYTES}, {"set_size of as much", 0, BYTES, BYTES},
    {"set_size of more", 0, 4 * BYTES, BYTES}, {"set_size, new file", 0, 4 * BYTES, 0},
    {"preallocate", 1, 4 * BYTES, BYTES},      {"preallocate, new file", 1, 4 * BYTES, 0},
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static void prepare(int before)
{
    FILE *stream;

    MPI_Barrier(MPI_COMM_WORLD);
    unlink(marker(rank));
    if (rank == 0) {
        unlink(path("", "file"));
        if (before > 0) {
            stream = fopen(path("", "file"), "wb");
            for (int i = 0; i < before; i++)
                fputc(0, stream);
            fclose(stream);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* On rank 0, true elsewhere: zeros up to start, then what ranks have written. */
static int file_is_right(int start)
{
    FILE *stream;
    int right = 1;

    if (rank != 0)
        return 1;
    stream = fopen(path("", "file"), "rb");
    if (stream == NULL)
        return 0;
    for (int i = 0; i < start && right; i++)
        right = fgetc(stream) == 0;
    for (int i = 0; i < ranks * BYTES && right; i++)
        right = fgetc(stream) == pattern(i / BYTES, i % BYTES);
    right = right && fgetc(stream) == EOF;
    fclose(stream);
    return right;
}

static void set_size(MPI_File fh, int i)
{
    if (cases[i].preallocates)
        MPI_File_preallocate(fh, cases[i].size);
    else
        MPI_File_set_size(fh, cases[i].size);
}

/* Ranks write behind the end that was set; whether the bytes are there. */
static int run(int i, int late)
{
    const char *prefix = getenv("NFS_PREFIX");
    MPI_File fh = MPI_FILE_NULL;
    FILE *stream;

    prepare(cases[i].before);
    MPI_File_open(MPI_COMM_WORLD, path(prefix != NULL ? prefix : "autotune:", "file"), RDWR_CREATE,
                  MPI_INFO_NULL, &fh);
    MPI_Barrier(MPI_COMM_WORLD);
    delayed = rank == late;
    set_size(fh, i);
    delayed = 0;
    MPI_File_write_at(fh, cases[i].size + (MPI_Offset) rank * BYTES, out, BYTES, MPI_BYTE,
                      MPI_STATUS_IGNORE);
    stream = fopen(marker(rank), "wb");
    if (stream != NULL)
        fclose(stream);
    MPI_File_close(&fh);
    return file_is_right(cases[i].size);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    fill(out, BYTES, rank);
    for (int i = 0; i < CASES; i++)
        for (int late = 0; late < ranks; late++)
            tap_ok(run(i, late), "%s: bytes stay where rank %d is late", cases[i].name, late);
    return finish();
}
