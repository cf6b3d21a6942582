/* Learning while times change for all settings: what is slower is not advised because it was tried
 * when all was faster, and what is faster is found nevertheless; what a search has found is not
 * dropped because all was slower, and what is slower is. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "common/rng.h"
#include "history/learn_rules.h"

enum { HOUR = 3600, DAY = 86400, RUNS_MOST = 600 };

typedef enum drift { STEADY, DRIFTS, STEP, DAILY } drift;
static const char *const drift_names[] = {"no drift", "drift", "step", "daily cycle"};

/* What the system makes of times that are 1: 15 % less in the end, or at its best. */
static double of_system(drift drift, double when, double end)
{
    switch (drift) {
        case DRIFTS:
            return 1 - 0.15 * when / end;
        case STEP:
            return when < end / 2 ? 1 : 0.85;
        case DAILY:
            return 0.925 + 0.075 * sin(2 * M_PI * when / DAY);
        default:
            return 1;
    }
}

typedef enum order { MIXED, AFTER, BY_NIGHT, MOSTLY_AFTER } order;

/* Whether a run is one of the other settings: at random, only in the second half, only in the fast
 * half of the day, or in the second half but for one in ten. */
static bool is_other(order order, double when, double end, double draw)
{
    switch (order) {
        case AFTER:
            return when >= end / 2;
        case BY_NIGHT:
            return fmod(when, DAY) >= DAY / 2;
        case MOSTLY_AFTER:
            return when >= end / 2 && draw >= 0.1;
        default:
            return draw < 0.5;
    }
}

static void add(ath_samples *samples, bool other, ath_origin origin, double seconds, double when)
{
    ath_sample sample = {.program = "vpic",
                         .user = "ada",
                         .file = "/scratch/field",
                         .settings = other ? "{\"cb_nodes\": 8}" : "{\"cb_nodes\": 1}",
                         .write = true,
                         .origin = origin,
                         .ranks = 64,
                         .bytes = 1 << 20,
                         .seconds = seconds,
                         .when = when};

    assert_int_equal(ath_samples_add(samples, &sample), ATH_OK);
}

/* Runs come at random, an hour apart; times of the other settings are so many of the usual ones'
 * and scatter by a tenth. */
static void add_runs(ath_samples *samples, drift drift, order order, double factor, int runs,
                     int class, const ath_origin origins[2])
{
    uint64_t rng = rng_hash((uint64_t) class, (uint64_t) (10 * (int) drift + (int) order));
    double when = 0, end = (double) runs * HOUR;

    for (int i = 0; i < runs; i++) {
        bool other = is_other(order, when, end, rng_unit(&rng));

        add(samples, other, origins[other],
            of_system(drift, when, end) * (other ? factor : 1) * exp(0.1 * rng_normal(&rng)), when);
        when += HOUR * 2 * rng_unit(&rng);
    }
}

/* How many of so many classes get advice. */
static int count_advised(drift drift, order order, double factor, int runs, int classes)
{
    static const ath_origin origins[] = {ATH_BY_MODEL, ATH_BY_USER};
    int advised = 0;

    for (int class = 0; class < classes; class ++) {
        ath_samples samples = {.at = NULL};
        atm_advice *advice = NULL;

        add_runs(&samples, drift, order, factor, runs, class, origins);
        assert_int_equal(ath_learn(&samples, &ath_learn_usual, NULL, NULL, &advice), ATH_OK);
        advised += advice->count;
        atm_advice_destroy(advice);
        ath_samples_destroy(&samples);
    }
    return advised;
}

/* How many of so many rules of a search are dropped, where runs without them, the others, take so
 * many times as long as those that they advise. */
static int count_dropped(drift drift, order order, double factor, int rules)
{
    static const ath_origin origins[] = {ATH_BY_ADVICE, ATH_BY_MODEL};
    static const char text[] =
        "{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": [{\"match\": "
        "{\"program\": \"vpic\"}, \"set\": {\"cb_nodes\": 1}, \"evidence\": {\"source\": "
        "\"search\"}}]}";
    atm_message message = {""};
    atm_advice *earlier = NULL;
    int sum = 0;

    assert_int_equal(atm_advice_parse(text, sizeof(text) - 1, "advice.json", &message, &earlier),
                     ATM_OK);
    for (int rule = 0; rule < rules; rule++) {
        ath_samples samples = {.at = NULL};
        atm_advice *advice = NULL;
        int dropped = 0;

        add_runs(&samples, drift, order, factor, 200, rule, origins);
        assert_int_equal(ath_learn(&samples, &ath_learn_usual, NULL, NULL, &advice), ATH_OK);
        assert_int_equal(ath_learn_keep(advice, earlier, &samples, &ath_learn_usual, &dropped),
                         ATH_OK);
        sum += dropped;
        atm_advice_destroy(advice);
        ath_samples_destroy(&samples);
    }
    atm_advice_destroy(earlier);
    return sum;
}

/* Settings that are 5 % slower, whatever the system does while they are tried. */
static void slower_ones_are_not_advised_when_all_is_faster(void **state)
{
    static const int runs[] = {60, 200, RUNS_MOST};

    (void) state;
    for (drift drift = STEADY; drift <= DAILY; drift++)
        for (order order = MIXED; order <= MOSTLY_AFTER; order++)
            for (int i = 0; i < 3; i++) {
                int wrong = count_advised(drift, order, 1.05, runs[i], 100);

                if (wrong > 0)
                    fail_msg("%s, order %d: %d of 100 with %d runs", drift_names[drift],
                             (int) order, wrong, runs[i]);
            }
}

static void five_percent_are_found(void **state)
{
    (void) state;
    for (drift drift = STEADY; drift <= DAILY; drift++) {
        int found = count_advised(drift, MIXED, 0.95, RUNS_MOST, 60);

        print_message("# 5 %% of 300 runs each, %s: %d of 60 found\n", drift_names[drift], found);
        assert_true(found >= 54);
    }
}

static void rules_are_not_dropped_because_all_was_slower(void **state)
{
    (void) state;
    for (drift drift = STEADY; drift <= DAILY; drift++)
        for (order order = MIXED; order <= MOSTLY_AFTER; order++) {
            int wrong = count_dropped(drift, order, 1.05, 100);

            if (wrong > 2)
                fail_msg("%s, order %d: %d of 100", drift_names[drift], (int) order, wrong);
        }
}

static void slower_rules_are_dropped(void **state)
{
    (void) state;
    for (drift drift = STEADY; drift <= DAILY; drift++) {
        int found = count_dropped(drift, MIXED, 0.9, 60);

        print_message("# rules 10 %% slower, %s: %d of 60 dropped\n", drift_names[drift], found);
        assert_true(found >= 54);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slower_ones_are_not_advised_when_all_is_faster),
        cmocka_unit_test(five_percent_are_found),
        cmocka_unit_test(rules_are_not_dropped_because_all_was_slower),
        cmocka_unit_test(slower_rules_are_dropped),
    };

    return cmocka_run_group_tests_name("learn, drift", tests, NULL, NULL);
}
