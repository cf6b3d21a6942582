/*
 * What a call costs more through autotune: than through the driver it wraps.
 *
 *   overhead.c        options, the rounds, the table
 *   overhead_work.c   what is timed
 *   overhead_stats.c  medians of paired ratios; no MPI
 */

#ifndef OVERHEAD_H
#define OVERHEAD_H

#include <mpi.h>

/* ---- work ---- */

struct work {
    const char *name;
    int ranks;      /* 1, or 0 for all */
    int calls;      /* in one block: short, so that most blocks run undisturbed */
    int repeats;    /* of each round: more where blocks are shorter */
    double target;  /* largest allowed ratio */
    double most;    /* largest allowed difference of a call, microseconds; 0: any */
    int keeps_open; /* the file stays open over all blocks */
    void (*call)(MPI_File file, const char *name, MPI_Comm comm, int number);
};
extern const struct work works[];
extern const int work_count;

/* The calls of one block and nothing else: also what callgrind counts */
void work_block(const struct work *work, MPI_File file, const char *name, MPI_Comm comm, int calls);
/* Collective over comm; aborts on failure */
MPI_File work_open(const char *name, MPI_Comm comm);

/* ---- statistics ---- */

struct spread {
    double median;
    double q1, q3;
    double low, high; /* of the median, 95 %, by the sign test */
};

double median_of(const double *values, int count);
/* Of other[i] / base[i] */
struct spread spread_of_ratios(const double *other, const double *base, int count);

#endif /* OVERHEAD_H */
