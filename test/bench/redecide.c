/*
 * What the decision at the first collective call costs: that call through
 * autotune: and through the wrapped driver, and an Allreduce of as many bytes as
 * ranks exchange to know the access, in turns.
 *     redecide DIRECTORY FS ROUNDS
 * Exit code 1 where the goal is missed.
 */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "atc.h"
#include "overhead.h"

#define GOAL 0.2e-3

static void keep(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void) in, (void) inout, (void) count, (void) type;
}

/* Seconds of the first collective write of a file, on this rank */
static double first_write(const char *name)
{
    char byte = 0;
    MPI_File file;
    double start;
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    file = work_open(name, MPI_COMM_WORLD, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    MPI_File_write_at_all(file, rank, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime() - start;
    MPI_File_close(&file);
    return start;
}

/* Without a barrier after it: that of the writes is in both and cancels. */
static double allreduce(void)
{
    static atc_access in, out;
    MPI_Datatype type;
    double start;
    MPI_Op op;

    MPI_Type_contiguous(sizeof(in), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(keep, 0, &op);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    MPI_Allreduce(&in, &out, 1, type, op, MPI_COMM_WORLD);
    start = MPI_Wtime() - start;
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    return start;
}

int main(int argc, char **argv)
{
    enum { MAX_ROUNDS = 10000 };
    static double wrapped[MAX_ROUNDS], tuned[MAX_ROUNDS], reduced[MAX_ROUNDS], more[MAX_ROUNDS];
    char names[2][4096];
    int rounds, rank, missed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rounds = argc == 4 ? atoi(argv[3]) : 0;
    if (rounds < 1 || rounds > MAX_ROUNDS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    snprintf(names[0], sizeof(names[0]), "%s:%s/file", argv[2], argv[1]);
    snprintf(names[1], sizeof(names[1]), "autotune:%s:%s/file", argv[2], argv[1]);
    for (int i = 0; i < rounds; i++) {
        wrapped[i] = i % 2 ? first_write(names[0]) : 0;
        tuned[i] = first_write(names[1]);
        wrapped[i] = i % 2 ? wrapped[i] : first_write(names[0]);
        reduced[i] = allreduce();
        more[i] = tuned[i] - wrapped[i] - reduced[i];
    }
    missed = median_of(more, rounds) > GOAL;
    MPI_Bcast(&missed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%-7s first collective write: %.1f us, through autotune %.1f us, an Allreduce "
               "%.1f us; a decision %.1f us (median of differences)  %s %.0f us\n",
               argv[2], 1e6 * median_of(wrapped, rounds), 1e6 * median_of(tuned, rounds),
               1e6 * median_of(reduced, rounds), 1e6 * median_of(more, rounds),
               missed ? "ABOVE" : "within", 1e6 * GOAL);
    MPI_Finalize();
    return missed;
}
