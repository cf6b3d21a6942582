/* Choice: hints, memory, training range, ties and modes one by one. */

#include "choose_help.h"

#include <math.h>

static atm_choice *choose_among(atm_request *request, const atm_config *configs,
                                const atm_counts *counts, int count, const atm_profile *profile)
{
    request->among = configs;
    request->among_counts = counts;
    request->among_count = count;
    return choose(request, profile);
}

/* --- defaults */

static void default_configurations(void **state)
{
    atm_profile *profile = simple_profile(1e-3, 1e-9, 0.1);
    atm_job job = {.ranks = 64, .nodes = 8};
    atm_config ufs = atm_default_config(ATM_UFS, &job, profile);
    atm_config gpfs = atm_default_config(ATM_GPFS, &job, profile);
    atm_config lustre = atm_default_config(ATM_LUSTRE, &job, profile);

    (void) state;
    assert_int_equal(ufs.aggregators, 8);
    assert_int_equal(ufs.buffer, 16 * MIB);
    assert_true(ufs.collective && ufs.automatic);
    assert_true(gpfs.collective && !gpfs.automatic);
    assert_int_equal(gpfs.block, MIB);
    assert_int_equal(lustre.stripe_size, MIB);
    assert_int_equal(lustre.stripe_count, 1);
    assert_int_equal(lustre.co_ratio, 1);
    atm_profile_destroy(profile);
}

/* --- the optimum: every round costs the same, so one round is best */

static void fewest_rounds_win(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_GPFS, 8, 4, 64 * MIB, profile);
    atm_choice *choice;

    (void) state;
    request.fixed = 1u << ATM_FIX_COLLECTIVE;
    choice = choose(&request, profile);
    /* 2 GiB in one round: 256 MiB on each node, of how many ranks makes no
     * difference, so of few */
    assert_int_equal(chosen(choice)->rounds, 1);
    assert_int_equal(chosen(choice)->config.aggregators, 8);
    assert_int_equal(chosen(choice)->config.buffer, 256 * MIB);
    assert_true(choice->saved > choice->deviation);
    assert_true(choice->confidence > 0.9 && choice->confidence <= 1);
    assert_non_null(strstr(choice->reason.text, "predicted to save"));
    assert_non_null(strstr(choice->reason.text, " of the default's time (x0."));
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

static void independent_where_faster(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_GPFS, 8, 4, 64 * MIB, profile);
    atm_choice *choice = choose(&request, profile);

    (void) state;
    assert_false(chosen(choice)->config.collective);
    assert_true(chosen(choice)->prediction.seconds == 1);
    atm_choice_destroy(choice);

    /* interleaved pieces would be sieved under locks */
    request.access.strided = request.access.interleaved = true;
    request.access.block = MIB;
    request.access.stride = 8 * MIB;
    choice = choose(&request, profile);
    for (int i = 1; i < choice->count; i++)
        assert_true(choice->candidates[i].config.collective);
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

/* All take the same time: fewest rounds, least memory, fewest aggregators. */
static void ties(void **state)
{
    atm_profile *profile = simple_profile(1e-9, 1e-9, 0.1);
    atm_request request = request_for(ATM_GPFS, 8, 4, MIB, profile);
    atm_choice *choice;

    (void) state;
    request.mode = ATM_ENABLE;
    request.fixed = 1u << ATM_FIX_COLLECTIVE;
    request.whole = true;
    choice = choose(&request, profile);
    assert_int_equal(chosen(choice)->rounds, 1);
    for (int i = 0; i < choice->count; i++) {
        const atm_candidate *other = &choice->candidates[i];

        assert_true(other->rounds > 1 || other->verdict != ATM_ALLOWED ||
                    other->memory_per_node > chosen(choice)->memory_per_node ||
                    (other->memory_per_node == chosen(choice)->memory_per_node &&
                     other->config.aggregators >= chosen(choice)->config.aggregators));
    }
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

/* --- modes */

static void uncertain_gain(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 5);
    atm_request request = request_for(ATM_GPFS, 8, 4, 64 * MIB, profile);
    atm_choice *choice = choose(&request, profile);

    (void) state;
    assert_int_equal(choice->chosen, 0);
    assert_int_not_equal(choice->best, 0);
    assert_non_null(strstr(choice->reason.text, "the probability of taking"));
    atm_choice_destroy(choice);
    request.mode = ATM_ENABLE;
    choice = choose(&request, profile);
    assert_int_equal(choice->chosen, choice->best);
    assert_int_not_equal(choice->chosen, 0);
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

static void default_is_best(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_UFS, 8, 4, 64 * MIB, profile);
    atm_choice *choice = choose(&request, profile);

    (void) state;
    assert_int_equal(choice->chosen, 0); /* independent, as nothing interleaves */
    assert_string_equal(choice->reason.text, "the default is the fastest allowed configuration, "
                                             "or ties with it and is smaller");
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

static void nothing_left_to_choose(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_GPFS, 8, 4, 64 * MIB, profile);
    atm_choice *choice;

    (void) state;
    request.fixed = (1u << ATM_FIX_COUNT) - 1;
    choice = choose(&request, profile);
    assert_int_equal(choice->count, 1);
    assert_string_equal(choice->reason.text,
                        "there is nothing to choose: romio_cb_write, cb_nodes, cb_buffer_size, "
                        "striping_unit, striping_factor, romio_lustre_co_ratio are set");
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

static void idle_ranks(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_UFS, 8, 4, 64 * MIB, profile);
    atm_choice *choice;

    (void) state;
    request.fixed = 1u << ATM_FIX_COLLECTIVE;
    request.access = contiguous(3, 64 * MIB); /* of 32 */
    choice = choose(&request, profile);
    assert_int_equal(choice->count, 1);
    assert_string_equal(choice->reason.text,
                        "there is nothing to choose: some ranks access nothing");
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

/* --- memory */

static void cap_of_the_user(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_GPFS, 8, 4, 64 * MIB, profile);
    atm_choice *choice;

    (void) state;
    request.memory = 16 * MIB; /* the default takes 4 x 16 MiB and more */
    choice = choose(&request, profile);
    assert_int_equal(choice->candidates[0].verdict, ATM_OVER_MEMORY);
    assert_int_not_equal(choice->chosen, 0);
    assert_true(chosen(choice)->memory_per_node <= 16 * MIB);
    assert_non_null(strstr(choice->reason.text, "the default exceeds"));
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

static void cap_against_hint(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_GPFS, 8, 4, 64 * MIB, profile);
    atm_choice *choice = NULL;

    (void) state;
    request.memory = 16 * MIB;
    request.fixed = 1u << ATM_FIX_BUFFER;
    assert_int_equal(atm_choose(&request, profile, &choice), ATM_NO_CHOICE);
    assert_null(choice);
    atm_profile_destroy(profile);
}

/* The profile's cap does not take a hint away, nor what hangs on it. */
static void cap_of_the_profile(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_GPFS, 8, 4, 64 * MIB, profile);
    atm_choice *choice;

    (void) state;
    profile->defaults.memory = MIB;
    request.fixed = 1u << ATM_FIX_BUFFER | 1u << ATM_FIX_COLLECTIVE;
    request.defaults.buffer = 64 * MIB;
    choice = choose(&request, profile);
    assert_int_equal(choice->memory, choice->candidates[0].memory_per_node);
    for (int i = 0; i < choice->count; i++)
        assert_int_equal(choice->candidates[i].config.buffer, 64 * MIB);
    assert_true(choice->count > 1);
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

/* --- training range: per_node up to 2 */

static void training_range(void **state)
{
    static const char text[] =
        "{\"format\": \"romio-autotune-profile\", \"version\": 1, \"machine\": {},"
        " \"operations\": {"
        "\"write_first\": {\"model\": \"const\", \"features\": [\"per_node\"], \"min\": [0],"
        " \"max\": [2], \"error\": 0.1, \"parameters\": {\"output\": 1}},"
        "\"write_partial\": {\"model\": \"const\", \"features\": [\"per_node\"], \"min\": [0],"
        " \"max\": [2], \"error\": 0.1, \"parameters\": {\"output\": 1}},"
        "\"write_full\": {\"model\": \"const\", \"features\": [\"per_node\"], \"min\": [0],"
        " \"max\": [2], \"error\": 0.1, \"parameters\": {\"output\": 1}}}}";
    atm_profile *profile = profile_of(text);
    atm_request request = request_for(ATM_GPFS, 8, 16, 64 * MIB, profile);
    atm_choice *choice;
    int beyond = 0;

    (void) state;
    request.mode = ATM_ENABLE;
    request.fixed = 1u << ATM_FIX_COLLECTIVE;
    request.whole = true;
    choice = choose(&request, profile);
    for (int i = 0; i < choice->count; i++) {
        const atm_candidate *candidate = &choice->candidates[i];

        if (candidate->config.aggregators > 16 && candidate->verdict != ATM_OVER_MEMORY) {
            assert_int_equal(candidate->verdict, ATM_OUT_OF_RANGE);
            beyond++;
        }
    }
    assert_true(beyond > 0);
    assert_true(chosen(choice)->config.aggregators <= 16);
    atm_choice_destroy(choice);

    request.defaults.aggregators = 64; /* the user is outside already */
    choice = choose(&request, profile);
    for (int i = 0; i < choice->count; i++)
        assert_true(choice->candidates[i].verdict != ATM_OUT_OF_RANGE ||
                    choice->candidates[i].config.aggregators > 64);
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

/* --- candidates */

static bool has(const atm_choice *choice, int aggregators)
{
    for (int i = 0; i < choice->count; i++)
        if (choice->candidates[i].config.aggregators == aggregators)
            return true;
    return false;
}

static void candidates_of_the_paper(void **state)
{
    atm_profile *profile = simple_profile(1e-3, 1e-9, 0.1);
    atm_request request = request_for(ATM_GPFS, 512, 16, 64 * MIB, profile);
    atm_choice *choice;

    (void) state;
    request.psets = 16;
    request.bridges = 32;
    request.nics = 3;
    choice = choose(&request, profile);
    assert_true(has(choice, 160 - 64)); /* equation 2 with 2 beside each bridge */
    assert_true(has(choice, 160));      /* 4 */
    assert_true(has(choice, 544));      /* 16 */
    assert_true(has(choice, 2080));     /* 64 */
    assert_true(has(choice, 1));
    assert_true(has(choice, 64));   /* every eighth node */
    assert_true(has(choice, 1536)); /* one for each network card */
    assert_true(has(choice, 8192));
    assert_false(has(choice, 8193));
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

static void bad_requests(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request good = request_for(ATM_GPFS, 8, 4, MIB, profile), bad;
    atm_choice *choice = NULL;

    (void) state;
    bad = good;
    bad.job.nodes = 0;
    assert_int_equal(atm_choose(&bad, profile, &choice), ATM_BAD_ARGUMENT);
    bad = good;
    bad.job.nodes = 33;
    assert_int_equal(atm_choose(&bad, profile, &choice), ATM_BAD_ARGUMENT);
    bad = good;
    bad.driver = ATM_DRIVER_COUNT;
    assert_int_equal(atm_choose(&bad, profile, &choice), ATM_BAD_ARGUMENT);
    bad = good;
    bad.defaults.aggregators = 33;
    assert_int_equal(atm_choose(&bad, profile, &choice), ATM_BAD_ARGUMENT);
    bad = good;
    bad.access.start = bad.access.end + 1;
    assert_int_equal(atm_choose(&bad, profile, &choice), ATM_BAD_ARGUMENT);
    assert_null(choice);
    atm_choice_destroy(NULL);
    atm_profile_destroy(profile);
}

/* The caller's own configurations with the caller's counts: here the slow one is counted as if it
 * were the fast one. */
static void given_configurations(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_GPFS, 8, 4, 64 * MIB, profile);
    atm_config configs[3] = {request.defaults, request.defaults, request.defaults};
    atm_counts counts[3];
    atm_choice *choice;

    (void) state;
    configs[1].aggregators = 1;
    configs[2].buffer = 64 * MIB;
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            atm_count(NULL, request.driver, &request.job, &request.access, &configs[i], &counts[i]),
            ATM_OK);
    choice = choose_among(&request, configs, counts, 3, profile);
    assert_int_equal(choice->count, 3);
    assert_int_equal(choice->chosen, 2);
    atm_choice_destroy(choice);
    choice = choose_among(&request, configs, counts, 2, profile);
    assert_int_equal(choice->chosen, 0);
    atm_choice_destroy(choice);
    counts[1] = counts[2];
    choice = choose_among(&request, configs, counts, 2, profile);
    assert_int_equal(chosen(choice)->config.aggregators, 1);
    atm_choice_destroy(choice);
    request.among_count = 0;
    assert_int_equal(atm_choose(&request, profile, &choice), ATM_BAD_ARGUMENT);
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_configurations),   cmocka_unit_test(fewest_rounds_win),
        cmocka_unit_test(independent_where_faster), cmocka_unit_test(ties),
        cmocka_unit_test(uncertain_gain),           cmocka_unit_test(default_is_best),
        cmocka_unit_test(nothing_left_to_choose),   cmocka_unit_test(idle_ranks),
        cmocka_unit_test(cap_of_the_user),          cmocka_unit_test(cap_against_hint),
        cmocka_unit_test(cap_of_the_profile),       cmocka_unit_test(training_range),
        cmocka_unit_test(candidates_of_the_paper),  cmocka_unit_test(bad_requests),
        cmocka_unit_test(given_configurations),
    };

    return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
