/*
 * What a call costs more with the preload library than with the driver built into MPICH.  Both are
 * in one process, which asks each for its functions; blocks of calls alternate, in rounds like
 *
 *     built-in preload noise noise preload built-in
 *
 * where noise is the one that is built in once more.
 *
 *   preload LIBRARY DIRECTORY ROUNDS [host]
 *
 * prints a line for each work: microseconds of a call that is built in, ratio, its target, noise.
 * host: instead of the driver built in, what the program's MPI library has without it; opens only.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overhead.h"

enum { BUILT_IN, PRELOAD, NOISE, SIDES, ROUNDS_MAX = 1000, BYTES = 4096 };

/* The functions of one side. */
typedef struct side {
    const char *name;
    int (*open)(MPI_Comm, const char *, int, MPI_Info, MPI_File *);
    int (*close)(MPI_File *);
    int (*write)(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *);
    int (*write_all)(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *);
    MPI_File file;
} side;

static side sides[SIDES];
static char buffer[BYTES], names[SIDES][512];
static int rank, host;

static void find(void *library, const char *function, void *pointer)
{
    void *found = dlsym(library, function);

    if (found == NULL) {
        fprintf(stderr, "preload: no %s: %s\n", function, dlerror());
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    memcpy(pointer, &found, sizeof(found));
}

static void find_all(void *library, side *s)
{
    find(library, "MPI_File_open", &s->open);
    find(library, "MPI_File_close", &s->close);
    find(library, "MPI_File_write_at", &s->write);
    find(library, "MPI_File_write_at_all", &s->write_all);
}

/* --- works */

static void write_small(side *s, int number)
{
    (void) number;
    s->write(s->file, (MPI_Offset) rank * BYTES, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void write_nothing(side *s, int number)
{
    (void) number;
    s->write_all(s->file, 0, buffer, 0, MPI_BYTE, MPI_STATUS_IGNORE);
}

static MPI_File open_file(const side *s, MPI_Comm comm, const char *name)
{
    MPI_File file;

    if (s->open(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return file;
}

static void open_and_close(side *s, int number)
{
    MPI_File file = open_file(s, MPI_COMM_WORLD, s->name);

    (void) number;
    s->close(&file);
}

/* Each process a file of its own. */
static void write_alone(side *s, int number)
{
    char name[600];
    MPI_File file;

    (void) number;
    snprintf(name, sizeof(name), "%s.%d", s->name, rank);
    file = open_file(s, MPI_COMM_SELF, name);
    s->write(file, 0, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    s->close(&file);
}

static const struct {
    const char *name;
    void (*call)(side *, int);
    int calls;
    double target, host_target; /* 0: not with it */
} list[] = {{"write 4 KiB", write_small, 400, 1.02, 0},
            {"empty collective write", write_nothing, 200, 1.02, 0},
            {"open and close", open_and_close, 10, 1.05, 1.10},
            {"open, write, close alone", write_alone, 10, 1.05, 1.10}};

enum { LIST = sizeof(list) / sizeof(list[0]) };

/* --- timing */

static double time_block(int work, side *s)
{
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    for (int i = 0; i < list[work].calls; i++)
        list[work].call(s, i);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}

static void time_round(int work, int round, double *seconds)
{
    for (int i = 0; i < 2 * SIDES; i++) {
        int place = i < SIDES ? i : 2 * SIDES - 1 - i, which = (place + round) % SIDES;

        seconds[which] += time_block(work, &sides[which]);
    }
}

static void measure(int work, int rounds)
{
    static double times[SIDES][ROUNDS_MAX];
    struct spread ratio, noise;

    for (int round = -1; round < rounds; round++) { /* the first is not counted */
        double seconds[SIDES] = {0};

        time_round(work, round + SIDES, seconds);
        for (int i = 0; round >= 0 && i < SIDES; i++)
            times[i][round] = seconds[i];
    }
    ratio = spread_of_ratios(times[PRELOAD], times[BUILT_IN], rounds);
    noise = spread_of_ratios(times[NOISE], times[BUILT_IN], rounds);
    if (rank == 0)
        printf("%s\t%.3f\t%.4f\t%.2f\tnoise %.4f\n", list[work].name,
               1e6 * median_of(times[BUILT_IN], rounds) / (2 * list[work].calls), ratio.median,
               host ? list[work].host_target : list[work].target, noise.median);
}

int main(int argc, char **argv)
{
    int rounds;
    void *library;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    host = argc == 5 && strcmp(argv[4], "host") == 0;
    rounds = argc == 4 || host ? atoi(argv[3]) : 0;
    library = rounds > 0 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (library == NULL || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: preload LIBRARY DIRECTORY ROUNDS (1 to %d) [host]\n", ROUNDS_MAX);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < SIDES; i++) {
        snprintf(names[i], sizeof(names[i]), "%s%s/file",
                 host && i != PRELOAD ? "" : "autotune:", argv[2]);
        sides[i].name = names[i];
    }
    find_all(RTLD_DEFAULT, &sides[BUILT_IN]);
    find_all(library, &sides[PRELOAD]);
    sides[NOISE] = sides[BUILT_IN];
    for (int i = 0; i < SIDES; i++)
        sides[i].file = open_file(&sides[i], MPI_COMM_WORLD, sides[i].name);
    for (int work = 0; work < LIST; work++)
        if (!host || list[work].host_target > 0)
            measure(work, rounds);
    for (int i = 0; i < SIDES; i++)
        sides[i].close(&sides[i].file);
    MPI_Finalize();
    return 0;
}
