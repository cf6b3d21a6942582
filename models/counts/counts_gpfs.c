/* Two-phase writes and reads of GPFS (ad_gpfs_wrcoll.c, ad_gpfs_rdcoll.c): domains
 * of whole blocks, data by alltoallv, offsets gathered by one allreduce (the
 * default of ROMIO_TUNEGATHER), and nobody waits at the end. */

#include "counts_inside.h"

#define DEFAULT_BLOCK 1048576 /* ad_gpfs_aggrs.c:213 */

/* ad_gpfs_aggrs.c:386: the first domains have a block more than the others.  The
 * first one starts, and the last one ends, with the access. */
static bool next_blocks(counts_domains *domains, counts_run *run_p)
{
    uint64_t left = domains->end + 1 - domains->at, last = domains->count - 1;
    uint64_t size = 0, count = 0;

    while (left > 0 && size == 0) {
        uint64_t index = domains->index;
        bool large = index < domains->large;
        count = 1;
        size = (domains->small + large) * domains->block;
        if (index >= last)
            size = left;
        else if (index == 0)
            size -= counts_min(size, domains->start % domains->block);
        else
            count = (large ? counts_min(domains->large, last) : last) - index;
        if (size > left)
            size = left;
        if (size != 0)
            count = counts_min(count, left / size);
        domains->index += count;
    }
    *run_p = (counts_run){.start = domains->at, .size = size, .domains = count};
    domains->at += size * count;
    return left > 0;
}

/* ADIOI_GPFS_Calc_file_domains.  Its upper bound mistakes the last byte for the
 * one after it: if that byte starts a block, the block is not counted, and the
 * byte goes to the last domain. */
static counts_domains gpfs_domains(const atm_access *access, const atm_config *config)
{
    uint64_t block = config->block != 0 ? config->block : DEFAULT_BLOCK;
    uint64_t blocks = counts_ceil(access->end, block) - access->start / block;
    uint64_t count = (uint64_t) config->aggregators;

    return (counts_domains){.next = next_blocks,
                            .start = access->start,
                            .end = access->end,
                            .at = access->start,
                            .count = count,
                            .block = block,
                            .small = blocks / count,
                            .large = blocks % count};
}

static uint64_t blocks_of(uint64_t bytes, uint64_t windows, uint64_t block)
{
    return windows > 0 ? counts_max(1, counts_ceil(bytes / windows, block)) : 1;
}

/* Only the first domains have data in partial rounds, as they are the larger ones. */
static void find_servers(const counts_domains *domains, uint64_t servers, counts_tally *tally)
{
    const counts_windows *full = &tally->full, *all = &tally->all;
    uint64_t partial = tally->rounds - tally->full_rounds;
    uint64_t windows = all->windows - full->windows;

    tally->servers = counts_servers_at_once(
        domains, tally->domains, blocks_of(full->bytes, full->windows, domains->block), servers);
    if (partial > 0)
        tally->servers_partial = counts_servers_at_once(
            domains, counts_ceil(windows, partial),
            blocks_of(all->bytes - full->bytes, windows, domains->block), servers);
}

static atm_status count(atm_driver driver, const atm_job *job, const atm_access *access,
                        const atm_config *config, atm_counts *counts)
{
    const counts_domains domains = gpfs_domains(access, config);
    counts_tally tally;
    atm_status status = counts_tally_domains(domains, job, access, config->buffer, &tally);

    (void) driver;
    if (status != ATM_OK)
        return status;
    if (config->servers > 0)
        find_servers(&domains, (uint64_t) config->servers, &tally);
    counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 1, 16.0 * job->ranks);
    counts_add_collective(counts, job, ATM_ALLTOALL, ATM_PARTITIONING, 1, counts_number(job));
    counts_add_requests(counts, job, access, &tally);
    counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 1, 4);
    counts_add_collective(counts, job, ATM_ALLTOALL, ATM_SHUFFLE, tally.rounds, counts_number(job));
    counts_add_rounds(counts, job, access, config, &tally);
    counts->alltoallvs = 1 + tally.rounds;
    /* the buffers, and what alltoallv receives: ad_gpfs_wrcoll.c:1531 */
    counts->memory_per_node =
        counts_memory(job, config, tally.domains, counts_min(config->buffer, tally.domain_max));
    return ATM_OK;
}

const atm_count_model counts_gpfs = {
    .name = "gpfs",
    .summary = "two-phase writes and reads of GPFS",
    .drivers = 1u << ATM_GPFS,
    .collective = true,
    .write = true,
    .read = true,
    .count = count,
};
