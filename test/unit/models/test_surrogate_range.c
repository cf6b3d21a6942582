/* Surrogates outside of their training range, and what holds for any query. */

#include "surrogate_help.h"

#include <math.h>

enum { CASES = 10000 };

/* a surrogate of nodes (16 to 64) and bytes (1024 to 1048576); more: further members */
static atm_surrogate *make_two(const char *beyond, const char *model, const char *parameters,
                               const char *more)
{
    char text[2048];

    snprintf(text, sizeof(text),
             "{\"model\": \"%s\", \"features\": [\"nodes\", \"bytes\"], \"min\": [16, 1024],"
             " \"max\": [64, 1048576], \"beyond\": %s, \"error\": 0.1, \"parameters\": %s%s}",
             model, beyond, parameters, more);
    return make(text);
}

static atm_estimate ask_two(const atm_surrogate *surrogate, double nodes, double bytes)
{
    double features[ATM_FEATURE_COUNT] = {[ATM_NODES] = nodes, [ATM_BYTES] = bytes};

    return ask(surrogate, features);
}

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g, expected %.17g", got, expected);
}

static void a_linear_law_goes_on_exactly(void **state)
{
    atm_surrogate *s = make_two("[\"linear\", \"linear\"]", "linear",
                                "{\"intercept\": 1e-5, \"coefficients\": [1e-6, 1e-9]}", "");

    (void) state;
    assert_false(ask_two(s, 64, 1048576).outside);
    assert_false(ask_two(s, 16, 1024).outside);
    assert_near(ask_two(s, 32, 1e9).seconds, 1e-5 + 32e-6 + 1);
    assert_near(ask_two(s, 32, 10).seconds, 1e-5 + 32e-6 + 1e-8);
    assert_near(ask_two(s, 32, 0).seconds, 1e-5 + 32e-6);
    assert_near(ask_two(s, 8, 2048).seconds, 1e-5 + 8e-6 + 2048e-9);
    assert_near(ask_two(s, 1000, 2048).seconds, 1e-5 + 1000e-6 + 2048e-9);
    assert_true(ask_two(s, 32, 1048577).outside);
    assert_true(ask_two(s, 15, 2048).outside);
    atm_surrogate_destroy(s);
}

static void a_log_law_goes_on_by_doublings(void **state)
{
    /* 1e-5 ln(nodes) */
    atm_surrogate *s = make_two("[\"log\", \"constant\"]", "linear",
                                "{\"intercept\": 0, \"coefficients\": [1e-5, 0]}",
                                ", \"pipeline\": {\"box_cox\": [0, 0]}");

    (void) state;
    assert_near(ask_two(s, 4096, 2048).seconds, 1e-5 * log(4096));
    assert_near(ask_two(s, 2, 2048).seconds, 1e-5 * log(16)); /* no law below */
    assert_near(ask_two(s, 32, 1e12).seconds, 1e-5 * log(32));
    assert_true(ask_two(s, 32, 1e12).outside);
    atm_surrogate_destroy(s);
}

static void two_features_outside_multiply(void **state)
{
    /* a power law: 1e-9 nodes bytes */
    atm_surrogate *s = make_two("[\"linear\", \"linear\"]", "linear",
                                "{\"intercept\": -20.72326583694641, \"coefficients\": [1, 1]}",
                                ", \"pipeline\": {\"box_cox\": [0, 0], \"target\": \"log\"}");

    (void) state;
    assert_near(ask_two(s, 640, 10485760).seconds / ask_two(s, 64, 1048576).seconds, 100);
    assert_near(ask_two(s, 1.6, 10485760).seconds / ask_two(s, 16, 1048576).seconds, 1);
    atm_surrogate_destroy(s);
}

static void what_falls_stays_at_the_edge(void **state)
{
    atm_surrogate *s = make_two("[\"linear\", \"linear\"]", "linear",
                                "{\"intercept\": 1, \"coefficients\": [-1e-3, -1e-9]}", "");

    (void) state;
    assert_near(ask_two(s, 1e6, 1024).seconds, ask_two(s, 64, 1024).seconds);
    assert_near(ask_two(s, 32, 1e12).seconds, ask_two(s, 32, 1048576).seconds);
    assert_near(ask_two(s, 1, 1024).seconds, ask_two(s, 16, 1024).seconds);
    atm_surrogate_destroy(s);
}

static void a_flat_last_step_takes_the_slope_of_the_range(void **state)
{
    /* 1 s up to 4096 bytes, 2 s above */
    atm_surrogate *s =
        make_two("[\"linear\", \"linear\"]", "forest",
                 "{\"trees\": [{\"inputs\": [1, -1, -1], \"values\": [4096, 1, 2]}]}", "");
    double slope = 1.0 / (1048576 - 1024);

    (void) state;
    assert_near(ask_two(s, 32, 2 * 1048576).seconds, 2 + slope * 1048576);
    assert_near(ask_two(s, 32, 0).seconds, 1 - slope * 1024);
    atm_surrogate_destroy(s);
}

static void steep_edges_are_tamed(void **state)
{
    /* like x^4: almost all of the time comes in the last octave */
    atm_surrogate *s = make_two("[\"linear\", \"linear\"]", "linear",
                                "{\"intercept\": -45, \"coefficients\": [0, 4]}",
                                ", \"pipeline\": {\"box_cox\": [0, 0], \"target\": \"log\"}");
    double high = ask_two(s, 32, 1048576).seconds, low = ask_two(s, 32, 1024).seconds;

    (void) state;
    assert_near(ask_two(s, 32, 2 * 1048576).seconds, (1 + 2 * 15 / 16.0) * high);
    assert_near(ask_two(s, 32, 512).seconds, low / 2);
    atm_surrogate_destroy(s);
}

static void narrow_ranges_are_tamed(void **state)
{
    /* rises tenfold within a tenth of the size */
    atm_surrogate *s =
        make("{\"model\": \"forest\", \"features\": [\"bytes\"], \"min\": [100], \"max\": [110],"
             " \"error\": 0, \"parameters\": {\"trees\": [{\"inputs\": [0, -1, -1],"
             " \"values\": [105, 1, 10]}]}}");
    double features[ATM_FEATURE_COUNT] = {[ATM_BYTES] = 220};

    (void) state;
    assert_near(ask(s, features).seconds, 30);
    atm_surrogate_destroy(s);
}

static void a_range_of_one_point(void **state)
{
    atm_surrogate *s =
        make("{\"model\": \"const\", \"features\": [\"bytes\"], \"min\": [100], \"max\": [100],"
             " \"error\": 0, \"parameters\": {\"output\": 0.5}}");
    double at[] = {10, 100, 1000}, expected[] = {0.5, 0.5, 5};

    (void) state;
    for (int i = 0; i < 3; i++) {
        double features[ATM_FEATURE_COUNT] = {[ATM_BYTES] = at[i]};

        assert_near(ask(s, features).seconds, expected[i]);
        assert_int_equal(ask(s, features).outside, at[i] != 100);
    }
    atm_surrogate_destroy(s);
}

static void uncertainty_grows_with_the_distance(void **state)
{
    atm_surrogate *s = make_two("[\"linear\", \"linear\"]", "linear",
                                "{\"intercept\": 1, \"coefficients\": [1, 1]}", "");
    double last = 0;

    (void) state;
    assert_near(ask_two(s, 32, 2048).uncertainty, 0.1);
    assert_near(ask_two(s, 32, 2 * 1048576).uncertainty, sqrt(0.01 + 0.25));
    assert_near(ask_two(s, 8, 2 * 1048576).uncertainty, sqrt(0.01 + 0.75 * 0.75));
    /* half as many bytes: latency, 33, stays; the 512 that are taken off are a guess */
    assert_near(ask_two(s, 32, 512).uncertainty, sqrt(0.01 + pow(512 / (33.0 + 1024), 2)));
    assert_near(ask_two(s, 32, 0).uncertainty, sqrt(0.01 + pow(1024 / (33.0 + 1024), 2)));
    assert_near(ask_two(s, 8, 2048).uncertainty, sqrt(0.01 + 0.25)); /* half as many nodes */
    for (double bytes = 1024; bytes < 1e20; bytes *= 3) {
        double now = ask_two(s, 32, bytes).uncertainty;

        assert_true(now >= last);
        last = now;
    }
    atm_surrogate_destroy(s);
}

static void bounds_of_seconds_hold_inside(void **state)
{
    atm_surrogate *s = make_two("[\"linear\", \"linear\"]", "linear",
                                "{\"intercept\": -1, \"coefficients\": [0, 1e-5]}",
                                ", \"seconds_min\": 0.25, \"seconds_max\": 4");
    atm_surrogate *bare = make_two("[\"linear\", \"linear\"]", "linear",
                                   "{\"intercept\": -1, \"coefficients\": [0, 0]}", "");

    (void) state;
    assert_near(ask_two(s, 32, 1024).seconds, 0.25);
    assert_near(ask_two(s, 32, 200000).seconds, 1);
    assert_near(ask_two(s, 32, 1048576).seconds, 4);
    assert_true(ask_two(bare, 32, 1024).seconds == ATM_SECONDS_MIN);
    atm_surrogate_destroy(s);
    atm_surrogate_destroy(bare);
}

static void nonsense_in_queries_is_harmless(void **state)
{
    static const double odd[] = {NAN,      INFINITY, -INFINITY, -1,       0,
                                 -DBL_MAX, DBL_MAX,  DBL_MIN,   0x1p-1074};
    atm_surrogate *s = make_two("[\"log\", \"linear\"]", "linear",
                                "{\"intercept\": 1e-3, \"coefficients\": [1e-5, 1e-9]}", "");
    atm_surrogate *absurd =
        make_two("[\"log\", \"linear\"]", "mlp",
                 "{\"activation\": \"relu\", \"layers\": ["
                 "{\"weights\": [[1e100, 1e100], [1e100, 1e100]], \"biases\": [0, 0]},"
                 "{\"weights\": [[1e100, 1e100], [1e100, 1e100]], \"biases\": [0, 0]},"
                 "{\"weights\": [[1e100, 1e100], [1e100, 1e100]], \"biases\": [0, 0]},"
                 "{\"weights\": [[1e100, 1e100], [1e100, 1e100]], \"biases\": [0, 0]},"
                 "{\"weights\": [[1], [-1]], \"biases\": [0]}]}",
                 "");

    (void) state;
    for (int i = 0; i < 81; i++) {
        atm_estimate e = ask_two(s, odd[i / 9], odd[i % 9]);

        assert_true(e.outside);
        assert_true(e.seconds >= ATM_SECONDS_MIN && e.seconds <= ATM_SECONDS_MAX);
        assert_true(e.uncertainty >= 0 && e.uncertainty <= 2);
    }
    assert_true(ask_two(absurd, 32, 2048).seconds == ATM_SECONDS_MAX);
    assert_true(ask_two(absurd, 32, 2048).uncertainty == ATM_UNCERTAINTY_MAX);
    atm_surrogate_destroy(s);
    atm_surrogate_destroy(absurd);
}

/* --- any query */

/* Time rises with nodes and bytes: a linear law or a power law. */
static atm_surrogate *random_rising(random_state *r)
{
    bool power = random_below(r, 2);
    const char *laws[] = {"constant", "linear", "log"};
    char parameters[256], beyond[64];
    const char *first = laws[random_below(r, 3)], *second = laws[random_below(r, 3)];
    double a = random_unit(r), b = random_unit(r), c = random_unit(r);

    snprintf(beyond, sizeof(beyond), "[\"%s\", \"%s\"]", first, second);
    snprintf(parameters, sizeof(parameters),
             "{\"intercept\": %.17g, \"coefficients\": [%.17g, %.17g]}",
             power ? -10 - 5 * a : 1e-4 * a, power ? b : 1e-6 * b, power ? 1.5 * c : 1e-8 * c);
    return make_two(beyond, "linear", parameters,
                    power ? ", \"pipeline\": {\"box_cox\": [0, 0], \"target\": \"log\"}" : "");
}

static void time_rises_with_bytes(void **state)
{
    random_state r = {20151};

    (void) state;
    for (int i = 0; i < CASES; i += 20) {
        atm_surrogate *s = random_rising(&r);

        for (int k = 0; k < 20; k++) {
            double nodes = exp(10 * random_unit(&r)), bytes = exp(22 * random_unit(&r));
            double more = bytes * (1 + random_unit(&r) * (k % 2 ? 1e-6 : 100));
            atm_estimate a = ask_two(s, nodes, bytes), b = ask_two(s, nodes, more);

            if (!(a.seconds <= b.seconds * (1 + 1e-14)))
                fail_msg("%g nodes, %.17g bytes: %.17g, %.17g bytes: %.17g", nodes, bytes,
                         a.seconds, more, b.seconds);
            /* no jump at an edge */
            if (more < bytes * (1 + 1e-5))
                assert_true(b.seconds <= a.seconds * (1 + 1e-4));
        }
        atm_surrogate_destroy(s);
    }
}

static double random_feature(random_state *r, double min, double max)
{
    double inside = min + (max - min) * random_unit(r);
    double factor = exp(20 * random_unit(r));

    switch (random_below(r, 6)) {
        case 0:
            return max * factor;
        case 1:
            return min / factor;
        case 2:
            return random_below(r, 2) ? min : max;
        default:
            return inside;
    }
}

static void check_any(const atm_surrogate *s, random_state *r)
{
    double features[ATM_FEATURE_COUNT];
    bool outside = false;
    atm_estimate a, b;

    for (int i = 0; i < ATM_FEATURE_COUNT; i++) {
        double min, max;

        features[i] = random_unit(r);
        if (!atm_surrogate_range(s, (atm_feature) i, &min, &max))
            continue;
        features[i] = random_feature(r, min, max);
        outside |= features[i] < min || features[i] > max;
    }
    a = ask(s, features);
    b = ask(s, features);
    assert_true(a.seconds >= ATM_SECONDS_MIN && a.seconds <= ATM_SECONDS_MAX);
    assert_true(a.uncertainty >= 0 && a.uncertainty <= ATM_UNCERTAINTY_MAX);
    assert_int_equal(a.outside, outside);
    assert_true(a.seconds == b.seconds && a.uncertainty == b.uncertainty);
}

static void every_model_is_finite_positive_and_steady(void **state)
{
    static const char *const models[] = {"linear", "knn", "svr", "rules", "forest", "mlp"};
    random_state r = {4711};

    (void) state;
    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
        atm_value *root = golden(models[i]);
        const atm_value *cases = atm_value_find(root, "cases");
        size_t count = atm_value_length(cases);

        for (size_t k = 0; k < count; k++) {
            atm_surrogate *s = read_ok(atm_value_find(atm_value_item(cases, k), "surrogate"));

            for (size_t n = 0; n < CASES / count; n++)
                check_any(s, &r);
            atm_surrogate_destroy(s);
        }
        atm_value_destroy(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_law_goes_on_exactly),
        cmocka_unit_test(a_log_law_goes_on_by_doublings),
        cmocka_unit_test(two_features_outside_multiply),
        cmocka_unit_test(what_falls_stays_at_the_edge),
        cmocka_unit_test(a_flat_last_step_takes_the_slope_of_the_range),
        cmocka_unit_test(steep_edges_are_tamed),
        cmocka_unit_test(narrow_ranges_are_tamed),
        cmocka_unit_test(a_range_of_one_point),
        cmocka_unit_test(uncertainty_grows_with_the_distance),
        cmocka_unit_test(bounds_of_seconds_hold_inside),
        cmocka_unit_test(nonsense_in_queries_is_harmless),
        cmocka_unit_test(time_rises_with_bytes),
        cmocka_unit_test(every_model_is_finite_positive_and_steady),
    };

    return cmocka_run_group_tests_name("surrogate range", tests, NULL, NULL);
}
