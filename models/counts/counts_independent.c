/*
 * No two-phase: every rank accesses the file itself.  One access if its bytes are
 * one piece.  If not, data sieving (ADIOI_GEN_WriteStrided, ADIOI_GEN_ReadStrided)
 * accesses the file in windows of a buffer, with what lies between the pieces;
 * writes read each window first and lock it meanwhile (ad_write_str.c:33), so
 * ranks whose pieces interleave proceed one after the other.
 */

#include "counts_inside.h"

#define READ_BUFFER 4194304 /* ind_rd_buffer_size, all drivers */
#define WRITE_BUFFER 524288 /* ind_wr_buffer_size */
#define GPFS_WRITE_BUFFER 4194304

static uint64_t sieve_buffer(atm_driver driver, const atm_access *access, const atm_config *config)
{
    if (!access->write)
        return READ_BUFFER;
    if (driver == ATM_GPFS)
        return GPFS_WRITE_BUFFER;
    if (driver == ATM_LUSTRE && config->stripe_size != 0) /* ad_lustre_wrstr.c:29 */
        return config->stripe_size;
    return WRITE_BUFFER;
}

/* Windows of a rank with pieces at equal distances, and the bytes they span. */
static uint64_t sieve_windows(const atm_access *access, uint64_t buffer, uint64_t *span_p)
{
    uint64_t range = access->end - access->start + 1;
    uint64_t pieces = counts_ceil(access->bytes_max, access->block);
    uint64_t stride = access->stride != 0 ? access->stride : counts_ceil(range, pieces);

    if (stride - counts_min(stride, access->block) >= buffer) { /* holes are left out */
        *span_p = access->bytes_max;
        return counts_product(pieces, counts_ceil(access->block, buffer));
    }
    *span_p =
        counts_min(pieces <= range / stride ? (pieces - 1) * stride + access->block : range, range);
    return counts_ceil(*span_p, buffer);
}

/* Offsets are gathered before it is known that two-phase I/O will not be used. */
static void add_gather(atm_driver driver, const atm_job *job, atm_counts *counts)
{
    if (driver == ATM_GPFS)
        counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 1, 16.0 * job->ranks);
    else
        counts_add_collective(counts, job, ATM_ALLGATHER, ATM_PARTITIONING, 2, 8);
}

static atm_status count(atm_driver driver, const atm_job *job, const atm_access *access,
                        const atm_config *config, atm_counts *counts)
{
    uint64_t active = (uint64_t) access->active_ranks, windows = active != 0;
    uint64_t bytes = access->bytes;

    if (config->automatic || config->by_size)
        add_gather(driver, job, counts);
    if (config->by_size) /* ad_lustre_aggregate.c:297 */
        counts_add_collective(counts, job, ATM_ALLREDUCE, ATM_PARTITIONING, 2, 8);
    if (access->strided) {
        windows = sieve_windows(access, sieve_buffer(driver, access, config), &bytes);
        bytes = counts_product(bytes, active);
    }
    counts->exact_accesses = counts->exact_messages = !access->strided;
    counts->rounds = windows;
    counts->full_rounds = windows;
    counts->domains = access->active_ranks;
    counts->accesses = counts_product(windows, active);
    counts->access_bytes = bytes;
    if (windows != 0) {
        double size = (double) bytes / (double) counts->accesses;
        bool in_turn = access->write && access->strided && access->interleaved;
        double times = in_turn ? (double) counts->accesses : (double) windows;
        double ranks = in_turn ? 1 : (double) active;
        double servers = access->strided ? 0 : counts_targets_of_pieces(access, config);

        if (servers == 0)
            servers = atm_servers_of_stripes((uint64_t) (size * ranks), config->stripe_size,
                                             counts_targets(config));
        counts_add_storage(counts, job, servers,
                           access->write ? ATM_WRITE_INDEPENDENT : ATM_READ_INDEPENDENT, times,
                           ranks, size);
        counts->access_min = access->strided ? bytes / counts->accesses : access->bytes_min;
        counts->access_max = access->strided ? counts->access_min : access->bytes_max;
        counts->bytes_per_aggregator = access->strided ? bytes / active : access->bytes_max;
        if (access->strided && access->write) {
            counts->sieve_accesses = counts->accesses;
            counts->sieve_bytes = bytes;
            counts_add_storage(counts, job, counts_targets(config), ATM_READ_INDEPENDENT, times,
                               ranks, size);
        }
    }
    counts->memory_per_node = counts_memory(job, config, 0, 0);
    return ATM_OK;
}

const atm_count_model counts_independent = {
    .name = "independent",
    .summary = "every rank accesses the file itself",
    .drivers = 1u << ATM_UFS | 1u << ATM_NFS | 1u << ATM_GPFS | 1u << ATM_LUSTRE,
    .write = true,
    .read = true,
    .count = count,
};
