/*
 * The paper's own equations: F. Isaila, P. Balaprakash, S. M. Wild, D. Kimpe,
 * R. Latham, R. Ross, P. Hovland, "Collective I/O tuning using analytical and
 * machine learning models", IEEE Cluster 2015, sections II and V.  Numbers in
 * brackets are those of the equations; where the paper gives none, the section.
 *
 * n nodes, c ranks on each, s_p bytes of a rank, n_a aggregators, s_cb buffer.
 * The equations cover only full and empty aggregators, a new file, and ranks
 * that all access the same amount.
 */

#include "counts_inside.h"

typedef struct rounds {
    double total;      /* s_t: bytes of all ranks */
    double capacity;   /* s_r: bytes of a complete round */
    double complete;   /* r_c */
    double incomplete; /* r_i: 0 or 1 */
    double rest;       /* s_i: bytes of the incomplete round */
} rounds;

/* Section V: s_r = n_a s_cb, r_c = floor(s_t / s_r), r_i = [s_t mod s_r > 0],
 * s_i = s_t - s_r r_c */
static rounds rounds_of(const atm_access *access, const atm_config *config)
{
    uint64_t capacity = (uint64_t) config->aggregators * config->buffer;
    uint64_t complete = access->bytes / capacity, rest = access->bytes % capacity;

    return (rounds){.total = (double) access->bytes,
                    .capacity = (double) capacity,
                    .complete = (double) complete,
                    .incomplete = rest > 0,
                    .rest = (double) rest};
}

/* Section V.A: s_aav = min(s_t, s_cb), as both versions of the paper have it.  Of
 * a round with that many bytes, n_send = min(bytes / s_aav, n c) ranks send one
 * message each to n_recv = min(n_send, n_a) aggregators. */
static void add_data(atm_counts *counts, const atm_job *job, const atm_config *config,
                     const rounds *r, double times, double bytes)
{
    double message = r->total < (double) config->buffer ? r->total : (double) config->buffer;
    double senders = bytes / message < job->ranks ? bytes / message : job->ranks;
    double receivers = senders < config->aggregators ? senders : config->aggregators;

    if (times > 0)
        counts_add_exchange(counts, job, ATM_SHUFFLE, times, senders, receivers, senders, message);
}

static void add_communication(atm_counts *counts, const atm_job *job, const atm_config *config,
                              const rounds *r)
{
    double all = job->ranks, aggregators = config->aggregators;

    /* t_ar = M_ar(n, c, 16 n c) + M_ar(n, c, 4) */
    counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 1, 16 * all);
    counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 1, 4);
    /* t_aa = (1 + r_c + r_i) M_aa(n, c, 4) */
    counts_add_collective(counts, job, ATM_ALLTOALL, ATM_PARTITIONING, 1, 4);
    counts_add_collective(counts, job, ATM_ALLTOALL, ATM_SHUFFLE, counts->rounds, 4);
    /* t_aav = M_aav(n, c, n c, n_a, 4) + M_aav(n, c, n c, n_a, 8) + the data */
    counts_add_exchange(counts, job, ATM_PARTITIONING, 1, all, aggregators, all * aggregators, 4);
    counts_add_exchange(counts, job, ATM_PARTITIONING, 1, all, aggregators, all * aggregators, 8);
    add_data(counts, job, config, r, r->complete, r->capacity);
    add_data(counts, job, config, r, r->incomplete, r->rest);
    counts->alltoallvs = 2 + counts->rounds;
}

/* Section V.C.3: t_s = M_s_lock(n, n_a / n, s_cb)
 *                    + max(0, r_c - 1) M_s_nl_full(n, n_a / n, s_cb)
 *                    + r_i M_s_nl_partial(n, s_i / s_r n_a / n, s_cb) */
static void add_storage(atm_counts *counts, const atm_job *job, const atm_access *access,
                        const atm_config *config, const rounds *r)
{
    double ranks = config->aggregators, bytes = (double) config->buffer;
    bool write = access->write;

    counts_add_storage(counts, job, config->stripe_count, write ? ATM_WRITE_FIRST : ATM_READ_FIRST,
                       1, ranks, bytes);
    counts_add_storage(counts, job, config->stripe_count, write ? ATM_WRITE_FULL : ATM_READ_FULL,
                       r->complete - 1, ranks, bytes);
    counts_add_storage(counts, job, config->stripe_count,
                       write ? ATM_WRITE_PARTIAL : ATM_READ_PARTIAL, r->incomplete,
                       r->rest / r->capacity * ranks, bytes);
}

static atm_status count(atm_driver driver, const atm_job *job, const atm_access *access,
                        const atm_config *config, atm_counts *counts)
{
    (void) driver;
    if (access->bytes == 0)
        return ATM_OK;
    const rounds r = rounds_of(access, config);

    counts->full_rounds = (uint64_t) r.complete;
    counts->partial_rounds = (uint64_t) r.incomplete;
    counts->rounds = counts->full_rounds + counts->partial_rounds;
    counts->domains = config->aggregators;
    counts->bytes_per_aggregator = counts->rounds * config->buffer;
    counts->memory_per_node = counts_memory(job, config, 0, 0);
    add_communication(counts, job, config, &r);
    add_storage(counts, job, access, config, &r);
    return ATM_OK;
}

const atm_count_model counts_isaila = {
    .name = "isaila",
    .summary = "the paper's equations",
    .collective = true,
    .write = true,
    .read = true,
    .count = count,
};
