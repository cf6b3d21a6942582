/*
 * How memory grows with the number of ranks: what topology, choice and placement
 * allocate for 16 times the ranks is at most 16 times as much, in about as many
 * pieces, and few bytes for each rank.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "scale_help.h"

enum { RANKS = 4096, TIMES = 16, PER_NODE = 16 };

static char conf[] = "/tmp/test_scale.XXXXXX";

/* Bytes at the most and allocations of each step */
typedef struct growth {
    size_t topology, choice, placement;
    long pieces;
} growth;

static size_t peak_since(size_t before)
{
    size_t bytes = peak - before;

    peak = live;
    return bytes;
}

static atm_topology *topology_of(const scale_job *job, bool slurm)
{
    atm_job_place place = {.ranks = job->ranks, .host = job->host};
    atm_topology *topology = NULL;
    atm_message reason;
    atm_where where;

    place.slurm_conf_topology = slurm ? conf : NULL;
    assert_int_equal(atm_topology_of_job(&place, &reason, &where, &topology), ATM_OK);
    assert_int_equal(where, slurm ? ATM_WHERE_SLURM : ATM_WHERE_NAMES);
    return topology;
}

/* With as many aggregators as there are nodes, or ranks. */
static growth grow(int ranks, bool dealt, bool slurm, bool all, atm_driver driver)
{
    atm_profile *profile = NULL;
    atm_topology *topology;
    atm_choice *choice;
    atm_request request;
    scale_job job = {.ranks = 0};
    growth found;
    size_t before;
    int *list;

    assert_true(scale_job_make(ranks, PER_NODE, dealt, &job) && scale_job_write(&job, conf));
    list = __real_malloc((size_t) ranks * sizeof(*list));
    assert_int_equal(atm_profile_generic(NULL, &profile), ATM_OK);
    allocations = 0;
    peak = before = live;
    topology = topology_of(&job, slurm);
    found.topology = peak_since(before);
    before = live;
    request = scale_request(driver, topology, profile);
    atm_request_set_topology(&request, topology);
    assert_int_equal(atm_choose(&request, profile, &choice), ATM_OK);
    found.choice = peak_since(before);
    before = live;
    assert_int_equal(atm_place(topology, atm_policy_at(0), all ? ranks : topology->nodes, list),
                     ATM_OK);
    found.placement = peak_since(before);
    found.pieces = allocations;
    atm_choice_destroy(choice);
    atm_topology_destroy(topology);
    atm_profile_destroy(profile);
    __real_free(list);
    scale_job_free(&job);
    return found;
}

/* Large allocations are rounded up to pages. */
static void check_growth(bool dealt, bool slurm, bool all, atm_driver driver)
{
    growth few = grow(RANKS, dealt, slurm, all, driver);
    growth many = grow(TIMES * RANKS, dealt, slurm, all, driver);

    assert_true(few.topology > 0 && few.choice > 0 && few.placement > 0);
    assert_in_range(many.topology, 1, TIMES * few.topology * 11 / 10);
    assert_in_range(many.placement, 1, TIMES * few.placement * 11 / 10);
    /* a few more candidates */
    assert_in_range(many.choice, 1, 2 * few.choice);
    /* by doubling */
    assert_in_range(many.pieces, 1, few.pieces + 16);
    /* small numbers for ranks, names for nodes */
    assert_in_range(many.topology, 1, TIMES * RANKS * 16);
    assert_in_range(many.placement, 1, TIMES * RANKS * 16);
}

static void by_names(void **state)
{
    (void) state;
    check_growth(false, false, false, ATM_UFS);
    check_growth(true, false, false, ATM_LUSTRE);
}

static void by_slurm(void **state)
{
    (void) state;
    check_growth(false, true, false, ATM_GPFS);
    check_growth(true, true, false, ATM_NFS);
}

static void all_ranks_aggregate(void **state)
{
    (void) state;
    check_growth(false, true, true, ATM_UFS);
}

static int start(void **state)
{
    int descriptor = mkstemp(conf);

    (void) state;
    return descriptor < 0 || close(descriptor) != 0;
}

static int end(void **state)
{
    (void) state;
    return unlink(conf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_names), cmocka_unit_test(by_slurm),
                                       cmocka_unit_test(all_ranks_aggregate)};

    return cmocka_run_group_tests_name("scale", tests, start, end);
}
