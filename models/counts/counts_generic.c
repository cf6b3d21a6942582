/* Two-phase writes of UFS and NFS: ADIOI_GEN_WriteStridedColl (ad_write_coll.c). */

#include "counts_inside.h"

static bool emit(counts_domains *domains, uint64_t size, uint64_t count, counts_run *run_p)
{
    *run_p = (counts_run){.start = domains->at, .size = size, .domains = count};
    domains->at += size * count;
    return true;
}

/* ad_aggregate.c:213: equal domains, the last one cut */
static bool next_even(counts_domains *domains, counts_run *run_p)
{
    uint64_t left = domains->end + 1 - domains->at;

    if (left == 0)
        return false;
    if (left >= domains->size)
        return emit(domains, domains->size, left / domains->size, run_p);
    return emit(domains, left, 1, run_p);
}

/* ad_aggregate.c:185: domains end at the nearest multiple of the striping unit */
static uint64_t aligned_end(const counts_domains *domains, uint64_t index)
{
    uint64_t end = domains->start + domains->size * (index + 1);
    uint64_t front = end % domains->unit, back = domains->unit - front;

    return front < back ? end - front : end + back;
}

static bool next_aligned(counts_domains *domains, counts_run *run_p)
{
    uint64_t size = 0, count = 0, at = domains->at;

    for (; domains->index < domains->count; domains->index++) {
        uint64_t end = domains->end + 1;
        if (domains->index < domains->count - 1)
            end = counts_min(aligned_end(domains, domains->index), end);
        if (end <= domains->at)
            continue;
        if (count > 0 && end - domains->at != size)
            break;
        size = end - domains->at;
        count++;
        domains->at = end;
    }
    *run_p = (counts_run){.start = at, .size = size, .domains = count};
    return count > 0;
}

static bool aligned_at(const counts_domains *domains, uint64_t index, counts_run *run_p)
{
    uint64_t start = domains->start, end = domains->end + 1;

    if (index > 0)
        start = counts_min(counts_max(start, aligned_end(domains, index - 1)), end);
    if (index < domains->count - 1)
        end = counts_min(aligned_end(domains, index), end);
    if (end <= start)
        return false;
    *run_p = (counts_run){.start = start, .size = end - start, .domains = 1};
    return true;
}

/* index + 1 of the last domain that ends at the multiple `at` of the unit or
 * before, 0 if none does */
static uint64_t aligned_until(const counts_domains *domains, uint64_t at)
{
    uint64_t limit = at + (domains->unit - 1) / 2; /* rounded down to at */

    return limit < domains->start
               ? 0
               : counts_min((limit - domains->start) / domains->size, domains->count - 1);
}

/* Stages: the first domain, those with the larger and those with the smaller of
 * the two sizes that multiples of the unit leave, the last one. */
static bool next_sorted(counts_domains *domains, counts_run *run_p)
{
    uint64_t unit = domains->unit, end = domains->end + 1;
    uint64_t none = aligned_until(domains, domains->start / unit * unit);
    uint64_t until = aligned_until(domains, domains->end / unit * unit);
    uint64_t small = domains->size / unit * unit;

    if (domains->at == end)
        return false;
    if (until <= none) /* no boundary inside */
        return emit(domains, end - domains->at, 1, run_p);
    uint64_t first = aligned_end(domains, none), last = aligned_end(domains, until - 1);
    uint64_t inner = until - none - 1, large = (last - first - inner * small) / unit;

    switch (domains->index++) {
        case 0:
            return emit(domains, first - domains->at, 1, run_p);
        case 1:
            if (large != 0)
                return emit(domains, small + unit, large, run_p);
            /* fall through */
        case 2:
            domains->index = 3;
            if (small != 0 && inner > large)
                return emit(domains, small, inner - large, run_p);
            /* fall through */
        default:
            return emit(domains, end - domains->at, 1, run_p);
    }
}

/* ADIOI_Calc_file_domains */
static counts_domains generic_domains(const atm_access *access, const atm_config *config)
{
    counts_domains domains = {.next = next_even,
                              .start = access->start,
                              .end = access->end,
                              .at = access->start,
                              .count = (uint64_t) config->aggregators,
                              .unit = config->stripe_size};

    if (access->bytes == 0)
        return domains;
    domains.size = counts_ceil(access->end - access->start + 1, domains.count);
    if (domains.unit == 0 ||
        (domains.start % domains.unit == 0 && domains.size % domains.unit == 0))
        return domains;
    domains.next = next_aligned;
    if (domains.count > COUNTS_VISITED && !counts_use_pieces(access, config->buffer)) {
        domains.next = next_sorted;
        if (domains.size >= domains.unit) /* else a unit each, in any order */
            domains.at_index = aligned_at;
    }
    return domains;
}

atm_status counts_generic_rounds(const atm_job *job, const atm_access *access,
                                 const atm_config *config, atm_counts *counts)
{
    counts_tally tally;
    atm_status status =
        counts_tally_domains(generic_domains(access, config), job, access, config->buffer, &tally);

    if (status != ATM_OK)
        return status;
    counts_add_collective(counts, job, ATM_ALLGATHER, ATM_PARTITIONING, 2, 8);
    counts_add_collective(counts, job, ATM_ALLTOALL, ATM_PARTITIONING, 1, counts_number(job));
    counts_add_requests(counts, job, access, &tally);
    counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 1, 4);
    counts_add_collective(counts, job, ATM_ALLTOALL, ATM_SHUFFLE, tally.rounds, counts_number(job));
    counts_add_rounds(counts, job, access, config, &tally);
    counts->memory_per_node = counts_memory(job, config, 0, 0);
    return ATM_OK;
}

static atm_status count(atm_driver driver, const atm_job *job, const atm_access *access,
                        const atm_config *config, atm_counts *counts)
{
    atm_status status = counts_generic_rounds(job, access, config, counts);

    (void) driver;
    if (status == ATM_OK)
        counts_add_farewell(counts, job, config);
    return status;
}

const atm_count_model counts_generic = {
    .name = "generic",
    .summary = "two-phase writes of UFS and NFS",
    .drivers = 1u << ATM_UFS | 1u << ATM_NFS,
    .collective = true,
    .write = true,
    .count = count,
};
