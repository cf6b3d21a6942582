/* What the count models share; private to models/. */

#ifndef COUNTS_H
#define COUNTS_H

#include "counts.h"

extern const atm_count_model counts_generic;
extern const atm_count_model counts_generic_read;
extern const atm_count_model counts_gpfs;
extern const atm_count_model counts_lustre;
extern const atm_count_model counts_independent;
extern const atm_count_model counts_isaila;

/* Offsets stay below this, so that sums of a few cannot overflow. */
#define COUNTS_MAX_OFFSET (UINT64_C(1) << 61)
#define COUNTS_MAX_RANKS (1 << 24)

/* --- file domains */

/* At most this many domains of different sizes are visited one by one; if there
 * are more, a sample of as many. */
#define COUNTS_VISITED 32

/* Adjacent file domains of the same size; size > 0. */
typedef struct counts_run {
    uint64_t start;
    uint64_t size;
    uint64_t domains;
} counts_run;

/* Walks over all domains that are not empty, in the order of the file. */
typedef struct counts_domains {
    bool (*next)(struct counts_domains *domains, counts_run *run_p);
    uint64_t start, end; /* first and last byte of the access */
    uint64_t at;         /* start of the next run */
    uint64_t index;      /* of the next domain, empty ones included */
    uint64_t count;      /* of domains, empty ones included */
    uint64_t size, unit; /* generic: bytes of a domain, alignment */
    uint64_t block;      /* GPFS: the first `large` domains have `small` + 1 blocks */
    uint64_t small, large;
    /* Set where next gives domains sorted by size, not where they are: the domain
     * of that index, false if it is empty. */
    bool (*at_index)(const struct counts_domains *domains, uint64_t index, counts_run *run_p);
} counts_domains;

/* Everything that generic writes and reads have in common. */
atm_status counts_generic_rounds(const atm_job *job, const atm_access *access,
                                 const atm_config *config, atm_counts *counts);

/* --- what happens in the domains */

/* Windows of some rounds. */
typedef struct counts_windows {
    uint64_t windows;
    uint64_t bytes;    /* they span */
    uint64_t data;     /* requested bytes in them */
    uint64_t messages; /* (rank, window) with data */
} counts_windows;

typedef struct counts_tally {
    uint64_t rounds, full_rounds;
    counts_windows full, all; /* in full rounds, in all */
    uint64_t window_min, window_max;
    uint64_t domains, domain_max;
    uint64_t sieve, sieve_bytes;       /* windows with holes */
    uint64_t requests, request_pieces; /* (rank, domain) with data, and its pieces */
    bool exact_accesses, exact_messages;
    double servers, servers_partial;   /* accessed at once in a full round, in another;
                                          0: as the configuration says */
    uint64_t slowest, slowest_partial; /* sums over these rounds of the bytes of the largest window,
                                          for which others wait; 0: all are about the same */
} counts_tally;

/* Both walk over the domains more than once: passed by value.  buffer is the
 * size of a window. */
atm_status counts_tally_domains(counts_domains domains, const atm_job *job,
                                const atm_access *access, uint64_t buffer, counts_tally *tally_p);
atm_status counts_tally_pieces(counts_domains domains, const atm_job *job, const atm_access *access,
                               uint64_t buffer, counts_tally *tally_p);
/* The access has a list of pieces, and few enough windows to use it. */
bool counts_use_pieces(const atm_access *access, uint64_t window);

/* Sizes of domains, in the order of the file; starts as {.inner_min = UINT64_MAX}. */
typedef struct counts_shape {
    uint64_t domains;
    uint64_t first, last, max;
    uint64_t inner_min; /* smallest but for first and last */
} counts_shape;

void counts_shape_add(counts_shape *shape, uint64_t size, uint64_t domains);
/* Sets rounds and domains. */
void counts_shape_rounds(const counts_shape *shape, uint64_t buffer, counts_tally *tally);

/* --- servers to which blocks are dealt out in turn */

/* Effective number of servers, out of `servers`, that the first `count` GPFS domains access at once
 * with windows of so many blocks: all accesses / those of the server with most.  The domains
 * advance in step, so that it is the same in each round.  0: not known. */
double counts_servers_at_once(const counts_domains *domains, uint64_t count, uint64_t blocks,
                              uint64_t servers);

/* --- regular accesses: blocks of one size, next to each other */

typedef struct counts_tiles {
    uint64_t origin;
    uint64_t block;
    uint64_t owners; /* block i belongs to owner i mod owners */
    bool exact;      /* the access is exactly like this, not only similar */
} counts_tiles;

counts_tiles counts_tiles_of(const atm_access *access);

/* What is left when windows and messages of all domains are summed up. */
void counts_tally_finish(const atm_access *access, const counts_tiles *tiles, counts_tally *tally);

/* Pairs with common bytes, of all domains of a run together. */
typedef struct counts_pairs {
    uint64_t pieces;  /* block and domain */
    uint64_t domains; /* owner and domain */
    uint64_t windows; /* owner and window, of which each domain has as many as it needs */
    uint64_t limited; /* of the first `limit` windows of each domain */
} counts_pairs;

/* In O(log block). */
counts_pairs counts_pairs_of(const counts_tiles *tiles, const counts_run *run, uint64_t window,
                             uint64_t limit);

/* --- accesses given as a list of pieces */

typedef struct counts_sweep {
    const atm_piece *pieces;
    size_t count;
    size_t low;      /* pieces before it end before the windows to come */
    uint64_t number; /* of the window, from 1 */
    uint64_t *seen;  /* [ranks] last window with data of that rank; owned */
} counts_sweep;

/* What the pieces have in a window. */
typedef struct counts_window {
    uint64_t first, last; /* bytes with data */
    uint64_t data;        /* bytes asked for */
    uint64_t ranks;       /* with data, 0: the window is empty */
    uint64_t pieces;      /* parts of pieces */
    bool hole;            /* between first and last */
} counts_window;

/* End with counts_sweep_end; windows must come in the order of the file. */
atm_status counts_sweep_begin(const atm_job *job, const atm_access *access, counts_sweep *sweep_p);
counts_window counts_sweep_window(counts_sweep *sweep, uint64_t first, uint64_t last);
/* First byte with data from there on, UINT64_MAX if there is none. */
uint64_t counts_sweep_next(counts_sweep *sweep, uint64_t from);
void counts_sweep_end(counts_sweep *sweep);

/* Sum up a window that is accessed from first to last, in a full round or not. */
void counts_window_tally(const atm_access *access, const counts_window *window, uint64_t first,
                         uint64_t last, bool full, counts_tally *tally);

/* --- accesses with holes between ranks of one piece each */

/* So many ranks, targets and stripes are looked at one by one. */
enum { COUNTS_SPARSE = 128, COUNTS_TARGETS = 256, COUNTS_STRIPES = 4096 };

/* The pieces that the summary of such an access amounts to; 0: it is another one, or too large. */
size_t counts_sparse_pieces(const atm_access *access, atm_piece pieces_p[COUNTS_SPARSE]);
/* Targets that the pieces of an access meet at once, as an effective number: all bytes / those of
 * the target with most.  0: not known. */
double counts_targets_of_pieces(const atm_access *access, const atm_config *config);

/* Not empty, by offset, then rank, and no number is too large to count with. */
bool counts_pieces_in_order(const atm_piece *pieces, size_t count);
/* The list is in order and has what the summary says. */
bool counts_pieces_fit(const atm_job *job, const atm_access *access);

/* --- cost items */

/* Sets ATM_LINK and ATM_UPLINK of accesses to the file. */
void counts_set_access(atm_counts *counts, const atm_job *job);
/* Sets ATM_FAR of all, ATM_LINK and ATM_UPLINK of exchanges. */
void counts_set_far(atm_counts *counts, atm_driver driver, const atm_job *job,
                    const atm_access *access, const atm_config *config);

/* count calls of a collective by all ranks with that many bytes each */
void counts_add_collective(atm_counts *counts, const atm_job *job, atm_operation operation,
                           atm_part part, uint64_t count, double bytes);
/* count times an exchange of that many messages, with that many bytes in one */
void counts_add_exchange(atm_counts *counts, const atm_job *job, atm_part part, double count,
                         double senders, double receivers, double messages, double bytes);
/* Targets of a file's stripes; 1 where there are no stripes. */
static inline int counts_targets(const atm_config *config)
{
    return config->stripe_count > 1 && config->servers > 0 ? config->servers : config->stripe_count;
}

/* count times that many ranks at once access the file, on so many servers */
void counts_add_storage(atm_counts *counts, const atm_job *job, double servers,
                        atm_operation operation, double count, double ranks, double bytes);
/* Lists of offsets and lengths go from ranks to aggregators. */
void counts_add_requests(atm_counts *counts, const atm_job *job, const atm_access *access,
                         const counts_tally *tally);
/* Data exchange and file accesses of all rounds, and every field of counts that
 * does not depend on the algorithm. */
void counts_add_rounds(atm_counts *counts, const atm_job *job, const atm_access *access,
                       const atm_config *config, const counts_tally *tally);

/* ad_write_coll.c:210, ad_lustre_wrcoll.c: nobody leaves before the last write. */
void counts_add_farewell(atm_counts *counts, const atm_job *job, const atm_config *config);

/* Buffers of a node: those of every aggregator (the driver frees those that
 * ROMIO allocates on other ranks), and what every rank that accesses the file
 * needs in addition. */
uint64_t counts_memory(const atm_job *job, const atm_config *config, uint64_t writers,
                       uint64_t per_writer);

/* Bytes of a count that ranks tell each other: an int, since MPICH 4.2.2 an MPI_Count
 * (ad_aggregate.c:461, ad_write_coll.c:536, ad_lustre_aggregate.c:299 there). */
static inline double counts_number(const atm_job *job)
{
    return job->mpich >= 40202 ? 8 : 4;
}

static inline uint64_t counts_ceil(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* The largest number if the product is larger. */
static inline uint64_t counts_product(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static inline uint64_t counts_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t counts_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif /* COUNTS_H */
