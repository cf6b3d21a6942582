/*
 * What it costs to see a call: batches of calls through the preloaded library, each beside a batch
 * of the same calls to the C library itself, in the same threads.
 *
 *     watch FOLDER THREADS BATCHES
 *
 * Prints, for each kind of call, a line of: name, threads, ns of the bare call, ns more if it is
 * seen (medians over batches and threads; batches during which something else ran count like
 * others).
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 500, BYTES = 4096, MOST_THREADS = 64 };

typedef size_t write_stream(const void *, size_t, size_t, FILE *);
typedef ssize_t write_at(int, const void *, size_t, off_t);

typedef struct job {
    const char *folder;
    int number, batches;
    pthread_barrier_t *together;
    double *bare, *more; /* of each batch */
    bool (*work)(struct job *job, bool is_bare, int batch);
    FILE *stream;
    int fd;
} job;

static write_stream *bare_fwrite;
static write_at *bare_pwrite;
static char block[BYTES];

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec * 1e9 + (double) t.tv_nsec;
}

/* --- the calls */

static bool fwrite_nothing(job *j, bool is_bare, int batch)
{
    write_stream *volatile call = is_bare ? bare_fwrite : fwrite;

    (void) batch;
    for (int i = 0; i < CALLS; i++)
        if (call(block, 0, 1, j->stream) != 0)
            return false;
    return true;
}

static bool pwrite_block(job *j, bool is_bare, int batch)
{
    write_at *volatile call = is_bare ? bare_pwrite : pwrite;

    for (int i = 0; i < CALLS; i++)
        if (call(j->fd, block, BYTES, (off_t) ((batch + i) % 256) * BYTES) != BYTES)
            return false;
    return true;
}

static const struct {
    const char *name;
    bool (*work)(job *, bool, int);
} works[] = {{"fwrite of nothing", fwrite_nothing}, {"pwrite of 4 KiB", pwrite_block}};

/* --- threads */

static double time_of(job *j, bool is_bare, int batch)
{
    double start = now();

    if (!j->work(j, is_bare, batch)) {
        perror("watch: write");
        exit(2);
    }
    return (now() - start) / CALLS;
}

static void *run(void *job_)
{
    job *j = job_;

    pthread_barrier_wait(j->together);
    for (int batch = 0; batch < j->batches; batch++) {
        bool first = batch % 2 == 0; /* neither is always the first */
        double one = time_of(j, first, batch), other = time_of(j, !first, batch);

        j->bare[batch] = first ? one : other;
        j->more[batch] = first ? other - one : one - other;
    }
    return NULL;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t) count, sizeof(*values), compare);
    return values[count / 2];
}

static void measure(const char *name, job *jobs, int threads, double *bare, double *more)
{
    pthread_t ids[MOST_THREADS];
    int all = threads * jobs[0].batches;

    for (int i = 0; i < threads; i++)
        if (pthread_create(&ids[i], NULL, run, &jobs[i]) != 0)
            exit(2);
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    printf("%s\t%d\t%.1f\t%.1f\n", name, threads, median(bare, all), median(more, all));
}

static void open_files(job *j)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/watch-%d", j->folder, j->number);
    j->fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    j->stream = fdopen(dup(j->fd), "r+");
    if (j->fd < 0 || j->stream == NULL) {
        perror(path);
        exit(2);
    }
    unlink(path);
}

int main(int argc, char **argv)
{
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    int threads = argc == 4 ? atoi(argv[2]) : 0, batches = argc == 4 ? atoi(argv[3]) : 0;
    pthread_barrier_t together;
    job jobs[MOST_THREADS];
    double *bare, *more;

    if (threads < 1 || threads > MOST_THREADS || batches < 1 || libc == NULL) {
        fprintf(stderr, "usage: watch FOLDER THREADS BATCHES\n");
        return 2;
    }
    bare_fwrite = (write_stream *) dlsym(libc, "fwrite");
    bare_pwrite = (write_at *) dlsym(libc, "pwrite");
    bare = calloc((size_t) (threads * batches), sizeof(*bare));
    more = calloc((size_t) (threads * batches), sizeof(*more));
    pthread_barrier_init(&together, NULL, (unsigned) threads);
    for (size_t w = 0; w < sizeof(works) / sizeof(works[0]); w++) {
        for (int i = 0; i < threads; i++) {
            jobs[i] = (job){.folder = argv[1],
                            .number = i,
                            .batches = batches,
                            .together = &together,
                            .bare = bare + i * batches,
                            .more = more + i * batches,
                            .work = works[w].work};
            open_files(&jobs[i]);
        }
        measure(works[w].name, jobs, threads, bare, more);
        for (int i = 0; i < threads; i++) {
            fclose(jobs[i].stream);
            close(jobs[i].fd);
        }
    }
    free(bare);
    free(more);
    return 0;
}
