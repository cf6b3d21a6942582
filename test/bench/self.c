/*
 * Files that each process opens alone, writes and closes: through autotune: and through
 * the wrapped driver, in turns.
 *     self DIRECTORY FS FILES ROUNDS
 * Exit code 1 where the goal is missed.
 */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "overhead.h"

#define GOAL 1.05

enum { MAX_ROUNDS = 10000, BYTES = 4096, MAX_NAME = 4096 };

static const char *directory, *fs;
static int rank, files;

static void file_name(char name[MAX_NAME], const char *prefix, int number)
{
    snprintf(name, MAX_NAME, "%s%s/self.%d.%d", prefix, directory, rank, number);
}

static void write_file(const char *name)
{
    static char data[BYTES];
    MPI_File file = work_open(name, MPI_COMM_SELF, MPI_INFO_NULL);

    MPI_File_write_at(file, 0, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

/* Seconds until all processes have written new files */
static double write_files(int tuned)
{
    char name[MAX_NAME], prefix[64];
    double start;

    snprintf(prefix, sizeof(prefix), "%s%s:", tuned ? "autotune:" : "", fs);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    for (int i = 0; i < files; i++) {
        file_name(name, prefix, i);
        write_file(name);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime() - start;
    for (int i = 0; i < files; i++) {
        file_name(name, "", i);
        unlink(name);
    }
    return start;
}

int main(int argc, char **argv)
{
    static double wrapped[MAX_ROUNDS], tuned[MAX_ROUNDS];
    struct spread ratios;
    int rounds, ranks, missed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    files = argc == 5 ? atoi(argv[3]) : 0;
    rounds = argc == 5 ? atoi(argv[4]) : 0;
    if (files < 1 || rounds < 1 || rounds > MAX_ROUNDS) {
        fprintf(stderr, "usage: self DIRECTORY FS FILES ROUNDS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    directory = argv[1];
    fs = argv[2];
    write_files(0); /* warm up */
    write_files(1);
    for (int i = 0; i < rounds; i++) {
        wrapped[i] = i % 2 ? write_files(0) : 0;
        tuned[i] = write_files(1);
        wrapped[i] = i % 2 ? wrapped[i] : write_files(0);
    }
    ratios = spread_of_ratios(tuned, wrapped, rounds);
    missed = ratios.median > GOAL;
    MPI_Bcast(&missed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%-7s %d processes x %d files: %.1f us a file, through autotune %.1f us; of "
               "medians %.4f, median ratio %.4f, 95 %% interval %.4f-%.4f, %d rounds  %s %.2f\n",
               fs, ranks, files, 1e6 * median_of(wrapped, rounds) / files,
               1e6 * median_of(tuned, rounds) / files,
               median_of(tuned, rounds) / median_of(wrapped, rounds), ratios.median, ratios.low,
               ratios.high, rounds, missed ? "ABOVE" : "within", GOAL);
    MPI_Finalize();
    return missed;
}
