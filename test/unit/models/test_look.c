/* Which calls are decided for, and what measured times make of the model's factors. */

#include "choose_help.h"

#include <math.h>

#include "decide/look.h"

/* A strided write of 8 ranks on two nodes, which the last decision was made for; two calls like it
 * took as long as predicted. */
typedef struct one {
    atm_situation situation;
    atm_past past;
    atm_profile *profile;
    atm_topology *topology;
    atm_scale scale;
} one;

static void set_up(one *one)
{
    atm_request *request = &one->situation.request;

    *one = (struct one){.profile = simple_profile(1e-4, 1e-9, 0.1), .scale = {{1, 1}, {0, 0}}};
    assert_int_equal(atm_topology_from_text("nodes:2 ranks:4", NULL, &one->topology), ATM_OK);
    *request = request_for(ATM_UFS, 2, 4, MIB, one->profile);
    make_strided(&request->access, 64 << 10);
    request->life.calls = 2;
    one->situation.topology = one->topology;
    one->situation.profile = one->profile;
    one->past = (atm_past){.access = request->access,
                           .config = request->defaults,
                           .calls = 2,
                           .parts = {0.25, 0.25, 1},
                           .uncertainty = 0.2,
                           .called = true,
                           .measured = {2, 3, 2}};
}

static atm_look look(one *one)
{
    return atm_look_at(&one->situation, &one->past, &one->scale);
}

static void tear_down(one *one)
{
    atm_topology_destroy(one->topology);
    atm_profile_destroy(one->profile);
}

static void calls_like_the_last_one_stand(void **state)
{
    one one;

    (void) state;
    set_up(&one);
    assert_int_equal(look(&one), ATM_STANDS);
    one.situation.request.access.bytes = one.past.access.bytes * 2; /* no more than twice */
    assert_int_equal(look(&one), ATM_STANDS);
    one.situation.request.access.bytes++;
    assert_int_equal(look(&one), ATM_DUE);
    one.situation.request.access = one.past.access;
    one.situation.request.access.write = false;
    assert_int_equal(look(&one), ATM_DUE);
    one.situation.request.access = one.past.access;
    one.situation.request.access.dirty = 2 * one.past.access.bytes;
    assert_int_equal(look(&one), ATM_DUE);
    one.situation.request.access = one.past.access;
    one.situation.request.life.calls = 3;
    assert_int_equal(look(&one), ATM_STANDS);
    one.situation.request.life.calls = 4;
    assert_int_equal(look(&one), ATM_AGAIN);
    tear_down(&one);
}

static void small_calls_are_passed_over(void **state)
{
    one one;
    atm_access *access = &one.situation.request.access;

    (void) state;
    set_up(&one);
    access->bytes = one.past.access.bytes / 8;
    assert_int_equal(look(&one), ATM_DUE);
    access->bytes--;
    one.past.measured.seconds = 1000; /* which takes no part in it */
    assert_int_equal(look(&one), ATM_SMALL);
    assert_true(one.scale.factor[ATM_COMMUNICATION_KIND] == 1);
    one.past.small = 15;
    assert_int_equal(look(&one), ATM_SMALL);
    one.past.small = 16;
    assert_int_equal(look(&one), ATM_DUE);
    /* where only the profile says what to expect, what is little is so of itself */
    one.past.small = 0;
    one.past.called = false;
    access->bytes = 65536;
    assert_int_equal(look(&one), ATM_DUE);
    access->bytes--;
    assert_int_equal(look(&one), ATM_SMALL);
    access->bytes++;
    one.past.expects = true;
    assert_int_equal(look(&one), ATM_SMALL);
    tear_down(&one);
}

static void times_correct_factors(void **state)
{
    one one;

    (void) state;
    set_up(&one);
    one.past.measured.storage_seconds = 2.4; /* still within what was said */
    one.past.measured.seconds = 3.4;
    assert_int_equal(look(&one), ATM_STANDS);
    assert_true(one.scale.factor[ATM_STORAGE_KIND] == 1);
    one.past.measured.storage_seconds = 6;
    one.past.measured.seconds = 7;
    assert_int_equal(look(&one), ATM_DUE);
    assert_float_equal(one.scale.factor[ATM_STORAGE_KIND], 3, 1e-12);
    assert_true(one.scale.factor[ATM_COMMUNICATION_KIND] == 1);
    one.past.measured.storage_seconds = 600;
    one.past.measured.seconds = 600;
    assert_int_equal(look(&one), ATM_DUE);
    assert_true(one.scale.factor[ATM_STORAGE_KIND] == 16); /* no further */
    assert_float_equal(one.scale.factor[ATM_COMMUNICATION_KIND], 1.0 / 16, 1e-12);
    one.past.measured.calls = 0; /* nothing was measured */
    assert_int_equal(look(&one), ATM_STANDS);
    tear_down(&one);
}

static void shapes_take_what_was_measured(void **state)
{
    one one;

    (void) state;
    set_up(&one);
    one.scale.doubt[ATM_STORAGE_KIND] = 1.2;
    one.past.measured.storage_seconds = 200;
    one.past.measured.seconds = 201;
    assert_int_equal(look(&one), ATM_DUE);
    assert_float_equal(one.scale.factor[ATM_STORAGE_KIND], 100, 1e-9);
    assert_true(one.scale.doubt[ATM_STORAGE_KIND] == 0);
    tear_down(&one);
}

static void other_advice_is_followed(void **state)
{
    atm_rule rule = {.ranks = {8, 8}, .bytes = {0, UINT64_MAX}};
    atm_advice advice = {.count = 1, .rules = &rule};
    one one;

    (void) state;
    set_up(&one);
    rule.set.has[ATM_SET_CB_NODES] = true;
    one.situation.advice = &advice;
    one.situation.occasion = (atm_occasion){.program = "", .user = "", .file = "", .draw = 0.5};
    assert_int_equal(look(&one), ATM_DUE);
    one.past.rule = 1;
    assert_int_equal(look(&one), ATM_STANDS);
    rule.ranks[0] = 9;
    assert_int_equal(look(&one), ATM_DUE);
    tear_down(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_like_the_last_one_stand),
                                       cmocka_unit_test(small_calls_are_passed_over),
                                       cmocka_unit_test(times_correct_factors),
                                       cmocka_unit_test(shapes_take_what_was_measured),
                                       cmocka_unit_test(other_advice_is_followed)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
