/* The black box: learned from runs, it picks a configuration. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "train/runs.h"

static const char *data; /* directory of sample files */

typedef struct job {
    int nodes;
    double per_node;
    uint64_t bytes;
} job;

typedef struct config {
    int aggregators;
    uint64_t buffer;
} config;

static const config configs[] = {{1, 4 << 20},  {2, 4 << 20},  {4, 4 << 20},
                                 {1, 16 << 20}, {2, 16 << 20}, {4, 16 << 20}};

enum { CONFIGS = sizeof(configs) / sizeof(configs[0]) };

/* The function behind runs/good.json. */
static double truth(const job *job, const config *c)
{
    double ranks = job->nodes * job->per_node, mebibytes = (double) job->bytes / (1 << 20);

    return 0.01 + ranks * (double) job->bytes / (c->aggregators * 4e8) + 0.002 * c->aggregators +
           0.001 * ranks * mebibytes / c->aggregators / ((double) c->buffer / (1 << 20));
}

static double predicted(const atm_surrogate *model, const job *job, const config *c)
{
    const double features[ATM_FEATURE_COUNT] = {[ATM_NODES] = job->nodes,
                                                [ATM_PER_NODE] = job->per_node,
                                                [ATM_SENDERS] = job->nodes * job->per_node,
                                                [ATM_RECEIVERS] = c->aggregators,
                                                [ATM_BYTES] = (double) job->bytes,
                                                [ATM_STRIPES] = 1,
                                                [ATM_MESSAGES] = (double) c->buffer};
    atm_estimate estimate;

    atm_surrogate_predict(model, features, &estimate);
    return estimate.seconds;
}

static void test_ml(void **state)
{
    const job job = {.nodes = 4, .per_node = 4, .bytes = 16 << 20};
    train_options options = {.seed = 1, .algorithm = "svr"};
    char path[4096], written[] = "/tmp/autotune-ml.XXXXXX";
    atm_message message = {""};
    points *runs;
    train_result *result;
    atm_value *document, *root;
    atm_surrogate *model;
    int file = mkstemp(written), chosen = 0;

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
    assert_int_equal(atm_value_read(written, &message, &root), ATM_OK);
    assert_int_equal(atm_surrogate_read(atm_value_find(root, "model"), &message, &model), ATM_OK);
    for (int i = 1; i < CONFIGS; i++)
        if (predicted(model, &job, &configs[i]) < predicted(model, &job, &configs[chosen]))
            chosen = i;
    for (int i = 0; i < CONFIGS; i++)
        assert_true(truth(&job, &configs[chosen]) <= 1.1 * truth(&job, &configs[i]));
    assert_true(
        fabs(log(predicted(model, &job, &configs[chosen]) / truth(&job, &configs[chosen]))) < 0.2);
    atm_surrogate_destroy(model);
    atm_value_destroy(root);
    atm_value_destroy(document);
    train_destroy(result);
    points_destroy(runs);
    unlink(written);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ml)};

    data = argc > 1 ? argv[1] : "test/unit/train/data";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
