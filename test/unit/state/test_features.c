/* Features: the sixteen of Table II, by hand. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "state/features.h"

static void add(trace *t, const char *format, ...)
{
    char line[512];
    atm_message message = {""};
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (trace_line(t, line, (size_t) length, "here", &message) != ATM_OK)
        fail_msg("%s", message.text);
}

static trace *make(void)
{
    trace *t = trace_create();

    add(t, "{\"format\": \"romio-autotune-trace\", \"version\": 1, \"path\": \"/s\"}");
    for (int i = 0; i < 2; i++)
        add(t,
            "{\"time\": %d, \"kind\": \"jobs\", \"total\": %d, \"batch\": 2, \"debug\": 3, "
            "\"extra_large\": 4, \"large\": 5, \"medium\": 6, \"small\": 7, \"extra_small\": 8, "
            "\"new\": 9, \"middle_aged\": 10, \"old\": 11, \"virtual_memory\": 12, \"memory\": 13}",
            9000 + 300 * i, 100 + i);
    for (int i = 0; i < 40; i++) /* 8010, 8040, ... 9180: 1, 2, 3, 1, 2, 3 ms */
        add(t,
            "{\"time\": %d, \"kind\": \"probe\", \"target\": 2, \"bytes\": 1048576, \"seconds\": "
            "%g}",
            8010 + 30 * i, 1e-3 * (1 + i % 3));
    add(t, "{\"time\": 8500, \"kind\": \"truth\", \"target\": 2, \"bytes\": 1073741824, "
           "\"seconds\": 2.7}");
    add(t, "{\"time\": 8990, \"kind\": \"truth\", \"target\": 2, \"bytes\": 268435456, "
           "\"seconds\": 0.5}");
    add(t, "{\"time\": 9199, \"kind\": \"truth\", \"target\": 2, \"bytes\": 1073741824, "
           "\"seconds\": 1.85}");
    trace_sort(t);
    return t;
}

static void by_hand(void **state)
{
    mixture m = {.states = 2, .idle = {0.7, log(1.85), 0.1}, .busy = {0.3, log(2.7), 0.1}};
    trace *t = make();
    atm_state_view view;
    features_of of;

    (void) state;
    assert_int_equal(features_prepare(t, trace_find(t, 2), -INFINITY, INFINITY, &of), ATM_OK);
    of.mixture = &m;
    of.bytes = 1073741824;
    assert_int_equal(of.source, TRACE_PROBE);
    assert_true(of.typical == 2e-3);
    features_at(&of, 9200, &view);
    assert_true(view.features[0] == 100 && view.features[12] == 13); /* not the later snapshot */
    /* twenty probes from 8610 to 9180; number 39 is the last: 39 % 3 == 0 */
    assert_true(view.features[ATM_STATE_LATENCY] == 1e-3);
    assert_true(fabs(view.features[ATM_STATE_MEAN] - 40e-3 / 20) < 1e-12);
    assert_true(fabs(view.features[ATM_STATE_SPREAD] - 1e-3 * sqrt(94.0 / 20 - pow(40.0 / 20, 2))) <
                1e-12);
    assert_int_equal(view.recent, 32);
    assert_true(view.age[31] == 20 && view.age[0] == 20 + 31 * 30);
    assert_true(view.relative[31] == log(0.5) && view.relative[30] == log(1.5));
    assert_true(view.last_age == 700); /* the other one has not ended, or is of another size */
    assert_true(view.last_busy > 0.9);
    features_at(&of, 9201, &view);
    assert_true(view.last_age == 2 && view.last_busy < 0.1);
    trace_destroy(t);
}

static void missing(void **state)
{
    trace *t = make();
    atm_state_view view;
    features_of of;

    (void) state;
    assert_int_equal(features_prepare(t, trace_find(t, 2), -INFINITY, INFINITY, &of), ATM_OK);
    features_at(&of, 8000, &view); /* before everything */
    for (int i = 0; i < ATM_STATE_FEATURES; i++)
        assert_true(isnan(view.features[i]));
    assert_true(view.recent == 0 && isnan(view.last_busy));
    features_at(&of, 8010, &view); /* one probe has a mean, but no deviation */
    assert_true(view.features[ATM_STATE_MEAN] == 1e-3);
    assert_true(isnan(view.features[ATM_STATE_SPREAD]));
    features_at(&of, 12000, &view); /* long after */
    assert_true(isnan(view.features[0]) && isnan(view.features[ATM_STATE_LATENCY]));
    assert_true(view.recent == 26); /* the last hour: after 8400 */
    trace_destroy(t);
}

/* Where a client's own requests were seen more often than probes. */
static void passive(void **state)
{
    trace *t = make();
    features_of of;

    (void) state;
    for (int i = 0; i < 50; i++)
        add(t,
            "{\"time\": %d, \"kind\": \"service\", \"target\": 2, \"samples\": 9, \"seconds\": "
            "0.5}",
            9000 + i);
    trace_sort(t);
    assert_int_equal(features_prepare(t, trace_find(t, 2), -INFINITY, INFINITY, &of), ATM_OK);
    assert_int_equal(of.source, TRACE_SERVICE);
    assert_true(of.typical == 0.5);
    trace_destroy(t);
}

static void labels(void **state)
{
    int busy = 0, same = 0;

    (void) state;
    for (int i = 0; i < 10000; i++) {
        busy += features_label(0.3, 1, 7, 1.5e9 + 3600.0 * i);
        same += features_label(0.3, 1, 7, 1.5e9 + 3600.0 * i) ==
                features_label(0.3, 2, 7, 1.5e9 + 3600.0 * i);
    }
    assert_in_range(busy, 2850, 3150);
    assert_in_range(same, 5600, 6000); /* 0.3^2 + 0.7^2 */
    assert_int_equal(features_label(0, 1, 1, 1), 0);
    assert_int_equal(features_label(1, 1, 1, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(missing),
        cmocka_unit_test(passive),
        cmocka_unit_test(labels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
