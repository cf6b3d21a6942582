/*
 * How many activities a second reach a spool.
 *
 *     spooled FILE THREADS RATE SECONDS
 *
 * makes calls that do nothing (fwrite of no bytes), RATE a second in all threads together, 0: as
 * many as possible; prints the time of day when they began, how many were made, and the seconds
 * they took.
 *
 *     spooled --count SPOOL...
 *
 * prints how many activities spools have, and how many were dropped.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "formats/spool_blocks.h"

enum { TOGETHER = 200, MOST_THREADS = 64 };

typedef struct job {
    FILE *stream;
    double rate, seconds; /* calls a second; 0: no limit */
    long long calls;
} job;

static double now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static void sleep_for(double seconds)
{
    struct timespec t = {(time_t) seconds, (long) ((seconds - (double) (time_t) seconds) * 1e9)};

    if (seconds > 0)
        nanosleep(&t, NULL);
}

/* One that was late catches up: on a busy machine the rate holds on average. */
static void *run(void *job_)
{
    job *j = job_;
    double start = now(CLOCK_MONOTONIC), at = 0;

    while (at < j->seconds) {
        for (int i = 0; i < TOGETHER; i++)
            fwrite(j, 0, 1, j->stream);
        j->calls += TOGETHER;
        at = now(CLOCK_MONOTONIC) - start;
        if (j->rate > 0)
            sleep_for((double) j->calls / j->rate - at);
    }
    return NULL;
}

static int make(const char *path, int threads, double rate, double seconds)
{
    double began = now(CLOCK_REALTIME), start = now(CLOCK_MONOTONIC);
    pthread_t ids[MOST_THREADS];
    job jobs[MOST_THREADS];
    long long calls = 0;

    for (int i = 0; i < threads; i++) {
        jobs[i] = (job){.stream = fopen(path, "w"), .rate = rate / threads, .seconds = seconds};
        if (jobs[i].stream == NULL || pthread_create(&ids[i], NULL, run, &jobs[i]) != 0) {
            perror(path);
            return 2;
        }
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        calls += jobs[i].calls;
    }
    printf("%.6f %lld %.6f\n", began, calls, now(CLOCK_MONOTONIC) - start);
    return 0;
}

/* false: it is no spool, or is cut off. */
static int count(const char *path, long long *kept, long long *dropped)
{
    FILE *file = fopen(path, "rb");
    atw_spool_block block;
    uint64_t number;
    long padded;

    if (file == NULL || fseek(file, sizeof(atw_spool_head), SEEK_SET) != 0)
        return 0;
    while (fread(&block, sizeof(block), 1, file) == 1) {
        padded = (long) ((block.bytes + 7) / 8 * 8);
        if (block.kind == ATW_BLOCK_ACTIVITIES)
            *kept += (long long) (block.bytes / sizeof(atw_activity));
        if (block.kind == ATW_BLOCK_DROPPED) {
            if (fread(&number, sizeof(number), 1, file) != 1)
                return 0;
            *dropped += (long long) number;
            padded = 0;
        }
        if (fseek(file, padded, SEEK_CUR) != 0)
            return 0;
    }
    fclose(file);
    return 1;
}

static int count_all(char **paths)
{
    long long kept = 0, dropped = 0;

    for (; *paths != NULL; paths++)
        if (!count(*paths, &kept, &dropped)) {
            fprintf(stderr, "spooled: %s: not a whole spool\n", *paths);
            return 2;
        }
    printf("%lld %lld\n", kept, dropped);
    return 0;
}

int main(int argc, char **argv)
{
    int threads = argc == 5 ? atoi(argv[2]) : 0;

    if (argc > 2 && strcmp(argv[1], "--count") == 0)
        return count_all(argv + 2);
    if (threads < 1 || threads > MOST_THREADS) {
        fprintf(stderr, "usage: spooled FILE THREADS RATE SECONDS | --count SPOOL...\n");
        return 2;
    }
    return make(argv[1], threads, atof(argv[3]), atof(argv[4]));
}
