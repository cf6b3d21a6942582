/* What the tests of prediction, choice and explanation share: profiles with
 * invented costs, and requests. */

#ifndef CHOOSE_HELP_H
#define CHOOSE_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "choose/choose.h"

#define MIB (UINT64_C(1) << 20)

/* --- random numbers */

static uint64_t seed;

static inline uint64_t random_bits(void)
{
    seed ^= seed << 13; /* xorshift64 */
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static inline int random_below(int limit)
{
    return (int) (random_bits() % (uint64_t) limit);
}

/* 1 to 2^bits, all sizes alike */
static inline uint64_t random_size(int bits)
{
    uint64_t any = random_bits();

    return 1 + (any & ((UINT64_C(1) << random_below(bits + 1)) - 1));
}

/* --- profiles */

static inline atm_profile *profile_of(const char *text)
{
    atm_message message = {""};
    atm_profile *profile = NULL;

    if (atm_profile_parse(text, strlen(text), "invented", &message, &profile) != ATM_OK)
        fail_msg("%s", message.text);
    return profile;
}

/* Every operation costs `constant` seconds, those of storage also `byte` for each
 * byte of each rank: time grows with the work.  Ranges end at 1000 aggregators a
 * node. */
static inline atm_profile *simple_profile(double constant, double byte, double error)
{
    char text[8192], *end = text;

    end += sprintf(end, "{\"format\": \"romio-autotune-profile\", \"version\": 1,"
                        " \"machine\": {\"block\": 1048576, \"servers\": 16},"
                        " \"defaults\": {\"access_size\": 1048576, \"memory\": 1073741824},"
                        " \"operations\": {");
    for (int i = 0; i < ATM_TOUCH; i++) { /* which is part of first rounds here */
        end += sprintf(end,
                       "%s\"%s\": {\"features\": [\"per_node\", \"receivers\", \"bytes\"],"
                       "\"min\": [0, 0, 0], \"max\": [1000, 1e12, 1e18], \"error\": %.17g,",
                       i > 0 ? ", " : "", atm_operation_name((atm_operation) i), error);
        if (i < ATM_WRITE_FIRST)
            end += sprintf(end, "\"model\": \"const\", \"parameters\": {\"output\": %.17g}}",
                           constant);
        else
            end += sprintf(end,
                           "\"model\": \"linear\", \"parameters\": {\"intercept\": %.17g,"
                           "\"coefficients\": [0, 0, 0], \"products\": [[1, 2, %.17g]]}}",
                           constant, byte);
    }
    sprintf(end, "}}");
    return profile_of(text);
}

/* --- requests */

static inline atm_access contiguous(int ranks, uint64_t bytes)
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

static inline void make_strided(atm_access *access, uint64_t block)
{
    access->strided = access->interleaved = true;
    access->block = block;
    access->stride = block * (uint64_t) access->active_ranks;
}

static inline atm_request request_for(atm_driver driver, int nodes, int per_node, uint64_t bytes,
                                      const atm_profile *profile)
{
    atm_request request = {.driver = driver,
                           .job = {.ranks = nodes * per_node, .nodes = nodes},
                           .new_layout = true,
                           .psets = 1};

    request.access = contiguous(request.job.ranks, bytes);
    request.defaults = atm_default_config(driver, &request.job, profile);
    return request;
}

/* Any job, access and driver, with some hints of the user. */
static inline atm_request random_request(const atm_profile *profile)
{
    int nodes = (int) random_size(10), per_node = (int) random_size(6);
    atm_driver driver = (atm_driver) random_below(ATM_DRIVER_COUNT);
    atm_request request = request_for(driver, nodes, per_node, random_size(28), profile);

    request.mode = (atm_mode) random_below(ATM_MODE_COUNT);
    request.access.write = random_below(2);
    request.access.new_file = request.new_layout = request.access.write && random_below(2);
    if (request.job.ranks > 1 && random_below(2)) {
        uint64_t block = random_size(16);
        bool write = request.access.write, new_file = request.access.new_file;

        request.access = contiguous(request.job.ranks, block * (1 + random_size(10)));
        request.access.write = write;
        request.access.new_file = new_file;
        make_strided(&request.access, block);
    }
    request.psets = (int) random_size(4);
    request.bridges = random_below(3) * request.psets;
    request.nics = random_below(5);
    request.memory = random_below(2) ? random_size(36) : 0;
    request.defaults.stripe_count = request.driver == ATM_LUSTRE ? 1 + random_below(16) : 1;
    return request;
}

/* --- choices */

/* A choice that must succeed, of the default or the best. The caller's. */
atm_choice *choose(const atm_request *request, const atm_profile *profile);

static inline const atm_candidate *chosen(const atm_choice *choice)
{
    return &choice->candidates[choice->chosen];
}

#endif /* CHOOSE_HELP_H */
