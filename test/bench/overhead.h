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

/* Where a call happens */
struct place {
    MPI_File file;
    const char *name;
    MPI_Info info;
    MPI_Comm comm;
};

/* Which file the calls of a block use */
enum opens {
    KEPT,  /* one that stays open over all blocks */
    FRESH, /* one that is opened before the block, without being timed */
    OWN,   /* those that they open themselves */
};

struct work {
    const char *name;
    int ranks;     /* 1, or 0 for all */
    int calls;     /* in one block: short, so that most blocks run undisturbed */
    int repeats;   /* of each round: more where blocks are shorter */
    double target; /* largest allowed ratio; 0: any */
    double most;   /* largest allowed difference of a call, microseconds; 0: any */
    enum opens opens;
    void (*call)(const struct place *place, int number);
};
extern const struct work works[];
extern const int work_count;

/* The calls of one block and nothing else: also what callgrind counts */
void work_block(const struct work *work, const struct place *place, int calls);
/* Collective over comm; aborts on failure */
MPI_File work_open(const char *name, MPI_Comm comm, MPI_Info info);

/* ---- statistics ---- */

struct spread {
    double median;
    double q1, q3;
    double low, high; /* of the median, 95 %, by the sign test */
};

double median_of(const double *values, int count);
/* Spread of other[i] / base[i] */
struct spread spread_of_ratios(const double *other, const double *base, int count);

#endif /* OVERHEAD_H */
