/* Surrogates that know how errors grow away from what was measured. */

#include <math.h>

#include "surrogate_help.h"

/* Places at 1 and 4 receivers with 1 KiB on 4 nodes; the model looks at bytes and receivers. */
static const char frame[] =
    "{\"model\": \"const\", \"features\": [\"bytes\", \"receivers\"], \"min\": [1024, 1], "
    "\"max\": [4096, 4], \"error\": 0.1, \"parameters\": {\"output\": 2}, \"outside\": {%s}}";

#define DEVIATIONS                                                                                 \
    "\"size\": 0.1, \"scale\": 0.2, \"stripes\": 0.4, \"alike\": 0.75, \"spacing\": 1"
#define PLACES                                                                                     \
    "\"features\": [\"bytes\", \"receivers\", \"nodes\"], "                                        \
    "\"places\": [1024, 1, 4, 1024, 4, 4]"

static atm_surrogate *with(const char *outside)
{
    char text[1024];

    snprintf(text, sizeof(text), frame, outside);
    return make(text);
}

static atm_estimate at(const atm_surrogate *s, double bytes, double receivers, double nodes)
{
    const double features[ATM_FEATURE_COUNT] = {
        [ATM_BYTES] = bytes, [ATM_RECEIVERS] = receivers, [ATM_NODES] = nodes};

    return ask(s, features);
}

static double error_of(double deviation)
{
    return expm1(hypot(log1p(0.1), deviation));
}

static void grows_with_distance(void **state)
{
    atm_surrogate *s = with(DEVIATIONS ", " PLACES), *copy = copy_through_text(s);

    (void) state;
    assert_float_equal(at(s, 1024, 1, 4).uncertainty, 0.1, 1e-12);
    assert_float_equal(at(s, 1024, 2, 4).uncertainty, 0.1, 1e-12); /* within the spacing */
    assert_float_equal(at(s, 4096, 1, 4).uncertainty, error_of(0.1 * 2), 1e-12); /* beyond all */
    assert_false(at(s, 4096, 1, 4).outside);
    assert_float_equal(at(s, 1024, 32, 4).uncertainty, error_of(0.2 * 3), 1e-12);
    assert_float_equal(at(copy, 1024, 32, 4).uncertainty, error_of(0.2 * 3), 1e-12);
    assert_float_equal(at(s, 1024, 32, 4).guessed, 1 - exp(-0.6), 1e-12);
    /* of two features of scale the one that is farther */
    assert_float_equal(at(s, 1024, 8, 32).uncertainty, error_of(0.2 * 3), 1e-12);
    /* fewer bytes take at most as long */
    assert_float_equal(at(s, 1, 1, 4).uncertainty, 0.1, 1e-12);
    assert_true(at(s, NAN, 1, 4).uncertainty > at(s, 1 << 20, 1, 4).uncertainty);
    assert_true(atm_surrogate_uses(s, ATM_NODES) && !atm_surrogate_uses(s, ATM_SENDERS));
    atm_surrogate_destroy(copy);
    atm_surrogate_destroy(s);
}

static void directions(void **state)
{
    atm_surrogate *s = with(DEVIATIONS ", \"features\": [\"bytes\", \"receivers\"], "
                                       "\"places\": [1024, 1, 1024, 256, 262144, 1, 262144, 256]");
    double away[ATM_AWAY_COUNT];

    (void) state;
    /* in a gap: 4 doublings each way, less as much of the spacing */
    atm_surrogate_away(s, (double[ATM_FEATURE_COUNT]){[ATM_BYTES] = 16384, [ATM_RECEIVERS] = 16},
                       away);
    assert_float_equal(away[ATM_AWAY_SIZE], 4 * (1 - 1 / sqrt(32)), 1e-9);
    assert_float_equal(away[ATM_AWAY_SCALE], 4 * (1 - 1 / sqrt(32)), 1e-9);
    assert_float_equal(away[ATM_AWAY_STRIPES], 0, 0);
    /* beyond */
    atm_surrogate_away(s, (double[ATM_FEATURE_COUNT]){[ATM_BYTES] = 1024, [ATM_RECEIVERS] = 0.5},
                       away);
    assert_float_equal(away[ATM_AWAY_SIZE], 0, 0);
    assert_float_equal(away[ATM_AWAY_SCALE], -1, 1e-12);
    atm_surrogate_destroy(s);
}

static double alike(const atm_surrogate *s, double bytes, double receivers, double other_bytes,
                    double other_receivers)
{
    const double one[ATM_FEATURE_COUNT] = {
        [ATM_BYTES] = bytes, [ATM_RECEIVERS] = receivers, [ATM_NODES] = 4};
    const double other[ATM_FEATURE_COUNT] = {
        [ATM_BYTES] = other_bytes, [ATM_RECEIVERS] = other_receivers, [ATM_NODES] = 4};

    return atm_surrogate_correlation(s, one, other);
}

/* What is off beyond is off alike: it cancels where two of the same direction are compared. */
static void cancels(void **state)
{
    atm_surrogate *s = with(DEVIATIONS ", " PLACES);
    double own = log1p(0.1) * log1p(0.1), far = 0.2 * 0.2 * 5 * 5;

    (void) state;
    assert_float_equal(alike(s, 1024, 128, 2048, 128), 0.75 * far / (own + far), 0.02);
    assert_float_equal(alike(s, 1024, 128, 16384, 1), 0, 1e-12); /* in another direction */
    assert_float_equal(alike(s, 1024, 1, 1024, 4), 0, 1e-12);    /* both were measured */
    assert_float_equal(alike(s, 1024, 128, 1024, 128), 1, 0);
    atm_surrogate_destroy(s);
}

/* The law would be constant, as the model shows no slope. */
static void powers(void **state)
{
    atm_surrogate *s = with(DEVIATIONS ", \"powers\": [0, 0.5], " PLACES);
    atm_surrogate *copy = copy_through_text(s);

    (void) state;
    assert_float_equal(at(s, 1024, 4, 4).seconds, 2, 1e-12);
    assert_float_equal(at(s, 1024, 64, 4).seconds, 8, 1e-9);
    assert_float_equal(at(copy, 1024, 64, 4).seconds, 8, 1e-9);
    assert_float_equal(at(s, 1 << 20, 4, 4).seconds, 2, 1e-9); /* bytes have their law */
    atm_surrogate_destroy(copy);
    atm_surrogate_destroy(s);
}

static void mistakes(void **state)
{
    static const char *const bad[] = {
        PLACES,
        DEVIATIONS,
        DEVIATIONS ", \"places\": [1024, 1, 4]",
        DEVIATIONS ", \"features\": [\"bytes\", \"bytes\"], \"places\": [1, 1]",
        DEVIATIONS ", \"features\": [\"bytes\", \"nodes\"], \"places\": [1, 1, 1]",
        DEVIATIONS ", \"features\": [\"bytes\"], \"places\": [0]",
        DEVIATIONS ", \"features\": [\"bytes\"], \"places\": []",
        DEVIATIONS ", \"powers\": [0.5], " PLACES,
        DEVIATIONS ", \"powers\": [0, -1], " PLACES,
        DEVIATIONS ", \"other\": 1, " PLACES,
    };

    (void) state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char text[1024];
        atm_value *root;
        atm_surrogate *surrogate;
        atm_message message = {""};

        snprintf(text, sizeof(text), frame, bad[i]);
        root = parse(text);
        if (atm_surrogate_read(root, &message, &surrogate) != ATM_BAD_FILE)
            fail_msg("accepted: %s", text);
        assert_non_null(strstr(message.text, "outside"));
        atm_value_destroy(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_with_distance),
        cmocka_unit_test(directions),
        cmocka_unit_test(cancels),
        cmocka_unit_test(powers),
        cmocka_unit_test(mistakes),
    };

    return cmocka_run_group_tests_name("surrogate_outside", tests, NULL, NULL);
}
