/* Rounds, windows and messages of file domains, from the summary of an access. */

#include "counts_inside.h"

/* A list of pieces that would need more windows than this is not used. */
#define MAX_WINDOWS (UINT64_C(1) << 24)

static void windows_add(counts_windows *sum, const counts_run *run, uint64_t windows,
                        uint64_t bytes)
{
    sum->windows += run->domains * windows;
    sum->bytes += run->domains * bytes;
}

static uint64_t share(uint64_t whole, uint64_t part, uint64_t parts)
{
    if (parts == 0)
        return 0;
    unsigned __int128 result = (unsigned __int128) whole * part / parts;
    return result < UINT64_MAX ? (uint64_t) result : UINT64_MAX;
}

/* The index-th of COUNTS_VISITED domains, spread over all at uneven distances: at
 * even ones, the alignment of domains with blocks might repeat. */
static uint64_t spread(uint64_t domains, uint64_t index)
{
    uint64_t from = share(domains, index, COUNTS_VISITED);
    uint64_t until = share(domains, index + 1, COUNTS_VISITED);

    return from + (index * UINT64_C(0x9e3779b97f4a7c15) >> 40) % (until - from);
}

/* Pairs of all domains of a run that is not where they are, from some of them. */
static counts_pairs pairs_of_some(const counts_domains *domains, const counts_tiles *tiles,
                                  const counts_run *run, uint64_t window, uint64_t limit)
{
    counts_pairs sum = {0};
    counts_run each;
    uint64_t visited = 0;

    for (uint64_t i = 0; i < COUNTS_VISITED; i++) {
        if (!domains->at_index(domains, spread(domains->count, i), &each) || each.size != run->size)
            continue;
        const counts_pairs pairs = counts_pairs_of(tiles, &each, window, limit);
        sum.pieces += pairs.pieces;
        sum.domains += pairs.domains;
        sum.windows += pairs.windows;
        sum.limited += pairs.limited;
        visited++;
    }
    if (visited == 0)
        return counts_pairs_of(tiles, run, window, limit);
    return (counts_pairs){.pieces = share(sum.pieces, run->domains, visited),
                          .domains = share(sum.domains, run->domains, visited),
                          .windows = share(sum.windows, run->domains, visited),
                          .limited = share(sum.limited, run->domains, visited)};
}

static void tally_run(const counts_domains *domains, const counts_tiles *tiles,
                      const counts_run *run, uint64_t buffer, counts_tally *tally)
{
    uint64_t windows = counts_ceil(run->size, buffer);
    uint64_t rest = run->size % buffer;
    uint64_t limit = counts_min(windows, tally->full_rounds);

    windows_add(&tally->all, run, windows, run->size);
    windows_add(&tally->full, run, limit, counts_min(run->size, limit * buffer));
    tally->window_min = counts_min(tally->window_min, rest != 0 ? rest : buffer);
    tally->window_max = counts_max(tally->window_max, counts_min(run->size, buffer));

    const counts_pairs pairs = domains->at_index != NULL && run->domains > 1
                                   ? pairs_of_some(domains, tiles, run, buffer, limit)
                                   : counts_pairs_of(tiles, run, buffer, limit);
    tally->all.messages += pairs.windows;
    tally->full.messages += pairs.limited;
    tally->requests += pairs.domains;
    tally->request_pieces += pairs.pieces;
}

void counts_tally_finish(const atm_access *access, const counts_tiles *tiles, counts_tally *tally)
{
    uint64_t range = access->end - access->start + 1;

    tally->exact_accesses = !access->holes;
    tally->exact_messages = tally->exact_messages && tiles->exact;
    tally->all.data = access->bytes;
    tally->full.data = share(access->bytes, tally->full.bytes, tally->all.bytes);
    if (access->bytes > range) { /* ranks share bytes: each is told of its own */
        tally->all.messages = share(tally->all.messages, access->bytes, range);
        tally->full.messages = share(tally->full.messages, access->bytes, range);
        tally->requests = share(tally->requests, access->bytes, range);
        tally->request_pieces = share(tally->request_pieces, access->bytes, range);
    }
    if (access->write && access->holes) {
        tally->sieve = tally->all.windows;
        tally->sieve_bytes = tally->all.bytes;
    }
}

static void tally_tiles(counts_domains domains, const atm_access *access, uint64_t buffer,
                        counts_tally *tally)
{
    const counts_tiles tiles = counts_tiles_of(access);
    counts_shape shape = {.inner_min = UINT64_MAX};
    counts_run run;

    for (counts_domains each = domains; each.next(&each, &run);)
        counts_shape_add(&shape, run.size, run.domains);
    counts_shape_rounds(&shape, buffer, tally);

    tally->window_min = UINT64_MAX;
    tally->exact_messages = domains.at_index == NULL;
    while (domains.next(&domains, &run))
        tally_run(&domains, &tiles, &run, buffer, tally);
    counts_tally_finish(access, &tiles, tally);
}

bool counts_use_pieces(const atm_access *access, uint64_t window)
{
    return access->pieces != NULL && (access->end - access->start) / window < MAX_WINDOWS;
}

atm_status counts_tally_domains(counts_domains domains, const atm_job *job,
                                const atm_access *access, uint64_t buffer, counts_tally *tally_p)
{
    counts_tally tally = {0};
    atm_status status = ATM_OK;

    if (access->bytes == 0)
        tally.exact_accesses = tally.exact_messages = true;
    else if (counts_use_pieces(access, buffer))
        status = counts_tally_pieces(domains, job, access, buffer, &tally);
    else
        tally_tiles(domains, access, buffer, &tally);
    if (status == ATM_OK)
        *tally_p = tally;
    return status;
}
