/*
 * mlp: 100 rectified units, the paper's number, by stochastic gradients (Adam: Kingma and
 * Ba, ICLR 2015) of the likelihood of labels.  tune/train/fit_mlp.c solves least squares
 * by Levenberg and Marquardt, which a dozen units are few enough for.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "cost/surrogate_math.h"
#include "learner.h"

enum {
    UNITS = 100,
    HIDDEN = (ATM_STATE_FEATURES + 1) * UNITS, /* biases, then weights of each input */
    WEIGHTS = HIDDEN + UNITS + 1,              /* weights of the units, bias */
    BATCH = 64,
    MOST_EPOCHS = 60,
    PRESENTED = 100000 /* rows, over all epochs */
};

#define RATE 2e-3
#define DECAY 1e-3

typedef struct network {
    double weights[WEIGHTS], gradient[WEIGHTS], first[WEIGHTS], second[WEIGHTS];
    int steps;
} network;

static void draw_weights(network *n, uint64_t *random)
{
    double hidden = sqrt(6.0 / (ATM_STATE_FEATURES + UNITS)), output = sqrt(6.0 / (UNITS + 1));

    for (int i = UNITS; i < HIDDEN; i++)
        n->weights[i] = hidden * (2 * rng_unit(random) - 1);
    for (int i = HIDDEN; i < WEIGHTS - 1; i++)
        n->weights[i] = output * (2 * rng_unit(random) - 1);
}

/* Adds the derivatives of one row's loss. */
static void add_gradient(network *n, const double *x, double label)
{
    const double *w = n->weights, *out = w + HIDDEN;
    double unit[UNITS], sum = out[UNITS], error;

    memcpy(unit, w, sizeof(unit));
    for (int i = 0; i < ATM_STATE_FEATURES; i++)
        for (int u = 0; u < UNITS; u++)
            unit[u] += w[(i + 1) * UNITS + u] * x[i];
    for (int u = 0; u < UNITS; u++)
        unit[u] = unit[u] > 0 ? unit[u] : 0;
    for (int u = 0; u < UNITS; u++)
        sum += out[u] * unit[u];
    error = 1 / (1 + sur_exp(-sum)) - label;
    n->gradient[WEIGHTS - 1] += error;
    for (int u = 0; u < UNITS; u++) {
        n->gradient[HIDDEN + u] += error * unit[u];
        unit[u] = unit[u] > 0 ? error * out[u] : 0;
        n->gradient[u] += unit[u];
    }
    for (int i = 0; i < ATM_STATE_FEATURES; i++)
        for (int u = 0; u < UNITS; u++)
            n->gradient[(i + 1) * UNITS + u] += unit[u] * x[i];
}

static void take_step(network *n, int rows, double rate)
{
    double first, second;

    n->steps++;
    first = 1 - pow(0.9, n->steps);
    second = 1 - pow(0.999, n->steps);
    for (int i = 0; i < WEIGHTS; i++) {
        double g = n->gradient[i] / rows + DECAY * n->weights[i];

        n->first[i] = 0.9 * n->first[i] + 0.1 * g;
        n->second[i] = 0.999 * n->second[i] + 0.001 * g * g;
        n->weights[i] -= rate * (n->first[i] / first) / (sqrt(n->second[i] / second) + 1e-8);
        n->gradient[i] = 0;
    }
}

static void put(const network *n, atm_value *parameters)
{
    atm_value *layers, *layer;

    atm_put_string(parameters, "activation", "relu");
    layers = atm_put_array(parameters, "layers");
    layer = atm_put_object(layers, NULL);
    atm_put_numbers(layer, "biases", n->weights, UNITS);
    atm_put_matrix(layer, "weights", n->weights + UNITS, ATM_STATE_FEATURES, UNITS);
    layer = atm_put_object(layers, NULL);
    atm_put_numbers(layer, "biases", n->weights + WEIGHTS - 1, 1);
    atm_put_matrix(layer, "weights", n->weights + HIDDEN, UNITS, 1);
}

/* The rate falls to nothing, so that the last rows are not remembered best. */
static atm_status mlp_fit(const learner_data *data, uint64_t seed, atm_value *parameters)
{
    network *n = calloc(1, sizeof(*n));
    int *order = malloc((size_t) data->rows * sizeof(int)), epochs = PRESENTED / data->rows + 1;
    bool enough = n != NULL && order != NULL;

    epochs = epochs < MOST_EPOCHS ? epochs : MOST_EPOCHS;
    for (int i = 0; enough && i < data->rows; i++)
        order[i] = i;
    if (enough)
        draw_weights(n, &seed);
    for (int epoch = 0; enough && epoch < epochs; epoch++) {
        rng_shuffle(&seed, order, data->rows);
        for (int i = 0; i < data->rows; i += BATCH) {
            int rows = data->rows - i < BATCH ? data->rows - i : BATCH;

            for (int k = 0; k < rows; k++)
                add_gradient(n, data->x + order[i + k] * ATM_STATE_FEATURES,
                             data->label[order[i + k]]);
            take_step(n, rows, RATE * (1 - (double) epoch / epochs));
        }
    }
    if (enough)
        put(n, parameters);
    free(order);
    free(n);
    return enough ? ATM_OK : ATM_NO_MEMORY;
}

const learner learner_mlp = {.name = "mlp", .most = 5000, .cost = 20, .fit = mlp_fit};
