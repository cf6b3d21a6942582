/*
 * TAP output for MPI test programs: a check holds when it holds on every rank;
 * rank 0 prints.  Every rank must make the same checks in the same order.
 */

#ifndef MPITAP_H
#define MPITAP_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

static int tap_count;
static int tap_failed;

/* Collective over MPI_COMM_WORLD; returns whether it held everywhere. */
__attribute__((format(printf, 2, 3))) static inline int tap_ok(int holds, const char *what, ...)
{
    int rank, all;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&holds, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (!holds)
        fprintf(stderr, "rank %d: check %d does not hold\n", rank, tap_count + 1);
    tap_count++;
    tap_failed += !all;
    if (rank == 0) {
        va_list args;
        va_start(args, what);
        printf("%sok %d - ", all ? "" : "not ", tap_count);
        vprintf(what, args);
        printf("\n");
        fflush(stdout);
        va_end(args);
    }
    return all;
}

/* Print the plan and return the program's exit code. */
static inline int tap_done(void)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("1..%d\n", tap_count);
        fflush(stdout);
    }
    return tap_failed != 0;
}

#endif /* MPITAP_H */
