/* Accesses and configurations for the tests of operation counts. */

#ifndef COUNTS_HELP_H
#define COUNTS_HELP_H

#include "counts/counts.h"

/* Every rank writes `bytes`, one after the other, as in the paper. */
static inline atm_access ior(int ranks, uint64_t bytes)
{
    return (atm_access){.write = true,
                        .new_file = true,
                        .active_ranks = ranks,
                        .bytes_min = bytes,
                        .bytes_max = bytes,
                        .bytes = bytes * (uint64_t) ranks,
                        .end = bytes * (uint64_t) ranks - 1,
                        .block = bytes};
}

static inline atm_config two_phase(int aggregators, uint64_t buffer)
{
    return (atm_config){
        .collective = true, .aggregators = aggregators, .buffer = buffer, .stripe_count = 1};
}

#endif /* COUNTS_HELP_H */
