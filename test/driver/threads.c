/*
 * Two threads of each rank, each with a file of its own, open, write, read and
 * close at the same time.  Files of single ranks: with others, two threads that
 * ROMIO's one lock lets in in different order on two ranks wait for each other
 * whatever the driver is.
 */

#include "common.h"

#include <pthread.h>

enum { THREADS = 2, TIMES = 10, BYTES = 20000 };

struct work {
    const char *prefix;
    int number, right;
};

static void *use_file(void *argument)
{
    struct work *work = argument;
    unsigned char *out = malloc(BYTES), *in = malloc(BYTES);
    char name[NAME_MAX_LENGTH];
    MPI_File fh;

    fill(out, BYTES, rank + work->number);
    snprintf(name, sizeof(name), "%s%s/thread%d.%d", work->prefix, directory, work->number, rank);
    work->right = 1;
    for (int i = 0; i < TIMES; i++) {
        int bytes = i % 2 == 0 ? BYTES : BYTES / 100;

        if (MPI_File_open(MPI_COMM_SELF, name, RDWR_CREATE, MPI_INFO_NULL, &fh) != MPI_SUCCESS) {
            work->right = 0;
            break;
        }
        memset(in, 0, BYTES);
        MPI_File_write_at_all(fh, (MPI_Offset) i * bytes, out, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_read_at_all(fh, (MPI_Offset) i * bytes, in, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
        work->right = work->right && memcmp(in, out, (size_t) bytes) == 0;
        MPI_File_close(&fh);
    }
    free(out);
    free(in);
    return NULL;
}

static void run(const char *prefix, const char *what)
{
    struct work work[THREADS];
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        work[i] = (struct work){.prefix = prefix, .number = i};
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, use_file, &work[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        tap_ok(work[i].right, "%s, thread %d", what, i);
}

/* ROMIO sets itself up in the first open, which is not safe for two at once: other threads may
 * find its operation for access modes still missing (mpir-mpioinit.c:27, ad_init.c). */
static void open_first(void)
{
    MPI_File fh;

    if (MPI_File_open(MPI_COMM_SELF, path(direct(), rank == 0 ? "first" : "other"), RDWR_CREATE,
                      MPI_INFO_NULL, &fh) == MPI_SUCCESS)
        MPI_File_close(&fh);
}

int main(int argc, char **argv)
{
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    directory = argv[1];
    fs = argv[2];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    tap_ok(level == MPI_THREAD_MULTIPLE, "MPI_THREAD_MULTIPLE");
    open_first();
    run(direct(), "the wrapped driver");
    run("autotune:", "autotune");
    return finish();
}
