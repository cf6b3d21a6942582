/*
 * Two-phase writes of Lustre (ad_lustre_wrcoll.c).  Stripes are dealt out to the
 * writers in turn, so that a window is a stripe and a round is one stripe for
 * each writer; cb_buffer_size plays no part.  Sizes are known without an
 * alltoall.
 */

#include <stdlib.h>

#include "counts_inside.h"

#include <math.h>

#define MAX_PAIRS (UINT64_C(1) << 30)

typedef struct stripes {
    uint64_t size;
    uint64_t first;   /* number of the first one with data */
    uint64_t count;   /* up to the last one */
    uint64_t writers; /* they are dealt out to */
} stripes;

static stripes stripes_of(const atm_access *access, const atm_config *config)
{
    uint64_t size = config->stripe_size, first = access->start / size;

    return (stripes){.size = size,
                     .first = first,
                     .count = access->end / size - first + 1,
                     .writers = (uint64_t) atm_lustre_writers(
                         config->aggregators, config->stripe_count, config->co_ratio)};
}

int atm_lustre_writers(int aggregators, int stripe_count, int co_ratio)
{
    int writers = 1;

    if (aggregators < 1 || stripe_count < 1 || co_ratio < 1)
        return 0;
    if (aggregators >= stripe_count) {
        int each = aggregators / stripe_count;
        return stripe_count * (each < co_ratio ? each : co_ratio);
    }
    /* ad_lustre_aggregate.c:66; a prime above aggregators leaves one writer */
    for (int divisor = 2; divisor <= stripe_count / divisor; divisor++) {
        if (stripe_count % divisor != 0)
            continue;
        if (stripe_count / divisor <= aggregators)
            return stripe_count / divisor;
        if (divisor <= aggregators)
            writers = divisor;
    }
    return writers;
}

/* Bytes of the writer that gets the stripe of this index. */
static uint64_t writer_bytes(const stripes *all, const atm_access *access, uint64_t index)
{
    uint64_t mine = (all->count - 1 - index) / all->writers + 1;
    uint64_t bytes = mine * all->size;

    if (index == 0)
        bytes -= access->start % all->size;
    if (index + (mine - 1) * all->writers == all->count - 1)
        bytes -= all->size - 1 - access->end % all->size;
    return bytes;
}

static uint64_t most_of_a_writer(const stripes *all, const atm_access *access)
{
    /* Only the writers of the first and last stripes have a partial one; of the
     * others, those up to the last one have most. */
    uint64_t last = (all->count - 1) % all->writers, most = 0;
    const uint64_t candidates[] = {0, 1, last, last + 1};

    for (int i = 0; i < 4; i++)
        if (candidates[i] < counts_min(all->writers, all->count))
            most = counts_max(most, writer_bytes(all, access, candidates[i]));
    return most;
}

/* All stripes but the outermost are full; of one in a round nobody waits for another. */
static uint64_t largest_of(const stripes *all, const atm_access *access, uint64_t in_round)
{
    uint64_t head = all->size - access->start % all->size, tail = access->end % all->size + 1;

    if (in_round < 2)
        return 0;
    return all->count > 2 ? all->size : counts_max(head, tail);
}

static void set_slowest(const stripes *all, const atm_access *access, counts_tally *tally)
{
    tally->slowest = tally->full_rounds * largest_of(all, access, all->writers);
    tally->slowest_partial = largest_of(all, access, all->count % all->writers);
}

static void set_rounds(const stripes *all, const atm_access *access, counts_tally *tally)
{
    tally->rounds = counts_ceil(all->count, all->writers);
    tally->full_rounds = all->count / all->writers;
    tally->domains = counts_min(all->writers, all->count);
    tally->domain_max = most_of_a_writer(all, access);
}

/* (rank, writer) with data.  Blocks of one rank each are windows over stripes,
 * whose owners are the writers. */
static void tally_requests(const stripes *all, const atm_access *access, const counts_tiles *tiles,
                           counts_tally *tally)
{
    uint64_t range = access->end - access->start + 1;
    counts_tiles owners = {.block = all->size, .owners = all->writers};
    counts_run run = {.start = access->start, .size = range, .domains = 1};

    tally->requests = counts_pairs_of(&owners, &run, tiles->block, 0).windows;
    owners.owners = UINT64_MAX;
    tally->request_pieces = counts_pairs_of(&owners, &run, tiles->block, 0).windows;
    if (access->strided && all->writers > 1) {
        /* A rank's blocks may go to the same writers again. */
        uint64_t most = (uint64_t) access->active_ranks * tally->domains;
        tally->requests = counts_min(tally->requests, most);
        if (tiles->block / all->size < all->writers)
            tally->exact_messages = false;
    } else if (access->strided) {
        tally->requests = (uint64_t) access->active_ranks;
    }
}

static void tally_stripes(const stripes *all, const atm_access *access, counts_tally *tally)
{
    const counts_tiles tiles = counts_tiles_of(access);
    uint64_t range = access->end - access->start + 1;
    uint64_t head = counts_min(all->size - access->start % all->size, range);
    uint64_t in_full = tally->full_rounds * all->writers; /* stripes in full rounds */
    counts_run first = {.start = access->start, .size = head, .domains = 1};
    counts_run rest = {.start = access->start + head, .size = range - head, .domains = 1};

    tally->exact_messages = true;
    tally->all = (counts_windows){.windows = all->count, .bytes = range};
    tally->full.windows = in_full;
    if (in_full != 0)
        tally->full.bytes = counts_min(in_full * all->size - (all->size - head), range);
    tally->all.messages = counts_pairs_of(&tiles, &first, all->size, 0).windows;
    tally->full.messages = in_full != 0 ? tally->all.messages : 0;
    if (rest.size != 0) {
        const counts_pairs pairs =
            counts_pairs_of(&tiles, &rest, all->size, in_full != 0 ? in_full - 1 : 0);
        tally->all.messages += pairs.windows;
        tally->full.messages += pairs.limited;
    }
    uint64_t tail = rest.size == 0 ? head : rest.size - (all->count - 2) * all->size;
    tally->window_min = counts_min(head, tail);
    tally->window_max = all->count > 2 ? all->size : counts_max(head, tail);
    tally_requests(all, access, &tiles, tally);
    counts_tally_finish(access, &tiles, tally);
}

/* Distinct (rank, writer), by a table of all. */
static atm_status requests_of_pieces(const stripes *all, const atm_job *job,
                                     const atm_access *access, counts_tally *tally)
{
    bool *met = calloc((size_t) job->ranks * all->writers, sizeof *met);

    if (met == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; i < access->piece_count; i++) {
        const atm_piece *piece = &access->pieces[i];
        uint64_t first = piece->offset / all->size;
        uint64_t count = (piece->offset + piece->length - 1) / all->size - first + 1;
        tally->request_pieces += count;
        for (uint64_t s = first; s < first + counts_min(count, all->writers); s++) {
            bool *pair = &met[(uint64_t) piece->rank * all->writers + s % all->writers];
            tally->requests += !*pair;
            *pair = true;
        }
    }
    free(met);
    return ATM_OK;
}

typedef struct round_seen {
    uint64_t round, largest;
} round_seen;

/* Rounds come one after the other. */
static void see_window(round_seen *seen, uint64_t round, uint64_t size, counts_tally *tally)
{
    uint64_t *sum = round < tally->full_rounds ? &tally->slowest : &tally->slowest_partial;

    if (round != seen->round)
        *seen = (round_seen){round, 0};
    if (size <= seen->largest)
        return;
    *sum += size - seen->largest;
    seen->largest = size;
}

/* A window goes from its first byte with data to the end of the stripe or, if
 * nearer, to the last byte that its writer has in any round
 * (ad_lustre_wrcoll.c, real_size).  ends[]: that last byte + 1; NULL at the first
 * pass, which finds them. */
static uint64_t sweep_stripes(const stripes *all, const atm_access *access, counts_sweep *sweep,
                              uint64_t *found, const uint64_t *ends, counts_tally *tally)
{
    uint64_t writers_with_data = 0;
    round_seen seen = {0, 0};

    for (uint64_t s = all->first; s < all->first + all->count;) {
        counts_window window = counts_sweep_window(sweep, s * all->size, (s + 1) * all->size - 1);
        if (window.ranks == 0) {
            s = counts_sweep_next(sweep, s * all->size) / all->size;
            continue;
        }
        uint64_t writer = s % all->writers;
        if (ends == NULL) {
            writers_with_data += found[writer] == 0;
            found[writer] = window.last + 1;
        } else {
            uint64_t last = counts_min((s + 1) * all->size, ends[writer]) - 1;
            uint64_t round = (s - all->first) / all->writers, size = last - window.first + 1;
            counts_window_tally(access, &window, window.first, last, round < tally->full_rounds,
                                tally);
            see_window(&seen, round, size, tally);
            found[writer] += size;
        }
        s++;
    }
    return writers_with_data;
}

static atm_status tally_pieces(const stripes *all, const atm_job *job, const atm_access *access,
                               counts_tally *tally)
{
    counts_sweep sweep[2] = {{0}};
    uint64_t *ends = calloc(2 * all->writers, sizeof *ends);
    atm_status status = ends != NULL ? ATM_OK : ATM_NO_MEMORY;

    for (int i = 0; i < 2 && status == ATM_OK; i++)
        status = counts_sweep_begin(job, access, &sweep[i]);
    if (status == ATM_OK)
        status = requests_of_pieces(all, job, access, tally);
    if (status == ATM_OK) {
        uint64_t *bytes = ends + all->writers;
        tally->window_min = UINT64_MAX;
        tally->exact_accesses = tally->exact_messages = true;
        tally->domains = sweep_stripes(all, access, &sweep[0], ends, NULL, NULL);
        sweep_stripes(all, access, &sweep[1], bytes, ends, tally);
        tally->domain_max = 0;
        for (uint64_t i = 0; i < all->writers; i++)
            tally->domain_max = counts_max(tally->domain_max, bytes[i]);
    }
    for (int i = 0; i < 2; i++)
        counts_sweep_end(&sweep[i]);
    free(ends);
    return status;
}

static atm_status tally_lustre(const stripes *all, const atm_job *job, const atm_access *access,
                               counts_tally *tally)
{
    if (access->bytes == 0) {
        tally->exact_accesses = tally->exact_messages = true;
        return ATM_OK;
    }
    set_rounds(all, access, tally);
    if (counts_use_pieces(access, all->size) && (uint64_t) job->ranks * all->writers <= MAX_PAIRS)
        return tally_pieces(all, job, access, tally);
    tally_stripes(all, access, tally);
    set_slowest(all, access, tally);
    return ATM_OK;
}

static double at_once(uint64_t windows, uint64_t rounds, double targets)
{
    return fmax(1, fmin(targets, (double) windows / (double) rounds));
}

/* A writer has one stripe in a round: more stripes than writers are not accessed at once. */
static void set_servers(const atm_config *config, counts_tally *tally)
{
    double targets = counts_targets(config);
    uint64_t rounds = tally->rounds - tally->full_rounds;
    uint64_t windows = tally->all.windows - tally->full.windows;

    if (tally->full_rounds != 0)
        tally->servers = at_once(tally->full.windows, tally->full_rounds, targets);
    if (rounds != 0 && windows != 0)
        tally->servers_partial = at_once(windows, rounds, targets);
}

static atm_status count(atm_driver driver, const atm_job *job, const atm_access *access,
                        const atm_config *config, atm_counts *counts)
{
    const stripes all = stripes_of(access, config);
    counts_tally tally = {0};
    atm_status status = tally_lustre(&all, job, access, &tally);

    (void) driver;
    if (status != ATM_OK)
        return status;
    counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 1, 16.0 * job->ranks);
    if (!access->interleaved) { /* ADIOI_LUSTRE_Docollect */
        counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 1, 8);
        counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 1, counts_number(job));
    }
    counts_add_collective(counts, job, ATM_ALLTOALL, ATM_PARTITIONING, 1, counts_number(job));
    counts_add_requests(counts, job, access, &tally);
    counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 2, 8);
    set_servers(config, &tally);
    counts_add_rounds(counts, job, access, config, &tally);
    counts_add_farewell(counts, job, config);
    /* the buffers, and a stripe for each writer */
    counts->memory_per_node = counts_memory(job, config, tally.domains, all.size);
    return ATM_OK;
}

const atm_count_model counts_lustre = {
    .name = "lustre",
    .summary = "two-phase writes of Lustre",
    .drivers = 1u << ATM_LUSTRE,
    .collective = true,
    .write = true,
    .count = count,
};
