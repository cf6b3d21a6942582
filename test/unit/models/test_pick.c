/* State files, and the targets that are picked by them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "state/pick.h"
#include "state/repeat.h"
#include "state/slowness.h"

enum { TARGETS = 64, NOW = 1000 };

/* Every fourth one is busy, as far as one can tell. */
static atm_state *quarter_busy(double sure)
{
    static char text[65536];
    int at =
        sprintf(text, "{\"format\":\"romio-autotune-state\",\"version\":1,\"path\":\"/scratch\","
                      "\"said\":900,\"until\":1200,\"targets\":[");
    atm_message message = {""};
    atm_state *state = NULL;

    for (int i = 0; i < TARGETS; i++)
        at += sprintf(text + at,
                      "%s{\"target\":%d,\"idle\":%.17g,\"usual\":0.75,\"idle_seconds\":2,"
                      "\"idle_deviation\":0.1,\"busy_seconds\":6,\"busy_deviation\":0.2}",
                      i > 0 ? "," : "", i, i % 4 == 0 ? 1 - sure : sure);
    at += sprintf(text + at, "]}");
    if (atm_state_parse(text, (size_t) at, "state.json", &message, &state) != ATM_OK)
        fail_msg("%s", message.text);
    return state;
}

static int times(const int *targets, int stripes, int target)
{
    int count = 0;

    for (int i = 0; i < stripes; i++)
        count += targets[i] == target;
    return count;
}

/* --- picks */

static void busy_ones_are_avoided(void **state)
{
    atm_state *found = quarter_busy(0.95);
    int targets[48];

    (void) state;
    for (int stripes = 1; stripes <= 48; stripes++) {
        assert_int_equal(atm_pick(found, NOW, stripes, 7, targets), ATM_OK);
        for (int i = 0; i < stripes; i++) {
            assert_int_not_equal(targets[i] % 4, 0);
            assert_int_equal(times(targets, stripes, targets[i]), 1);
        }
    }
    atm_state_destroy(found);
}

static void as_many_as_there_are(void **state)
{
    atm_state *found = quarter_busy(0.95);
    int targets[TARGETS + 1];

    (void) state;
    assert_int_equal(atm_pick_count(found, NOW), TARGETS);
    assert_int_equal(atm_pick(found, NOW, TARGETS, 7, targets), ATM_OK);
    for (int i = 0; i < TARGETS; i++)
        assert_int_equal(times(targets, TARGETS, i), 1);
    assert_int_equal(atm_pick(found, NOW, TARGETS + 1, 7, targets), ATM_NO_CHOICE);
    assert_int_equal(atm_pick(found, NOW, 0, 7, targets), ATM_NO_CHOICE);
    found->targets[5].usable = false;
    found->targets[6].until = NOW - 1;
    assert_int_equal(atm_pick_count(found, NOW), TARGETS - 2);
    assert_int_equal(atm_pick(found, NOW, TARGETS - 2, 7, targets), ATM_OK);
    assert_int_equal(times(targets, TARGETS - 2, 5) + times(targets, TARGETS - 2, 6), 0);
    atm_state_destroy(found);
}

/* Idle ones get four times the stripes of busy ones, and neighbours are on different targets. */
static void more_than_there_are(void **state)
{
    enum { STRIPES = 4 * 48 + 16 };
    atm_state *found = quarter_busy(0.999);
    int targets[STRIPES], again[STRIPES];
    atm_repeats repeats;

    (void) state;
    assert_int_equal(atm_repeats_find(found, NOW, 1000, &repeats), ATM_OK);
    assert_int_equal(repeats.stripes, STRIPES);
    assert_int_equal(repeats.targets, TARGETS);
    assert_int_equal(atm_repeats_list(&repeats, 7, targets), ATM_OK);
    for (int i = 0; i < TARGETS; i++)
        assert_int_equal(times(targets, STRIPES, i), i % 4 == 0 ? 1 : 4);
    for (int i = 1; i < STRIPES; i++)
        assert_int_not_equal(targets[i], targets[i - 1]);
    assert_int_equal(atm_repeats_list(&repeats, 8, again), ATM_OK);
    assert_memory_not_equal(targets, again, sizeof(targets));
    /* 48 write 4 GiB of 2 s each; of 16 that write one of 6 s, the slowest takes 8 to 9 s */
    assert_in_range(100 * repeats.seconds, 900, 1200);
    atm_repeats_destroy(&repeats);
    atm_state_destroy(found);
}

/* Not with fewer stripes than it takes, nor where states are uncertain or alike. */
static void not_more_than_there_are(void **state)
{
    static const struct {
        double sure;
        int most;
    } cases[] = {{0.999, TARGETS}, {0.999, 200}, {0.6, 1000}};
    atm_repeats repeats;

    (void) state;
    for (int i = 0; i < 3; i++) {
        atm_state *found = quarter_busy(cases[i].sure);

        assert_int_equal(atm_repeats_find(found, NOW, cases[i].most, &repeats), ATM_OK);
        assert_true(repeats.stripes == 0 || repeats.stripes <= cases[i].most);
        if (i != 1)
            assert_int_equal(repeats.stripes, 0);
        atm_repeats_destroy(&repeats);
        atm_state_destroy(found);
    }
}

/* In whole stripes, nearly as fast as the best shares that there are */
static void near_the_best(void **state)
{
    static const double sure[] = {0.95, 0.98, 0.99, 0.999};
    atm_repeats repeats;

    (void) state;
    for (int i = 0; i < 4; i++) {
        atm_state *found = quarter_busy(sure[i]);
        const atm_target *one = &found->targets[0];
        atm_targets groups[2] = {{48, sure[i], {one->paces[0], one->paces[1]}},
                                 {16, 1 - sure[i], {one->paces[0], one->paces[1]}}};
        double shares[2], best, plain;

        atm_shares_equal(groups, 2, shares);
        plain = atm_slowest(groups, shares, 2);
        atm_shares_best(groups, 2, shares);
        best = atm_slowest(groups, shares, 2);
        assert_int_equal(atm_repeats_find(found, NOW, 1000, &repeats), ATM_OK);
        assert_true(repeats.stripes > 0);
        assert_true(repeats.seconds / repeats.stripes < plain / ATM_REPEAT_GAIN);
        assert_float_equal(repeats.seconds / repeats.stripes / best, 1, 0.03);
        atm_repeats_destroy(&repeats);
        atm_state_destroy(found);
    }
}

/* Whatever the speeds, no target gets more than the share that a pick may give it. */
static void shares_are_limited(void **state)
{
    atm_state *found = quarter_busy(0.999);
    atm_repeats repeats;

    (void) state;
    for (int busy = 0; busy <= TARGETS; busy += 4) {
        for (int i = 0; i < TARGETS; i++)
            found->targets[i].idle = i < busy ? 0.001 : 0.999;
        assert_int_equal(atm_repeats_find(found, NOW, 1000, &repeats), ATM_OK);
        for (int i = 0; i < repeats.count && repeats.stripes > 0; i++)
            assert_true(repeats.members[i].stripes * TARGETS <= ATM_PICK_MOST * repeats.stripes);
        if (busy == 0 || busy == TARGETS)
            assert_int_equal(repeats.stripes, 0);
        atm_repeats_destroy(&repeats);
    }
    atm_state_destroy(found);
}

/* 50 jobs with 8 stripes: 400 on 48 idle targets. */
static void jobs_do_not_herd(void **state)
{
    atm_state *found = quarter_busy(0.95);
    int on[TARGETS] = {0}, targets[8], again[8], most = 0;

    (void) state;
    for (uint64_t job = 0; job < 50; job++) {
        assert_int_equal(atm_pick(found, NOW, 8, job, targets), ATM_OK);
        assert_int_equal(atm_pick(found, NOW, 8, job, again), ATM_OK);
        assert_memory_equal(targets, again, sizeof(targets));
        for (int i = 0; i < 8; i++)
            on[targets[i]]++;
    }
    for (int i = 0; i < TARGETS; i++)
        most = on[i] > most ? on[i] : most;
    assert_in_range(most, 9, 20); /* 8.3 on average */
    atm_state_destroy(found);
}

/* All chances are 1 together, none is above the limit, and nobody slower has a better one.  A few
 * slow targets have none; if most are slow, they have some. */
static void chances_are_shared(void **state)
{
    enum { N = 6 };
    const int counts[N] = {10, 1, 20, 9, 40, 20};
    double seconds[N] = {1, 1.05, 1.1, 1.2, 6, 7}, chances[N];

    (void) state;
    for (int slow = 0; slow <= 5; slow++) {
        double all = 0;

        for (int i = 0; i < N; i++) /* from none of the groups to all but the first */
            seconds[i] = (i < N - slow ? 1 : 5) + 0.01 * i;
        atm_pick_chances(seconds, counts, N, chances);
        for (int i = 0; i < N; i++) {
            all += counts[i] * chances[i];
            assert_true(chances[i] >= 0 && chances[i] <= ATM_PICK_MOST / 100 + 1e-12);
            assert_true(i == 0 || chances[i] <= chances[i - 1] + 1e-12);
        }
        assert_float_equal(all, 1, 1e-9);
        if (slow == 1)
            assert_true(chances[N - 1] == 0);
        if (slow >= 3)
            assert_true(chances[N - 1] > 0);
    }
}

/* --- how slow they are */

static atm_slowness *slowness_of(const atm_state *state)
{
    atm_slowness *slowness = NULL;

    assert_int_equal(atm_slowness_create(state, NOW, &slowness), ATM_OK);
    return slowness;
}

static void slow_as_picked(void **state)
{
    atm_state *found = quarter_busy(0.999), *vague = quarter_busy(0.75);
    atm_slowness *slowness = slowness_of(found);

    (void) state;
    /* usually 0.9 of all sets of 8 have a busy one; these have none */
    assert_in_range(100 * atm_slowness_of(slowness, 8, true), 30, 45);
    /* as many are busy as usual */
    assert_in_range(100 * atm_slowness_of(slowness, 8, false), 95, 105);
    assert_in_range(100 * atm_slowness_of(slowness, TARGETS, true), 90, 101);
    assert_in_range(100 * atm_slowness_of(slowness, 2 * TARGETS, true), 90, 101);
    atm_slowness_destroy(slowness);
    for (int i = 0; i < TARGETS; i++)
        vague->targets[i].idle = vague->targets[i].usual;
    slowness = slowness_of(vague);
    for (int stripes = 1; stripes <= TARGETS; stripes++)
        assert_float_equal(atm_slowness_of(slowness, stripes, false), 1, 1e-9);
    assert_float_equal(atm_slowness_of(slowness, TARGETS, true), 1, 1e-9);
    atm_slowness_destroy(slowness);
    atm_state_destroy(found);
    atm_state_destroy(vague);
}

/* Against the integral of shares.h, of all targets with equal shares */
static void slow_as_integrated(void **state)
{
    atm_state *found = quarter_busy(0.9);
    atm_slowness *slowness = slowness_of(found);
    atm_targets now[2], usual[2];
    double equal[2] = {1, 1};

    (void) state;
    for (int i = 0; i < 2; i++) {
        const atm_target *target = &found->targets[i];

        now[i] =
            (atm_targets){i == 0 ? 16 : 48, target->idle, {target->paces[0], target->paces[1]}};
        usual[i] = now[i];
        usual[i].idle = target->usual;
    }
    assert_float_equal(atm_slowness_of(slowness, TARGETS, true),
                       atm_slowest(now, equal, 2) / atm_slowest(usual, equal, 2), 2e-3);
    atm_slowness_destroy(slowness);
    atm_state_destroy(found);
}

static void nothing_is_known(void **state)
{
    atm_state *found = quarter_busy(0.9);
    atm_slowness *slowness = NULL;

    (void) state;
    assert_int_equal(atm_slowness_create(found, 5000, &slowness), ATM_OK);
    assert_true(atm_slowness_of(slowness, 8, false) == 1);
    atm_slowness_destroy(slowness);
    atm_state_destroy(found);
}

/* --- files */

static void expect(const char *text, const char *expected)
{
    atm_message message = {""};
    atm_state *state = NULL;

    assert_int_equal(atm_state_parse(text, strlen(text), "s.json", &message, &state), ATM_BAD_FILE);
    assert_null(state);
    assert_string_equal(message.text, expected);
}

#define HEAD "{\"format\":\"romio-autotune-state\",\"version\":1,\"path\":\"/scratch\","
#define ONE                                                                                        \
    "\"idle\":0.5,\"idle_seconds\":1,\"idle_deviation\":0,\"busy_seconds\":2,\"busy_deviation\":"  \
    "0.1}"

static void refused(void **state)
{
    (void) state;
    expect("{}", "s.json: format: is missing");
    expect(HEAD "\"said\":5}", "s.json: until: is missing");
    expect(HEAD "\"said\":5,\"until\":4}",
           "s.json: until: must be a number from 5 to 100000000000");
    expect(HEAD "\"said\":1,\"until\":4,\"targets\":[]}",
           "s.json: targets: must be an array of length 1 or more, not 0");
    expect(HEAD "\"said\":1,\"until\":4,\"targets\":[{\"target\":1," ONE ",{\"target\":1," ONE "]}",
           "s.json: targets: target 1 is there twice");
    expect(HEAD "\"said\":1,\"until\":4,\"targets\":[{\"target\":-1," ONE "]}",
           "s.json: targets[0].target: must be an integer from 0 to 65535");
    expect(HEAD "\"said\":1,\"until\":4,\"targets\":[{\"target\":1,\"ilde\":1," ONE "]}",
           "s.json: targets[0].ilde: is not known");
    expect("{\"format\":\"romio-autotune-state\",\"version\":1,\"path\":\"scratch\"}",
           "s.json: path: must begin with /");
}

static void written_and_read(void **state)
{
    atm_state *one = quarter_busy(0.9), *other = NULL;
    atm_value *value;
    size_t length;
    char *text;

    (void) state;
    one->targets[3].usable = false;
    one->targets[4].until = 1100;
    value = atm_state_value(one);
    assert_int_equal(atm_value_print(value, &text, &length), ATM_OK);
    assert_int_equal(atm_state_parse(text, length, "state.json", NULL, &other), ATM_OK);
    assert_int_equal(other->count, TARGETS);
    assert_string_equal(other->path, "/scratch");
    for (int i = 0; i < TARGETS; i++) {
        assert_int_equal(other->targets[i].usable, i != 3);
        assert_true(other->targets[i].idle == one->targets[i].idle);
        assert_true(other->targets[i].until == (i == 4 ? 1100 : 1200));
        assert_float_equal(other->targets[i].paces[ATM_BUSY].mean,
                           one->targets[i].paces[ATM_BUSY].mean, 1e-12);
    }
    free(text);
    atm_value_destroy(value);
    atm_state_destroy(one);
    atm_state_destroy(other);
}

static void when_it_holds(void **state)
{
    atm_state *found = quarter_busy(0.9);
    atm_message doubt;

    (void) state;
    atm_state_doubt(found, 1000, &doubt);
    assert_string_equal(doubt.text, "");
    atm_state_doubt(found, 850, &doubt);
    assert_string_equal(doubt.text, "");
    atm_state_doubt(found, 800, &doubt);
    assert_string_equal(doubt.text, "state.json: was said 100 s from now: a clock is wrong");
    atm_state_doubt(found, 1210, &doubt);
    assert_string_equal(doubt.text, "state.json: held until 10 s ago");
    found->targets[9].until = 1300;
    atm_state_doubt(found, 1210, &doubt);
    assert_string_equal(doubt.text, "");
    atm_state_destroy(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(busy_ones_are_avoided), cmocka_unit_test(as_many_as_there_are),
        cmocka_unit_test(more_than_there_are),   cmocka_unit_test(not_more_than_there_are),
        cmocka_unit_test(near_the_best),         cmocka_unit_test(shares_are_limited),
        cmocka_unit_test(jobs_do_not_herd),      cmocka_unit_test(chances_are_shared),
        cmocka_unit_test(slow_as_picked),        cmocka_unit_test(slow_as_integrated),
        cmocka_unit_test(nothing_is_known),      cmocka_unit_test(refused),
        cmocka_unit_test(written_and_read),      cmocka_unit_test(when_it_holds)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
