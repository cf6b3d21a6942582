/*
 * What one prediction costs, for each model: as in the golden files, as large
 * as a calibration makes it, and as large as the format allows.
 *
 *     bench_surrogate          nanoseconds by the clock
 *     bench_surrogate 1000 4   only so many predictions, only of case 4 (from 0); instructions:
 *         valgrind --tool=callgrind --toggle-collect=atm_surrogate_predict bench_surrogate 1000 4
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cost/surrogate.h"

static uint64_t state = 88172645463325252u;

static double unit(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double) (state >> 11) * 0x1p-53;
}

static void put_randoms(atm_value *object, const char *key, int rows, int columns, double size)
{
    atm_value *array = atm_put_array(object, key);

    for (int i = 0; i < rows; i++) {
        atm_value *row = columns > 1 ? atm_put_array(array, NULL) : array;

        for (int k = 0; k < columns; k++)
            atm_put_number(row, NULL, size * (2 * unit() - 1));
    }
}

/* --- parameters of a given size, for 3 scaled inputs */

static void make_const(atm_value *parameters, int size)
{
    (void) size;
    atm_put_number(parameters, "output", 0.001);
}

static void make_linear(atm_value *parameters, int size)
{
    (void) size;
    atm_put_number(parameters, "intercept", -5);
    put_randoms(parameters, "coefficients", 3, 1, 1);
}

static void make_knn(atm_value *parameters, int points)
{
    atm_put_integer(parameters, "neighbours", 5);
    put_randoms(parameters, "points", points, 3, 2);
    put_randoms(parameters, "outputs", points, 1, 5);
}

static void make_svr(atm_value *parameters, int vectors)
{
    atm_put_number(parameters, "gamma", 0.3);
    atm_put_number(parameters, "bias", -5);
    put_randoms(parameters, "vectors", vectors, 3, 2);
    put_randoms(parameters, "alphas", vectors, 1, 1);
}

/* 3 node counts, so many sizes, and between them */
static void make_svr_grid(atm_value *parameters, int vectors)
{
    atm_value *rows, *row;

    atm_put_number(parameters, "gamma", 0.3);
    atm_put_number(parameters, "bias", -5);
    rows = atm_put_array(parameters, "vectors");
    for (int i = 0; i < vectors; i++) {
        row = atm_put_array(rows, NULL);
        atm_put_number(row, NULL, i % 3 - 1);
        atm_put_number(row, NULL, i / 3 % (vectors / 75 + 1) / 10.0);
        atm_put_number(row, NULL, i / 3 / (vectors / 75 + 1) / 13.0 - 1);
    }
    put_randoms(parameters, "alphas", vectors, 1, 1);
}

static void make_rules(atm_value *parameters, int members)
{
    atm_value *committee, *instances;

    atm_put_number(parameters, "default", -5);
    committee = atm_put_array(parameters, "committee");
    for (int i = 0; i < members; i++) {
        atm_value *member = atm_put_array(committee, NULL);

        for (int k = 0; k < 8; k++) {
            atm_value *rule = atm_put_object(member, NULL), *conditions, *row;

            conditions = atm_put_array(rule, "conditions");
            row = atm_put_array(conditions, NULL);
            atm_put_integer(row, NULL, k % 3);
            atm_put_string(row, NULL, k % 2 ? "<=" : ">");
            atm_put_number(row, NULL, unit());
            atm_put_number(rule, "intercept", -5);
            put_randoms(rule, "coefficients", 3, 1, 1);
        }
    }
    instances = atm_put_object(parameters, "instances");
    make_knn(instances, 250);
}

static void make_forest(atm_value *parameters, int trees)
{
    enum { INNER = 127 };
    atm_value *array = atm_put_array(parameters, "trees");

    for (int i = 0; i < trees; i++) {
        atm_value *tree = atm_put_object(array, NULL), *inputs = atm_put_array(tree, "inputs");

        for (int k = 0; k < 2 * INNER + 1; k++)
            atm_put_integer(inputs, NULL, k < INNER ? k % 3 : -1);
        put_randoms(tree, "values", 2 * INNER + 1, 1, 2);
    }
}

static void put_layer(atm_value *layers, int inputs, int units)
{
    atm_value *layer = atm_put_object(layers, NULL), *rows;

    rows = atm_put_array(layer, "weights");
    for (int i = 0; i < inputs; i++)
        put_randoms(rows, NULL, units, 1, 1);
    put_randoms(layer, "biases", units, 1, 1);
}

static void make_mlp(atm_value *parameters, int units)
{
    atm_value *layers;

    atm_put_string(parameters, "activation", "tanh");
    layers = atm_put_array(parameters, "layers");
    put_layer(layers, 3, units);
    put_layer(layers, units, units);
    put_layer(layers, units, 1);
}

static const struct {
    const char *model, *size_of;
    int size;
    void (*make)(atm_value *parameters, int size);
} cases[] = {
    {"const", "", 1, make_const},
    {"linear", "", 1, make_linear},
    {"knn", "points", 27, make_knn},
    {"knn", "points", 270, make_knn},
    {"knn", "points", 1044, make_knn},
    {"knn", "points", 4096, make_knn},
    {"svr", "vectors", 50, make_svr},
    {"svr", "vectors", 200, make_svr},
    {"svr", "vectors", 1044, make_svr},
    {"svr", "vectors", 4096, make_svr},
    {"svr", "vectors on a grid", 200, make_svr_grid},
    {"svr", "vectors on a grid", 1044, make_svr_grid},
    {"svr", "vectors on a grid", 4096, make_svr_grid},
    {"rules", "members of 8 rules, 250 instances", 1, make_rules},
    {"rules", "members of 8 rules, 250 instances", 20, make_rules},
    {"forest", "trees of depth 7", 20, make_forest},
    {"forest", "trees of depth 7", 500, make_forest},
    {"mlp", "units in each of 2 layers", 8, make_mlp},
    {"mlp", "units in each of 2 layers", 64, make_mlp},
};

static atm_surrogate *make(const char *model, void (*fill)(atm_value *, int), int size)
{
    static const char *const features[] = {"nodes", "per_node", "bytes"};
    static const double min[] = {1, 1, 1}, max[] = {512, 16, 4194304};
    static const double centre[] = {3, 1.5, 7}, scale[] = {1.8, 0.8, 4.3};
    static const double log[] = {0, 0, 0};
    atm_value *object = atm_value_object(), *array, *pipeline;
    atm_surrogate *surrogate = NULL;
    atm_message message = {""};

    atm_put_string(object, "model", model);
    array = atm_put_array(object, "features");
    for (int i = 0; i < 3; i++)
        atm_put_string(array, NULL, features[i]);
    atm_put_numbers(object, "min", min, 3);
    atm_put_numbers(object, "max", max, 3);
    atm_put_number(object, "error", 0.1);
    pipeline = atm_put_object(object, "pipeline");
    atm_put_numbers(pipeline, "box_cox", log, 3);
    atm_put_numbers(pipeline, "centre", centre, 3);
    atm_put_numbers(pipeline, "scale", scale, 3);
    atm_put_string(pipeline, "target", "log");
    fill(atm_put_object(object, "parameters"), size);
    if (atm_surrogate_read(object, &message, &surrogate) != ATM_OK)
        fprintf(stderr, "%s\n", message.text);
    atm_value_destroy(object);
    return surrogate;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Seconds that count predictions take, the best of some rounds. */
static double measure(const atm_surrogate *surrogate, int count, int rounds)
{
    enum { QUERIES = 512 };
    double queries[QUERIES][ATM_FEATURE_COUNT] = {{0}}, best = INFINITY, sum = 0;

    for (int i = 0; i < QUERIES; i++) {
        queries[i][ATM_NODES] = floor(exp2(9 * unit()));
        queries[i][ATM_PER_NODE] = floor(exp2(4 * unit()));
        queries[i][ATM_BYTES] = floor(exp2(22 * unit()));
    }
    for (int round = 0; round < rounds; round++) {
        double start = now(), took;

        for (int i = 0; i < count; i++) {
            atm_estimate estimate;

            atm_surrogate_predict(surrogate, queries[i % QUERIES], &estimate);
            sum += estimate.seconds;
        }
        took = now() - start;
        best = took < best ? took : best;
    }
    return isfinite(sum) ? best : INFINITY;
}

int main(int argc, char **argv)
{
    int fixed = argc > 1 ? atoi(argv[1]) : 0, only = argc > 2 ? atoi(argv[2]) : -1;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        atm_surrogate *surrogate = make(cases[i].model, cases[i].make, cases[i].size);
        int count = fixed > 0 ? fixed : 2000;

        if (surrogate == NULL)
            return 1;
        if (only >= 0 && only != (int) i) {
            atm_surrogate_destroy(surrogate);
            continue;
        }
        printf("%-7s %4d %-35s %8.0f ns\n", cases[i].model, cases[i].size, cases[i].size_of,
               1e9 * measure(surrogate, count, fixed > 0 ? 1 : 9) / count);
        atm_surrogate_destroy(surrogate);
    }
    return 0;
}
