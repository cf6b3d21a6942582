/* Decisions that know which targets are busy. */

#include "choose_help.h"

#include <math.h>

enum { TARGETS = 16, NOW = 100 };

/* Targets whose bit is set are busy, three times as slow; usually a quarter of them is. */
static atm_state state_with(unsigned busy, atm_target targets[TARGETS])
{
    for (int i = 0; i < TARGETS; i++)
        targets[i] = (atm_target){.index = i,
                                  .usable = true,
                                  .said = NOW,
                                  .until = NOW + 300,
                                  .idle = busy >> i & 1 ? 0.02 : 0.98,
                                  .usual = 0.75,
                                  .paces = {atm_pace_of(1, 0.05), atm_pace_of(3, 0.05)}};
    return (atm_state){.said = NOW, .until = NOW + 300, .count = TARGETS, .targets = targets};
}

static atm_steering *steering_of(const atm_state *state)
{
    atm_steering *steering = NULL;

    assert_int_equal(atm_steering_create(state, NOW, 1, &steering), ATM_OK);
    return steering;
}

/* A new file over `stripes` targets, by default */
static atm_request new_file(const atm_profile *profile, int stripes, atm_steering *steering)
{
    atm_request request = request_for(ATM_LUSTRE, 16, 4, 64 * MIB, profile);

    request.new_layout = request.new_targets = true;
    request.defaults.stripe_count = stripes;
    request.steering = steering;
    return request;
}

static void busy_targets_are_avoided(void **state)
{
    atm_profile *profile = simple_profile(1e-6, 1e-9, 0.05);
    atm_target targets[TARGETS];
    atm_state known = state_with(0x1111, targets);
    atm_steering *steering = steering_of(&known);
    atm_request request = new_file(profile, 4, steering);
    atm_choice *choice = NULL;
    int picked[TARGETS];

    (void) state;
    assert_int_equal(atm_steering_targets(steering), 16);
    assert_int_equal(atm_steering_fast(steering), 12);
    /* 1 - 0.75^4 of all sets of four have a busy one */
    assert_float_equal(atm_steering_slowness(steering, 4, false), 1.05, 0.1);
    assert_float_equal(atm_steering_slowness(steering, 4, true), 0.45, 0.1);
    assert_int_equal(atm_choose(&request, profile, &choice), ATM_OK);
    assert_true(chosen(choice)->config.steered);
    assert_true(chosen(choice)->prediction.seconds <
                0.7 * choice->candidates[0].prediction.seconds);
    assert_int_equal(atm_steering_pick(steering, chosen(choice)->config.stripe_count, picked),
                     ATM_OK);
    for (int i = 0; i < chosen(choice)->config.stripe_count; i++)
        assert_int_not_equal(picked[i] % 4, 0);
    assert_non_null(strstr(choice->reason.text, ", on OSTs that are not busy (busy: 0, 4, 8, 12)"));
    atm_choice_destroy(choice);
    atm_steering_destroy(steering);
    atm_profile_destroy(profile);
}

/* Storage whose time is all that counts, and falls with the targets: 12 idle targets get three
 * stripes each, 4 busy ones one, but only if there are ranks enough to write all at once, and if
 * nobody objects. */
static void idle_targets_get_more(void **state)
{
    atm_profile *profile = simple_profile(1e-6, 1e-9, 0.05);
    atm_target targets[TARGETS];
    atm_state known = state_with(0x1111, targets);

    (void) state;
    for (int i = 0; i < 4; i++) {
        atm_steering *steering = steering_of(&known);
        atm_request request = new_file(profile, 4, steering);
        int repeated = 0, picked[40], on_first = 0;
        atm_choice *choice = NULL;

        request.repeats = i != 1;
        request.job.nodes = i == 2 ? 9 : 16; /* of 4 ranks */
        request.job.ranks = 4 * request.job.nodes;
        request.fixed = i == 3 ? 1u << ATM_FIX_STRIPE_COUNT : 0;
        request.access = contiguous(request.job.ranks, 64 * MIB);
        request.whole = true;
        assert_int_equal(atm_choose(&request, profile, &choice), ATM_OK);
        for (int k = 0; k < choice->count; k++) {
            const atm_config *config = &choice->candidates[k].config;

            if (config->servers == 0)
                continue;
            repeated++;
            assert_true(config->steered);
            assert_int_equal(config->stripe_count, 40);
            assert_int_equal(config->servers, 16);
            assert_int_equal(config->aggregators % 40, 0);
        }
        if (i > 0) {
            assert_int_equal(repeated, 0);
        } else {
            assert_true(repeated > 0);
            assert_int_equal(atm_steering_repeat_pick(steering, picked), ATM_OK);
            for (int k = 0; k < 40; k++)
                on_first += picked[k] == 0;
            assert_int_equal(on_first, 1);
            /* 3 GiB of 40 in 3 s, or in 9 s if one of twelve is busy, which one in fifty is;
             * 1 GiB of 16 in 3 s, usually */
            assert_float_equal(atm_steering_repeat_slowness(steering), 0.58, 0.02);
        }
        atm_choice_destroy(choice);
        atm_steering_destroy(steering);
    }
    atm_profile_destroy(profile);
}

static void few_words(void **state)
{
    atm_target targets[TARGETS];
    atm_state known = state_with(0xfffe, targets);
    atm_steering *steering = steering_of(&known);
    char text[64], small[32];

    (void) state;
    atm_steering_say_slow(steering, text, sizeof(text));
    assert_string_equal(text, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 and 1 more");
    atm_steering_say_slow(steering, small, sizeof(small));
    assert_string_equal(small, "1, 2, 3, 4, 5 and 10 more");
    atm_steering_destroy(steering);
}

/* Nothing else is free to choose, and nobody is busy: the default stays. */
static void nothing_to_gain(void **state)
{
    static const unsigned alike[] = {0, 0xffff};
    atm_profile *profile = simple_profile(1e-6, 1e-9, 0.05);

    (void) state;
    for (int i = 0; i < 2; i++) {
        atm_target targets[TARGETS];
        atm_state known = state_with(alike[i], targets);
        atm_steering *steering = steering_of(&known);
        atm_request request = new_file(profile, 4, steering);
        atm_choice *choice = NULL;

        request.fixed = 1u << ATM_FIX_STRIPE_COUNT | 1u << ATM_FIX_STRIPE_SIZE |
                        1u << ATM_FIX_AGGREGATORS | 1u << ATM_FIX_BUFFER | 1u << ATM_FIX_CO_RATIO |
                        1u << ATM_FIX_COLLECTIVE;
        assert_int_equal(atm_choose(&request, profile, &choice), ATM_OK);
        assert_int_equal(choice->chosen, 0);
        atm_choice_destroy(choice);
        atm_steering_destroy(steering);
    }
    atm_profile_destroy(profile);
}

/* The user has named the first target, or the file has its layout already. */
static void targets_are_given(void **state)
{
    atm_profile *profile = simple_profile(1e-6, 1e-9, 0.05);
    atm_target targets[TARGETS];
    atm_state known = state_with(0x1111, targets);
    atm_steering *steering = steering_of(&known);

    (void) state;
    for (int i = 0; i < 2; i++) {
        atm_request request = new_file(profile, 4, steering);
        atm_choice *choice = NULL;

        *(i == 0 ? &request.new_targets : &request.new_layout) = false;
        assert_int_equal(atm_choose(&request, profile, &choice), ATM_OK);
        for (int k = 0; k < choice->count; k++)
            assert_false(choice->candidates[k].config.steered);
        atm_choice_destroy(choice);
    }
    atm_steering_destroy(steering);
    atm_profile_destroy(profile);
}

/* As usual: what it is without a state. */
static void as_without(void **state)
{
    atm_profile *profile = simple_profile(1e-6, 1e-9, 0.05);
    atm_request request = new_file(profile, 4, NULL);
    atm_choice *one = NULL, *other = NULL;
    atm_target targets[TARGETS];
    atm_state known = state_with(0, targets);
    atm_steering *steering;

    (void) state;
    for (int i = 0; i < TARGETS; i++)
        targets[i].idle = targets[i].usual;
    steering = steering_of(&known);
    request.driver = ATM_UFS;
    request.new_layout = false;
    assert_int_equal(atm_choose(&request, profile, &one), ATM_OK);
    request.steering = steering;
    assert_int_equal(atm_choose(&request, profile, &other), ATM_OK);
    assert_int_equal(one->chosen, other->chosen);
    assert_float_equal(chosen(one)->prediction.seconds, chosen(other)->prediction.seconds, 1e-12);
    atm_choice_destroy(one);
    atm_choice_destroy(other);
    atm_steering_destroy(steering);
    atm_profile_destroy(profile);
}

/* Storage that is three times as slow is so in the prediction. */
static void busy_storage_is_slow(void **state)
{
    atm_profile *profile = simple_profile(1e-6, 1e-9, 0.05);
    atm_request request = request_for(ATM_UFS, 16, 4, 64 * MIB, profile);
    atm_target target;
    atm_state known = {.said = NOW, .until = NOW + 300, .count = 1, .targets = &target};
    atm_counts before, after;
    atm_prediction usual, slow;

    (void) state;
    target = (atm_target){.usable = true,
                          .said = NOW,
                          .until = NOW + 300,
                          .idle = 0,
                          .usual = 1,
                          .paces = {atm_pace_of(1, 0.05), atm_pace_of(3, 0.05)}};
    assert_int_equal(atm_count_request(&request, &request.defaults, &before), ATM_OK);
    request.steering = steering_of(&known);
    assert_int_equal(atm_count_request(&request, &request.defaults, &after), ATM_OK);
    atm_predict_counts(profile, &before, NULL, INFINITY, &usual);
    atm_predict_counts(profile, &after, NULL, INFINITY, &slow);
    assert_float_equal(slow.parts[ATM_STORAGE] / usual.parts[ATM_STORAGE], 3, 1e-3);
    assert_true(slow.parts[ATM_SHUFFLE] == usual.parts[ATM_SHUFFLE]);
    atm_steering_destroy(request.steering);
    atm_profile_destroy(profile);
}

/* A file on two idle targets and on one that is busy is as slow as that; one on idle targets is
 * faster than usual.  What the state does not know does not count. */
static void a_file_has_targets(void **state)
{
    static const struct {
        int targets[4], stripes;
        double slowness;
        const char *words;
    } files[] = {{{1, 2, 4, 3},
                  4,
                  3 / 2.4,
                  "storage taking 1.2 times as long as usual (busy OSTs of the file: 4)"},
                 {{1, 2, 99, 3}, 4, 1.1 / 2.1, "storage taking 0.5 times as long as usual"},
                 {{1, 2, 1, 1}, 4, 2. / 4 * 3.1 / 1.9, "storage taking 0.8 times as long as usual"},
                 {{77, 78}, 2, 1, NULL}};
    atm_profile *profile = simple_profile(1e-6, 1e-9, 0.05);
    atm_target targets[TARGETS];
    atm_state known = state_with(0x1111, targets);

    (void) state;
    for (int i = 0; i < 4; i++) {
        atm_request request = new_file(profile, files[i].stripes, steering_of(&known));
        atm_choice *choice = NULL;

        request.new_layout = request.new_targets = false;
        assert_int_equal(atm_steering_settle(request.steering, files[i].targets, files[i].stripes),
                         ATM_OK);
        assert_float_equal(atm_steering_slowness(request.steering, files[i].stripes, false),
                           files[i].slowness, 0.12);
        assert_int_equal(atm_choose(&request, profile, &choice), ATM_OK);
        if (files[i].words == NULL)
            assert_null(strstr(choice->reason.text, "storage"));
        else if (strstr(choice->reason.text, files[i].words) == NULL)
            fail_msg("%s", choice->reason.text);
        atm_choice_destroy(choice);
        atm_steering_destroy(request.steering);
    }
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(busy_targets_are_avoided),
                                       cmocka_unit_test(idle_targets_get_more),
                                       cmocka_unit_test(few_words),
                                       cmocka_unit_test(nothing_to_gain),
                                       cmocka_unit_test(targets_are_given),
                                       cmocka_unit_test(as_without),
                                       cmocka_unit_test(busy_storage_is_slow),
                                       cmocka_unit_test(a_file_has_targets)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
