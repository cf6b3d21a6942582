/* Prediction: sums, uncertainty, differences worked out by hand; and what must
 * hold for any job. */

#include "choose_help.h"

#include "choose/compare.h"

#include <math.h>

enum { CASES = 10000 };

/* allreduce takes 1 s, the others 2, 4, ...; all but allreduce +- 1/2, bytes in
 * [0, 100] */
static atm_profile *powers_of_two(void)
{
    static const char *const names[] = {"allreduce", "alltoall", "write_full", "write_first"};
    static const double error[] = {0.25, 0.5, 0.5, 0.5};
    char text[4096], *end = text;

    end += sprintf(end, "{\"format\": \"romio-autotune-profile\", \"version\": 1,"
                        " \"machine\": {}, \"operations\": {");
    for (int i = 0; i < 4; i++)
        end += sprintf(end,
                       "%s\"%s\": {\"model\": \"const\", \"features\": [\"bytes\"],"
                       "\"min\": [0], \"max\": [100], \"beyond\": [\"constant\"],"
                       "\"error\": %g, \"parameters\": {\"output\": %d}}",
                       i > 0 ? ", " : "", names[i], error[i], 1 << i);
    sprintf(end, "}}");
    return profile_of(text);
}

static atm_cost_item item(atm_part part, double count, atm_operation operation, double bytes)
{
    return (atm_cost_item){
        .operation = operation, .part = part, .count = count, .features = {[ATM_BYTES] = bytes}};
}

static void sum_by_hand(void **state)
{
    atm_profile *profile = powers_of_two();
    atm_counts counts = {.items = {item(ATM_PARTITIONING, 3, ATM_ALLREDUCE, 8),
                                   item(ATM_SHUFFLE, 2, ATM_ALLTOALL, 4),
                                   item(ATM_STORAGE, 1, ATM_WRITE_FIRST, 50),
                                   item(ATM_STORAGE, 5, ATM_WRITE_FULL, 50),
                                   item(ATM_STORAGE, 0, ATM_WRITE_FULL, 1e9)},
                         .item_count = 5};
    atm_prediction prediction;

    (void) state;
    atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
    assert_true(prediction.parts[ATM_PARTITIONING] == 3);
    assert_true(prediction.parts[ATM_SHUFFLE] == 4);
    assert_true(prediction.parts[ATM_STORAGE] == 28);
    assert_true(prediction.seconds == 35);
    assert_true(prediction.uncertainty ==
                sqrt(pow(0.03 * 35, 2) + 0.75 * 0.75 + 2 * 2 + 4 * 4 + 10 * 10) / 35);
    assert_int_equal(prediction.outside, 0);
    assert_false(prediction.cut);
    atm_profile_destroy(profile);
}

/* The same estimate in two parts errs in both. */
static void same_estimate_twice(void **state)
{
    atm_profile *profile = powers_of_two();
    atm_counts counts = {.items = {item(ATM_PARTITIONING, 3, ATM_ALLREDUCE, 8),
                                   item(ATM_SHUFFLE, 5, ATM_ALLREDUCE, 8)},
                         .item_count = 2};
    atm_prediction prediction;

    (void) state;
    atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
    assert_true(prediction.seconds == 8);
    assert_float_equal(prediction.uncertainty, sqrt(0.03 * 0.03 + 0.25 * 0.25), 1e-15);
    counts.items[1].features[ATM_BYTES] = 9;
    atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
    assert_float_equal(prediction.uncertainty,
                       sqrt(pow(0.03 * 8, 2) + 0.75 * 0.75 + 1.25 * 1.25) / 8, 1e-15);
    atm_profile_destroy(profile);
}

static void comparing_takes_time(void **state)
{
    atm_profile *profile = powers_of_two();
    atm_counts counts = {.items = {item(ATM_SHUFFLE, 1, ATM_ALLTOALL, 4)}, .item_count = 1};
    atm_prediction prediction, longer;

    (void) state;
    atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
    counts.compared = 1e9;
    atm_predict_counts(profile, &counts, NULL, INFINITY, &longer);
    assert_float_equal(longer.parts[ATM_SHUFFLE] - prediction.parts[ATM_SHUFFLE], 0.7, 1e-12);
    assert_float_equal(longer.seconds - prediction.seconds, 0.7, 1e-12);
    atm_profile_destroy(profile);
}

static void nothing_to_do(void **state)
{
    atm_profile *profile = powers_of_two();
    atm_counts counts = {.item_count = 0};
    atm_prediction prediction;

    (void) state;
    atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
    assert_true(prediction.seconds == 0);
    assert_true(prediction.uncertainty == 0);
    atm_profile_destroy(profile);
}

static void outside_is_noticed(void **state)
{
    atm_profile *profile = powers_of_two();
    atm_counts counts = {.items = {item(ATM_SHUFFLE, 1, ATM_ALLTOALL, 200),
                                   item(ATM_STORAGE, 1, ATM_WRITE_FULL, 100)},
                         .item_count = 2};
    atm_prediction prediction;

    (void) state;
    atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
    assert_int_equal(prediction.outside, 1u << ATM_ALLTOALL);
    /* twice outside, half of it is a guess: sqrt(1/4 + 1/4) */
    assert_true(fabs(prediction.uncertainty - sqrt(pow(0.03 * 6, 2) + 2 * 2 * 0.5 + 2 * 2) / 6) <
                1e-15);
    atm_profile_destroy(profile);
}

/* Storage comes first, most rounds before others. */
static void given_up_at_the_limit(void **state)
{
    atm_profile *profile = powers_of_two();
    atm_counts counts = {.items = {item(ATM_PARTITIONING, 1, ATM_ALLREDUCE, 8),
                                   item(ATM_STORAGE, 1, ATM_WRITE_FIRST, 50),
                                   item(ATM_STORAGE, 5, ATM_WRITE_FULL, 50)},
                         .item_count = 3};
    atm_prediction prediction;

    (void) state;
    atm_predict_counts(profile, &counts, NULL, 19, &prediction);
    assert_true(prediction.cut);
    assert_true(prediction.seconds == 20);
    atm_predict_counts(profile, &counts, NULL, 29, &prediction);
    assert_false(prediction.cut);
    assert_true(prediction.seconds == 29);
    atm_profile_destroy(profile);
}

static atm_comparison compare(const atm_profile *profile, const atm_counts *one,
                              const atm_counts *other)
{
    atm_reference reference = {.counts = *one};
    atm_comparison comparison;

    atm_reference_predict(profile, NULL, &reference);
    atm_compare(profile, &reference, other, NULL, &comparison);
    return comparison;
}

static double deviation_of(const atm_profile *profile, const atm_counts *one,
                           const atm_counts *other)
{
    atm_prediction prediction;
    atm_errors errors, others;

    atm_predict_errors(profile, one, NULL, &prediction, &errors);
    atm_predict_errors(profile, other, NULL, &prediction, &others);
    return atm_errors_difference(profile, &errors, &others);
}

/* Both may take half as long again, or two thirds: a time of 40 s is never one of 2 s. */
static void harm_by_hand(void **state)
{
    atm_profile *profile = powers_of_two();
    atm_counts slow = {.items = {item(ATM_STORAGE, 10, ATM_WRITE_FULL, 50)}, .item_count = 1};
    atm_counts middle = {.items = {item(ATM_STORAGE, 5, ATM_WRITE_FULL, 50)}, .item_count = 1};
    atm_counts fast = {.items = {item(ATM_SHUFFLE, 8, ATM_ALLTOALL, 4)}, .item_count = 1};
    atm_counts least = {.items = {item(ATM_SHUFFLE, 1, ATM_ALLTOALL, 4)}, .item_count = 1};
    double deviation = M_SQRT2 * log1p(sqrt(0.5 * 0.5 + 0.03 * 0.03));
    atm_comparison close = compare(profile, &middle, &fast); /* 20 s and 16 s */
    atm_comparison same = compare(profile, &slow, &slow);
    double expected = 0.5 * erfc((log(1.05) + log(20.0 / 16)) / deviation * M_SQRT1_2);

    (void) state;
    assert_float_equal(close.harm, expected, 1e-6);
    assert_float_equal(close.confidence, 0.5 * erfc(-log(20.0 / 16) / deviation * M_SQRT1_2), 1e-6);
    assert_true(compare(profile, &slow, &least).harm < 1e-5);
    assert_true(compare(profile, &least, &slow).harm > 1 - 1e-5);
    assert_true(same.harm == 0 && same.confidence == 0.5);
    /* errors that they share are none of the comparison */
    assert_true(compare(profile, &slow, &middle).harm < 1e-5);
    atm_profile_destroy(profile);
}

/* An unknown factor of all storage leaves open what is traded for communication, and not which of
 * two ways takes more of storage. */
static void doubt_by_hand(void **state)
{
    atm_profile *profile = powers_of_two(), *sure = powers_of_two();
    atm_counts slow = {.items = {item(ATM_STORAGE, 10, ATM_WRITE_FULL, 50)}, .item_count = 1};
    atm_counts middle = {.items = {item(ATM_STORAGE, 5, ATM_WRITE_FULL, 50)}, .item_count = 1};
    atm_counts least = {.items = {item(ATM_SHUFFLE, 1, ATM_ALLTOALL, 4)}, .item_count = 1};
    atm_prediction prediction;

    (void) state;
    profile->doubt[ATM_STORAGE_KIND] = 2;
    assert_true(compare(profile, &slow, &middle).harm < 1e-5);
    assert_true(compare(profile, &slow, &least).harm > compare(sure, &slow, &least).harm);
    assert_true(compare(profile, &slow, &least).deviation > 1.9);
    atm_predict_counts(profile, &middle, NULL, INFINITY, &prediction);
    assert_true(prediction.uncertainty > 0.99 * expm1(2));
    atm_profile_destroy(profile);
    atm_profile_destroy(sure);
}

/* What both have in common is no uncertainty of the difference. */
static void difference_by_hand(void **state)
{
    atm_profile *profile = powers_of_two();
    atm_counts one = {.items = {item(ATM_PARTITIONING, 3, ATM_ALLREDUCE, 8),
                                item(ATM_SHUFFLE, 2, ATM_ALLTOALL, 4),
                                item(ATM_STORAGE, 5, ATM_WRITE_FULL, 50)},
                      .item_count = 3};
    atm_counts other = {.items = {item(ATM_STORAGE, 2, ATM_WRITE_FULL, 50),
                                  item(ATM_PARTITIONING, 3, ATM_ALLREDUCE, 8),
                                  item(ATM_STORAGE, 1, ATM_WRITE_FULL, 60)},
                        .item_count = 3};
    /* alltoall, 3 x 4 s, 60 bytes, and what sums of 27 and 15 s leave out */
    double expected = sqrt(2 * 2 + 6 * 6 + 2 * 2 + pow(0.03 * 27, 2) + pow(0.03 * 15, 2));

    (void) state;
    assert_float_equal(deviation_of(profile, &one, &other), expected, 1e-14);
    assert_float_equal(deviation_of(profile, &other, &one), expected, 1e-14);
    assert_float_equal(deviation_of(profile, &one, &one), M_SQRT2 * 0.03 * 27, 1e-14);
    assert_true(compare(profile, &one, &one).deviation == 0);
    atm_profile_destroy(profile);
}

static atm_config random_config(const atm_request *request)
{
    atm_config config = request->defaults;

    config.collective = random_below(4) > 0;
    config.automatic = config.collective && random_below(2);
    config.aggregators = 1 + random_below(request->job.ranks);
    config.buffer = random_size(26);
    config.stripe_size = request->driver == ATM_LUSTRE ? 65536 * random_size(8) : 0;
    config.co_ratio = 1 + random_below(4);
    return config;
}

static void random_finite_and_remembered(void **state)
{
    atm_profile *profile = NULL;
    atm_memo *memo;
    int counted = 0;

    (void) state;
    assert_int_equal(atm_profile_generic(NULL, &profile), ATM_OK);
    memo = atm_memo_create(profile);
    seed = 20154;
    for (int i = 0; i < CASES; i++) {
        atm_request request = random_request(profile);
        atm_config config = random_config(&request);
        atm_prediction fresh, remembered;
        atm_counts counts;

        if (atm_predict(profile, request.driver, &request.job, &request.access, &config, NULL,
                        &counts, &fresh) != ATM_OK)
            continue;
        counted++;
        assert_true(fresh.seconds > 0 && isfinite(fresh.seconds));
        assert_true(fresh.uncertainty >= 0 && isfinite(fresh.uncertainty));
        for (int k = 0; k < ATM_PART_COUNT; k++)
            assert_true(fresh.parts[k] >= 0 && fresh.parts[k] <= fresh.seconds);
        atm_predict_counts(profile, &counts, memo, INFINITY, &remembered);
        assert_true(remembered.seconds == fresh.seconds);
        assert_true(remembered.uncertainty == fresh.uncertainty);
        assert_int_equal(remembered.outside, fresh.outside);
    }
    assert_true(counted > CASES * 9 / 10);
    atm_memo_destroy(memo);
    atm_profile_destroy(profile);
}

/* More bytes never take less time where every operation's time grows with its
 * work.  (But for Lustre reads: ROMIO rounds their file domains to stripes, and
 * the largest may shrink.) */
static void random_monotone_in_bytes(void **state)
{
    atm_profile *profile = simple_profile(1e-3, 1e-9, 0.1);

    (void) state;
    seed = 20155;
    for (int i = 0; i < CASES; i++) {
        atm_request request = random_request(profile);
        atm_config config = random_config(&request);
        uint64_t less = random_size(26), more = less + random_size(26);
        atm_access small = contiguous(request.job.ranks, less);
        atm_access large = contiguous(request.job.ranks, more);
        atm_prediction of_small, of_large;
        atm_counts counts;

        small.write = large.write = request.access.write || request.driver == ATM_LUSTRE;
        small.new_file = large.new_file = request.access.new_file;
        assert_int_equal(atm_predict(profile, request.driver, &request.job, &small, &config, NULL,
                                     &counts, &of_small),
                         ATM_OK);
        assert_int_equal(atm_predict(profile, request.driver, &request.job, &large, &config, NULL,
                                     &counts, &of_large),
                         ATM_OK);
        assert_true(of_small.seconds <= of_large.seconds * (1 + 1e-12));
    }
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sum_by_hand),
        cmocka_unit_test(same_estimate_twice),
        cmocka_unit_test(comparing_takes_time),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(outside_is_noticed),
        cmocka_unit_test(given_up_at_the_limit),
        cmocka_unit_test(difference_by_hand),
        cmocka_unit_test(doubt_by_hand),
        cmocka_unit_test(harm_by_hand),
        cmocka_unit_test(random_finite_and_remembered),
        cmocka_unit_test(random_monotone_in_bytes),
    };

    return cmocka_run_group_tests_name("prediction", tests, NULL, NULL);
}
