/*
 * Which elemental operations one collective read or write is made of, and how
 * often each happens: counted from ROMIO's code, one model for every algorithm.
 *
 *   generic       two-phase write of UFS and NFS             ad_write_coll.c
 *   generic-read  two-phase read of UFS, NFS and Lustre      ad_read_coll.c
 *   gpfs          two-phase write and read of GPFS           ad_gpfs_wrcoll.c, _rdcoll.c
 *   lustre        two-phase write of Lustre                  ad_lustre_wrcoll.c
 *   independent   every rank for itself, all drivers
 *   isaila        the paper's equations; chosen by name only
 *
 * Words: a file domain is the part of the file that one aggregator accesses; it
 * does so in windows of at most a collective buffer (Lustre: a stripe), one
 * window in each round.
 *
 * How exact the numbers are.  An access comes as a summary or with the list of
 * its pieces (atm_access.pieces).
 *   With the list everything is exact, if the pieces of a rank do not overlap
 *   and, for a write, those of different ranks do not either.
 *   With the summary, rounds, calls and file accesses are exact for every
 *   access without holes.  Messages are too if the ranks' bytes follow each other
 *   in equal blocks: one block of each active rank in turn, or the blocks dealt
 *   out in turn (stride = active_ranks x block).  Estimates are left only for
 *   blocks dealt out on Lustre (requests: whether a rank sends to a writer again) and
 *   for more than 32 domains of different sizes, which alignment makes.
 * exact_accesses and exact_messages say so.  Strided independent accesses are
 * never exact: data sieving is estimated.  Nor is isaila, which counts what the
 * paper counts.
 * Any access that a program can make is counted, irregular ones as regular ones
 * that are similar: blocks have their average size, a stride that contradicts it
 * counts as unknown (pieces are spread evenly), bytes that are read more than once
 * are more messages, and offsets of 2 EiB and more are treated as smaller ones.
 * A rank without bytes must have an offset inside the access, and not 0: ROMIO
 * lets it widen the range, and treats it as a rank with one byte.
 * Defaults are assumed for ROMIO_TUNEGATHER, ROMIO_*_AGGMETHOD, GPFSMPIO_* and the
 * hints romio_ds_*, romio_lustre_ds_in_coll, romio_lustre_coll_threshold, cb_pfr,
 * romio_min_fdomain_size; atomic mode is off.
 * Versions.  Lines are those of MPICH 4.0.2.  What later ones do otherwise depends on
 * atm_job.mpich: since 4.2.2 a count that ranks tell each other takes 8 bytes, not 4; since 4.1 an
 * aggregator that reads compares all requests that are left, in every round (compared).
 */

#ifndef ATM_COUNTS_H
#define ATM_COUNTS_H

#include "atm.h"

#define ATM_MAX_COST_ITEMS 25

typedef struct atm_counts {
    atm_cost_item items[ATM_MAX_COST_ITEMS];
    int item_count;

    bool exact_accesses; /* rounds, calls, accesses, domains */
    bool exact_messages;

    uint64_t rounds;         /* max_ntimes of ROMIO; 1 or more unless nothing is accessed */
    uint64_t full_rounds;    /* in which every domain, but for the outermost, fills its buffer */
    uint64_t partial_rounds; /* the others */

    int domains;                   /* that have data; independent: ranks that do */
    uint64_t bytes_per_aggregator; /* the most that one accesses, holes included */
    uint64_t memory_per_node;      /* collective buffers of the ranks of a node */

    uint64_t accesses; /* file accesses in the direction of the call */
    uint64_t access_bytes;
    uint64_t access_min, access_max; /* sizes of the smallest and the largest */
    uint64_t sieve_accesses;         /* writes: reads that fill holes first */
    uint64_t sieve_bytes;

    /* Calls that every rank makes, of each collective. */
    uint64_t allreduces, allgathers, alltoalls, alltoallvs, bcasts;
    /* Pairs of ranks with data for each other, including a rank with itself:
     * point to point, or entries of an alltoallv that are not empty. */
    uint64_t request_messages, request_bytes; /* lists of offsets and lengths */
    uint64_t data_messages, data_bytes;       /* of all rounds */

    /* Computing, which is no operation: requests that an aggregator compares with its windows. */
    double compared;

    uint64_t dirty; /* as the access has it */
    double cached;  /* share of what is read that its readers have just written */

    /* Over several calls: */
    double once; /* seconds on top of all operations */
    double idle; /* seconds without operations, in which caches drain */
} atm_counts;

typedef struct atm_count_model {
    const char *name;
    const char *summary; /* one line */
    unsigned drivers;    /* bit 1u << atm_driver of those that run this; 0: by name only */
    bool collective, write, read;
    /* job, access and config are valid; counts is zeroed. */
    atm_status (*count)(atm_driver driver, const atm_job *job, const atm_access *access,
                        const atm_config *config, atm_counts *counts);
} atm_count_model;

/* NULL for an unknown name. */
const atm_count_model *atm_count_model_by_name(const char *name);
/* In the order of the list; NULL past its end. */
const atm_count_model *atm_count_model_at(int index);
/* The algorithm that ROMIO runs, also when a configuration is automatic. */
const atm_count_model *atm_count_model_for(atm_driver driver, const atm_access *access,
                                           const atm_config *config);

/*
 * Count.  model may be NULL: the one that ROMIO runs.  ATM_BAD_ARGUMENT for
 * values that contradict each other or are impossible in a run.  Allocates only
 * for a list of pieces, and frees it again.
 */
atm_status atm_count(const atm_count_model *model, atm_driver driver, const atm_job *job,
                     const atm_access *access, const atm_config *config, atm_counts *counts_p);

/* Adds the cost of new memory for the collective buffers of a new file, unless they need at most
 * `warm` bytes, for which there is memory. */
void atm_count_touch(const atm_config *config, uint64_t warm, atm_counts *counts);

/* Counts a series of calls: the first as atm_count does, the others on a file that is no longer
 * new.  What is not an operation is the first call's. */
atm_status atm_count_calls(const atm_count_model *model, atm_driver driver, const atm_job *job,
                           const atm_access *access, const atm_config *config, double calls,
                           atm_counts *counts_p);

/*
 * Shares between 0 and 1 (place/near.h has the orders).  atm_far_in_order: of bytes that leave
 * their group, if ranks in order hold the file in order, and each sends to the aggregator of its
 * part and to those of fan - 1 parts that follow.  atm_far_domains: of pairs of neighbouring
 * domains whose aggregators are in different groups.
 */
double atm_far_in_order(const atm_job *job, double aggregators, double fan, atm_order order);
double atm_far_domains(const atm_job *job, double aggregators, atm_order order);

/* Effective number of servers that hold contiguous bytes in stripes dealt out to `servers`: all
 * bytes / those of the server with most. */
double atm_servers_of_stripes(uint64_t bytes, uint64_t stripe_size, int servers);

/* Ranks that write on Lustre: ADIOI_LUSTRE_Get_striping_info. */
int atm_lustre_writers(int aggregators, int stripe_count, int co_ratio);

#endif /* ATM_COUNTS_H */
