/* Cost items, and the fields of atm_counts that follow from them. */

#include "counts_inside.h"

#include <math.h>

static void add(atm_counts *counts, atm_operation operation, atm_part part, double count,
                const double features[ATM_FEATURE_COUNT])
{
    if (counts->item_count == ATM_MAX_COST_ITEMS) /* no model has as many */
        return;
    atm_cost_item *item = &counts->items[counts->item_count++];

    item->operation = operation;
    item->part = part;
    item->count = count;
    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        item->features[i] = features[i];
    item->features[ATM_FAR] = item->features[ATM_LINK] = item->features[ATM_UPLINK] =
        1; /* counts_set_far */
    item->moved = 0;
    item->slowness = 0;
}

void counts_add_collective(atm_counts *counts, const atm_job *job, atm_operation operation,
                           atm_part part, uint64_t count, double bytes)
{
    if (count == 0)
        return;
    add(counts, operation, part, (double) count,
        (double[ATM_FEATURE_COUNT]){[ATM_NODES] = job->nodes,
                                    [ATM_PER_NODE] = (double) job->ranks / job->nodes,
                                    [ATM_SENDERS] = job->ranks,
                                    [ATM_RECEIVERS] = job->ranks,
                                    [ATM_BYTES] = bytes,
                                    [ATM_STRIPES] = 1,
                                    [ATM_MESSAGES] = 1});
    if (operation == ATM_ALLREDUCE)
        counts->allreduces += count;
    else if (operation == ATM_ALLGATHER)
        counts->allgathers += count;
    else if (operation == ATM_ALLTOALL)
        counts->alltoalls += count;
    else if (operation == ATM_BCAST)
        counts->bcasts += count;
}

/* Ranks with nothing to send or receive are not counted: calibration measures
 * an exchange between all ranks of a group and some of them. */
void counts_add_exchange(atm_counts *counts, const atm_job *job, atm_part part, double count,
                         double senders, double receivers, double messages, double bytes)
{
    double ranks = senders > receivers ? senders : receivers;
    double nodes = ranks < job->nodes ? ranks : job->nodes;

    add(counts, ATM_EXCHANGE, part, count,
        (double[ATM_FEATURE_COUNT]){[ATM_NODES] = nodes,
                                    [ATM_PER_NODE] = ranks / nodes,
                                    [ATM_SENDERS] = senders,
                                    [ATM_RECEIVERS] = receivers,
                                    [ATM_BYTES] = bytes,
                                    [ATM_STRIPES] = 1,
                                    [ATM_MESSAGES] = messages});
}

void counts_add_storage(atm_counts *counts, const atm_job *job, double servers,
                        atm_operation operation, double count, double ranks, double bytes)
{
    if (count <= 0)
        return;
    add(counts, operation, ATM_STORAGE, count,
        (double[ATM_FEATURE_COUNT]){[ATM_NODES] = job->nodes,
                                    [ATM_PER_NODE] = ranks / job->nodes,
                                    [ATM_SENDERS] = job->ranks,
                                    [ATM_RECEIVERS] = ranks,
                                    [ATM_BYTES] = bytes,
                                    [ATM_STRIPES] = servers,
                                    [ATM_MESSAGES] = 1});
    counts->items[counts->item_count - 1].moved = ranks * bytes;
}

void counts_add_requests(atm_counts *counts, const atm_job *job, const atm_access *access,
                         const counts_tally *tally)
{
    counts->request_messages = tally->requests;
    counts->request_bytes = counts_product(16, tally->request_pieces);
    if (tally->requests != 0)
        counts_add_exchange(counts, job, ATM_PARTITIONING, 1, access->active_ranks,
                            (double) tally->domains, (double) tally->requests,
                            (double) counts->request_bytes / (double) tally->requests);
}

static void add_data(atm_counts *counts, const atm_job *job, const atm_access *access,
                     uint64_t rounds, const counts_windows *sum)
{
    if (rounds == 0 || sum->messages == 0)
        return;
    double messages = (double) sum->messages / (double) rounds;
    double ranks = messages < access->active_ranks ? messages : access->active_ranks;
    double aggregators = (double) sum->windows / (double) rounds;

    counts_add_exchange(counts, job, ATM_SHUFFLE, (double) rounds,
                        access->write ? ranks : aggregators, access->write ? aggregators : ranks,
                        messages, (double) sum->data / (double) sum->messages);
}

/* What rounds of the same size have in common. */
typedef struct round_size {
    double servers, ranks;
    double bytes; /* of the rank that accesses most, */
    double moved; /* and of all */
} round_size;

static void add_access(atm_counts *counts, const atm_job *job, atm_operation operation,
                       uint64_t rounds, const round_size *size)
{
    if (rounds == 0)
        return;
    counts_add_storage(counts, job, size->servers, operation, (double) rounds, size->ranks,
                       size->bytes);
    counts->items[counts->item_count - 1].moved = size->moved;
}

/* *first_p: the first round is still to come, and differs from the others. */
static void add_accesses(atm_counts *counts, const atm_job *job, const atm_access *access,
                         double servers, atm_operation operation, uint64_t rounds,
                         const counts_windows *sum, uint64_t slowest, bool *first_p)
{
    round_size size = {.servers = servers};

    if (rounds == 0 || sum->windows == 0)
        return;
    rounds = counts_min(rounds, sum->windows); /* others are without data */
    size.ranks = (double) sum->windows / (double) rounds;
    size.moved = (double) sum->bytes / (double) rounds;
    size.bytes = fmax((double) sum->bytes / (double) sum->windows,
                      (double) slowest / (double) rounds); /* 0: all are about the same */
    if (*first_p) {
        add_access(counts, job, access->write ? ATM_WRITE_FIRST : ATM_READ_FIRST, 1, &size);
        *first_p = false;
        rounds--;
    }
    add_access(counts, job, operation, rounds, &size);
}

static void add_sieve(atm_counts *counts, const atm_job *job, const atm_config *config,
                      const counts_tally *tally)
{
    if (tally->sieve != 0)
        counts_add_storage(counts, job, counts_targets(config), ATM_READ_FULL,
                           (double) tally->rounds, (double) tally->sieve / (double) tally->rounds,
                           (double) tally->sieve_bytes / (double) tally->sieve);
}

static void set_fields(atm_counts *counts, const counts_tally *tally)
{
    counts->exact_accesses = tally->exact_accesses;
    counts->exact_messages = tally->exact_messages;
    counts->rounds = tally->rounds;
    counts->full_rounds = tally->full_rounds;
    counts->partial_rounds = tally->rounds - tally->full_rounds;
    counts->domains = (int) tally->domains;
    counts->bytes_per_aggregator = tally->domain_max;
    counts->accesses = tally->all.windows;
    counts->access_bytes = tally->all.bytes;
    counts->access_min = tally->all.windows != 0 ? tally->window_min : 0;
    counts->access_max = tally->window_max;
    counts->sieve_accesses = tally->sieve;
    counts->sieve_bytes = tally->sieve_bytes;
    counts->data_messages = tally->all.messages;
    counts->data_bytes = tally->all.data;
}

void counts_add_rounds(atm_counts *counts, const atm_job *job, const atm_access *access,
                       const atm_config *config, const counts_tally *tally)
{
    const counts_windows *full = &tally->full, *all = &tally->all;
    const counts_windows partial = {.windows = all->windows - full->windows,
                                    .bytes = all->bytes - full->bytes,
                                    .data = all->data - full->data,
                                    .messages = all->messages - full->messages};
    const double servers = tally->servers > 0 ? tally->servers : counts_targets(config);
    bool first = access->new_file;

    set_fields(counts, tally);
    add_data(counts, job, access, counts->full_rounds, full);
    add_data(counts, job, access, counts->partial_rounds, &partial);
    add_accesses(counts, job, access, servers, access->write ? ATM_WRITE_FULL : ATM_READ_FULL,
                 counts->full_rounds, full, tally->slowest, &first);
    add_accesses(counts, job, access, tally->servers_partial > 0 ? tally->servers_partial : servers,
                 access->write ? ATM_WRITE_PARTIAL : ATM_READ_PARTIAL, counts->partial_rounds,
                 &partial, tally->slowest_partial, &first);
    add_sieve(counts, job, config, tally);
}

void counts_add_farewell(atm_counts *counts, const atm_job *job, const atm_config *config)
{
    counts_add_collective(counts, job, config->aggregators == 1 ? ATM_BCAST : ATM_ALLREDUCE,
                          ATM_SHUFFLE, 1, 4);
}

uint64_t counts_memory(const atm_job *job, const atm_config *config, uint64_t writers,
                       uint64_t per_writer)
{
    uint64_t nodes = (uint64_t) job->nodes;

    return counts_ceil((uint64_t) config->aggregators, nodes) * config->buffer +
           counts_ceil(writers, nodes) * per_writer;
}
