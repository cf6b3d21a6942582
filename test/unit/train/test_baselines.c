/* default, rs and the black box. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "train/baselines.h"
#include "train/runs.h"

static const char *data; /* directory of sample files */

static const baseline_config configs[] = {{1, 4 << 20, 1},  {2, 4 << 20, 1},  {4, 4 << 20, 1},
                                          {1, 16 << 20, 1}, {2, 16 << 20, 1}, {4, 16 << 20, 1}};

enum { CONFIGS = sizeof(configs) / sizeof(configs[0]) };

static void test_default(void **state)
{
    baseline_job job = {.nodes = 2, .per_node = 4, .bytes = 1 << 20};

    (void) state;
    assert_int_equal(baseline_default(&job, configs, CONFIGS), 4);
    job.nodes = 3;
    assert_int_equal(baseline_default(&job, configs, CONFIGS), -1);
}

static void test_random(void **state)
{
    const double seconds[] = {3, 2, 5, 1, 4};
    int drawn[5] = {0};
    uint64_t random = 1;

    (void) state;
    for (int i = 0; i < 5000; i++)
        drawn[baseline_random(seconds, 5, 1, &random)]++;
    for (int i = 0; i < 5; i++)
        assert_in_range(drawn[i], 850, 1150); /* 1000 expected, deviation 28 */
    assert_int_equal(baseline_random(seconds, 5, 5, &random), 3);
    assert_int_equal(baseline_random(seconds, 5, 99, &random), 3);
    for (int i = 0; i < 100; i++) /* of four, the best or the second is among them */
        assert_true(seconds[baseline_random(seconds, 5, 4, &random)] <= 2);
}

/* The function behind runs/good.json. */
static double truth(const baseline_job *job, const baseline_config *c)
{
    double ranks = job->nodes * job->per_node, mebibytes = (double) job->bytes / (1 << 20);

    return 0.01 + ranks * (double) job->bytes / (c->aggregators * 4e8) + 0.002 * c->aggregators +
           0.001 * ranks * mebibytes / c->aggregators / ((double) c->buffer / (1 << 20));
}

static void test_ml(void **state)
{
    const baseline_job job = {.nodes = 4, .per_node = 4, .bytes = 16 << 20};
    train_options options = {.seed = 1, .algorithm = "svr"};
    char path[4096], written[] = "/tmp/autotune-ml.XXXXXX";
    atm_message message = {""};
    points *runs;
    train_result *result;
    atm_value *document;
    atm_surrogate *model;
    int file = mkstemp(written), chosen;

    (void) state;
    assert_true(file >= 0);
    close(file);
    snprintf(path, sizeof(path), "%s/runs/good.json", data);
    assert_int_equal(runs_read(path, &message, &runs), ATM_OK);
    assert_int_equal(train_run(&runs, 1, &options, &message, &result), ATM_OK);
    assert_int_equal(result->operation_count, 1);
    assert_string_equal(result->operations[0].candidates[0].algorithm, "svr");
    assert_true(result->operations[0].candidates[result->operations[0].chosen].score.r2 > 0.95);
    assert_int_equal(runs_ml_document(result, &document), ATM_OK);
    assert_int_equal(atm_value_write(document, written, &message), ATM_OK);
    assert_int_equal(runs_ml_read(written, &message, &model), ATM_OK);
    chosen = baseline_ml(model, &job, configs, CONFIGS);
    for (int i = 0; i < CONFIGS; i++)
        assert_true(truth(&job, &configs[chosen]) <= 1.1 * truth(&job, &configs[i]));
    assert_true(fabs(log(baseline_ml_seconds(model, &job, &configs[chosen]) /
                         truth(&job, &configs[chosen]))) < 0.2);
    atm_surrogate_destroy(model);
    atm_value_destroy(document);
    train_destroy(result);
    points_destroy(runs);
    unlink(written);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_default),
                                       cmocka_unit_test(test_random), cmocka_unit_test(test_ml)};

    data = argc > 1 ? argv[1] : "test/unit/train/data";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
