/* What the unit tests of autotune-calibrate share. */

#ifndef HELP_H
#define HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "calibrate/plan.h"

#define ALL ((1u << ATM_OPERATION_COUNT) - 1)
#define HELP_MIB (UINT64_C(1) << 20)

/* nodes of 8 ranks each, up to 64 */
static inline plan_job job_of(int nodes)
{
    static int ranks_of[64];

    for (int i = 0; i < 64; i++)
        ranks_of[i] = 8;
    return (plan_job){.ranks = 8 * nodes,
                      .nodes = nodes,
                      .ranks_of = ranks_of,
                      .driver = ATM_UFS,
                      .block = 4096,
                      .servers = 1,
                      .memory = 1024 * HELP_MIB,
                      .disk = 1024 * HELP_MIB * (uint64_t) nodes,
                      .only = ALL,
                      .seed = 1};
}

static inline plan plan_of(const plan_job *job)
{
    plan made;

    assert_int_equal(plan_make(job, &made), ATM_OK);
    return made;
}

#endif /* HELP_H */
