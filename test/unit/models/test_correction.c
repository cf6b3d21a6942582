/* Surrogates with a correction by size, and those that are scaled. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cost/surrogate.h"

static const char plain[] = "{\"model\": \"const\", \"features\": [\"bytes\"], \"min\": [1], "
                            "\"max\": [1e9], \"error\": 0.1, \"parameters\": {\"output\": 2}%s}";

/* more: members that follow */
static atm_status read_with(const char *more, atm_message *message, atm_surrogate **surrogate_p)
{
    char text[1024];
    atm_value *root = NULL;
    atm_status status;

    snprintf(text, sizeof(text), plain, more);
    assert_int_equal(atm_value_parse(text, strlen(text), "s.json", message, &root), ATM_OK);
    status = atm_surrogate_read(root, message, surrogate_p);
    atm_value_destroy(root);
    return status;
}

static atm_surrogate *good(const char *more)
{
    atm_message message = {""};
    atm_surrogate *surrogate = NULL;

    if (read_with(more, &message, &surrogate) != ATM_OK)
        fail_msg("%s", message.text);
    return surrogate;
}

static double seconds(const atm_surrogate *surrogate, double bytes)
{
    double features[ATM_FEATURE_COUNT] = {[ATM_BYTES] = bytes};
    atm_estimate estimate;

    atm_surrogate_predict(surrogate, features, &estimate);
    return estimate.seconds;
}

static void factors(void **state)
{
    atm_surrogate *surrogate =
        good(", \"correction\": {\"bytes\": [1024, 1048576], \"factor\": [0.5, 2]}");

    (void) state;
    assert_float_equal(seconds(surrogate, 1), 1, 1e-12);
    assert_float_equal(seconds(surrogate, 1024), 1, 1e-12);
    assert_float_equal(seconds(surrogate, 32768), 2, 1e-9); /* half way */
    assert_float_equal(seconds(surrogate, 1048576), 4, 1e-9);
    assert_float_equal(seconds(surrogate, 1e9), 4, 1e-12);
    assert_float_equal(seconds(surrogate, NAN), 1, 1e-12);
    atm_surrogate_destroy(surrogate);
}

static void without_it_nothing_changes(void **state)
{
    atm_surrogate *surrogate = good("");

    (void) state;
    assert_true(seconds(surrogate, 4096) == 2);
    atm_surrogate_destroy(surrogate);
}

static void refused(const char *correction, const char *expected)
{
    char more[512];
    atm_message message = {""};
    atm_surrogate *surrogate = NULL;

    snprintf(more, sizeof(more), ", \"correction\": %s", correction);
    assert_int_equal(read_with(more, &message, &surrogate), ATM_BAD_FILE);
    if (strstr(message.text, expected) == NULL)
        fail_msg("%s, not %s", message.text, expected);
}

static void bad_ones(void **state)
{
    (void) state;
    refused("1", "s.json: correction");
    refused("{}", "correction.bytes");
    refused("{\"bytes\": [], \"factor\": []}", "correction.bytes");
    refused("{\"bytes\": [1]}", "correction.factor");
    refused("{\"bytes\": [1, 2], \"factor\": [1]}", "correction.factor");
    refused("{\"bytes\": [2, 2], \"factor\": [1, 1]}", "correction.bytes: must grow");
    refused("{\"bytes\": [0], \"factor\": [1]}", "correction.bytes");
    refused("{\"bytes\": [1], \"factor\": [0]}", "correction.factor");
    refused("{\"bytes\": [1], \"factor\": [1e9]}", "correction.factor");
    refused("{\"bytes\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17], \"factor\": [1]}",
            "correction.bytes");
    refused("{\"bytes\": [1], \"factor\": [1], \"x\": 1}", "correction.x: is not known");
}

static void corrected_twice(void **state)
{
    atm_surrogate *surrogate = good("");
    const double bytes[] = {1024, 1048576}, first[] = {2, 2}, second[] = {3, 0.25};

    (void) state;
    assert_int_equal(atm_surrogate_correct(surrogate, bytes, first, 2), ATM_OK);
    assert_int_equal(atm_surrogate_correct(surrogate, bytes, second, 2), ATM_OK);
    assert_float_equal(seconds(surrogate, 1024), 12, 1e-9);
    assert_float_equal(seconds(surrogate, 1048576), 1, 1e-9);
    assert_int_equal(atm_surrogate_correct(surrogate, bytes, first, 0), ATM_BAD_ARGUMENT);
    assert_int_equal(atm_surrogate_correct(surrogate, bytes, first, 17), ATM_BAD_ARGUMENT);
    assert_int_equal(atm_surrogate_correct(surrogate, (double[]){2, 1}, first, 2),
                     ATM_BAD_ARGUMENT);
    assert_float_equal(seconds(surrogate, 1024), 12, 1e-9);
    atm_surrogate_destroy(surrogate);
}

static void written_and_read_again(void **state)
{
    atm_surrogate *surrogate =
        good(", \"correction\": {\"bytes\": [1000, 3000], \"factor\": [0.7, 1.3]}");
    atm_surrogate *again = NULL;
    atm_value *root = atm_value_object();

    (void) state;
    atm_surrogate_write(surrogate, root);
    assert_int_equal(atm_value_built(root), ATM_OK);
    assert_int_equal(atm_surrogate_read(root, NULL, &again), ATM_OK);
    for (double bytes = 1; bytes < 1e6; bytes *= 1.7)
        assert_true(seconds(surrogate, bytes) == seconds(again, bytes));
    atm_value_destroy(root);
    atm_surrogate_destroy(surrogate);
    atm_surrogate_destroy(again);
}

/* --- scaled */

#define SCALED(donor, factor, error, spread)                                                       \
    ", \"scaled\": {\"donor\": \"" donor "\", \"factor\": " factor ", \"error\": " error ", "      \
    "\"spread\": " spread ", \"points\": 3}"

static void scaled(void **state)
{
    atm_surrogate *surrogate = good(SCALED("write_full", "0.5", "0.3", "0.2"));
    const atm_scaled *facts = atm_surrogate_scaled(surrogate);
    double features[ATM_FEATURE_COUNT] = {[ATM_BYTES] = 4096};
    atm_estimate estimate;

    (void) state;
    assert_non_null(facts);
    assert_string_equal(facts->donor, "write_full");
    assert_int_equal(facts->points, 3);
    atm_surrogate_predict(surrogate, features, &estimate);
    assert_float_equal(estimate.seconds, 1, 1e-12);
    assert_float_equal(log1p(estimate.uncertainty),
                       sqrt(pow(log(1.1), 2) + pow(log(1.3), 2) + pow(log(1.2), 2)), 1e-9);
    atm_surrogate_destroy(surrogate);
    surrogate = good("");
    assert_null(atm_surrogate_scaled(surrogate));
    atm_surrogate_destroy(surrogate);
}

/* The factor's part of the error is the same everywhere. */
static void scaled_errors_are_alike(void **state)
{
    atm_surrogate *surrogate = good(SCALED("storage", "2", "0.3", "0.2"));
    const double near[ATM_FEATURE_COUNT] = {[ATM_BYTES] = 4096};
    const double far[ATM_FEATURE_COUNT] = {[ATM_BYTES] = 1e9};
    double shared = pow(log(1.3), 2), other = pow(log(1.2), 2) + pow(log(1.1), 2);

    (void) state;
    assert_float_equal(atm_surrogate_correlation(surrogate, near, near), 1, 0);
    assert_float_equal(atm_surrogate_correlation(surrogate, near, far), shared / (shared + other),
                       1e-9);
    atm_surrogate_destroy(surrogate);
}

static void scaled_and_read_again(void **state)
{
    atm_surrogate *surrogate = good(SCALED("built-in profile", "1e3", "5", "0")), *again = NULL;
    atm_value *root = atm_value_object();

    (void) state;
    atm_surrogate_write(surrogate, root);
    assert_int_equal(atm_surrogate_read(root, NULL, &again), ATM_OK);
    assert_memory_equal(atm_surrogate_scaled(surrogate), atm_surrogate_scaled(again),
                        sizeof(atm_scaled));
    atm_value_destroy(root);
    atm_surrogate_destroy(surrogate);
    atm_surrogate_destroy(again);
}

static void bad_scaled_ones(void **state)
{
    static const struct {
        const char *more, *expected;
    } bad[] = {{", \"scaled\": 1", "s.json: scaled"},
               {", \"scaled\": {}", "scaled.donor"},
               {SCALED("an operation of a very long name", "1", "0", "0"), "donor: is too long"},
               {SCALED("x", "0", "0", "0"), "scaled.factor"},
               {SCALED("x", "1", "-1", "0"), "scaled.error"},
               {SCALED("x", "1", "0", "1e13"), "scaled.spread"}};

    (void) state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        atm_message message = {""};
        atm_surrogate *surrogate = NULL;

        assert_int_equal(read_with(bad[i].more, &message, &surrogate), ATM_BAD_FILE);
        if (strstr(message.text, bad[i].expected) == NULL)
            fail_msg("%s, not %s", message.text, bad[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors),
        cmocka_unit_test(without_it_nothing_changes),
        cmocka_unit_test(bad_ones),
        cmocka_unit_test(corrected_twice),
        cmocka_unit_test(written_and_read_again),
        cmocka_unit_test(scaled),
        cmocka_unit_test(scaled_errors_are_alike),
        cmocka_unit_test(scaled_and_read_again),
        cmocka_unit_test(bad_scaled_ones),
    };

    return cmocka_run_group_tests_name("correction", tests, NULL, NULL);
}
