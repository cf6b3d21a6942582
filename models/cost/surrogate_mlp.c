/*
 * mlp: a feed-forward neural network, x -> f(W x + b) for each hidden layer,
 * the last one without f (Rumelhart, Hinton, Williams, Nature 323, 1986).
 *
 *     "parameters": { "activation": "tanh",         or relu, logistic, identity
 *                     "layers": [ { "weights": [[..], ..],  a row for each input,
 *                                   "biases": [..] }, .. ] }  a column for each unit
 */

#include "surrogate_kind.h"

#include <stdlib.h>
#include <string.h>

#include "surrogate_math.h"

enum { MAX_LAYERS = 8, MAX_UNITS = 128 };

/* Units are worked on in blocks of fixed size, which compilers vectorise; rows
 * of weights are filled up with zeros. */
enum { BLOCK = 8 };

typedef enum activation { IDENTITY, LOGISTIC, RELU, TANH, ACTIVATIONS } activation;

static const char *const activation_names[ACTIVATIONS] = {
    [IDENTITY] = "identity", [LOGISTIC] = "logistic", [RELU] = "relu", [TANH] = "tanh"};

typedef struct layer {
    int inputs, units;
    double *numbers; /* [1 + inputs][padded(units)]: biases, then weights */
} layer;

typedef struct model {
    activation activation;
    int layers;
    layer layer[MAX_LAYERS];
} model;

static int padded(int units)
{
    return (units + BLOCK - 1) / BLOCK * BLOCK;
}

static void mlp_clear(void *model_)
{
    model *m = model_;

    for (int i = 0; i < m->layers; i++)
        free(m->layer[i].numbers);
}

static atm_status make_layer(const double *biases, const double *weights, int inputs, int units,
                             layer *l)
{
    size_t row = (size_t) padded(units), used = (size_t) units;

    l->inputs = inputs;
    l->units = units;
    l->numbers = calloc((size_t) (1 + inputs) * row, sizeof(double));
    if (l->numbers == NULL)
        return ATM_NO_MEMORY;
    memcpy(l->numbers, biases, used * sizeof(double));
    for (size_t i = 0; i < (size_t) inputs; i++)
        memcpy(l->numbers + (1 + i) * row, weights + i * used, used * sizeof(double));
    return ATM_OK;
}

static atm_status read_layer(const atm_value *object, int inputs, int max_units,
                             atm_message *message, layer *l)
{
    static const char *const keys[] = {"weights", "biases", NULL};
    size_t rows = (size_t) inputs, units;
    double *biases = NULL, *weights = NULL;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_numbers(object, "biases", 1, (size_t) max_units, -SUR_BIG, SUR_BIG,
                                 message, &biases, &units);
    if (status == ATM_OK)
        status = atm_get_matrix(object, "weights", rows, rows, units, units, -SUR_BIG, SUR_BIG,
                                message, &weights, &rows, &units);
    if (status == ATM_OK)
        status = make_layer(biases, weights, inputs, (int) units, l);
    free(biases);
    free(weights);
    return status;
}

static atm_status mlp_read(const atm_value *object, int inputs, atm_message *message, void *model_)
{
    static const char *const keys[] = {"activation", "layers", NULL};
    const atm_value *layers;
    model *m = model_;
    size_t chosen;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status =
            atm_get_choice(object, "activation", activation_names, ACTIVATIONS, message, &chosen);
    if (status == ATM_OK)
        status = atm_get_array(object, "layers", 1, MAX_LAYERS, message, &layers);
    if (status != ATM_OK)
        return status;
    m->activation = (activation) chosen;
    m->layers = (int) atm_value_length(layers);
    for (int i = 0; status == ATM_OK && i < m->layers; i++) {
        status = read_layer(atm_value_item(layers, (size_t) i), inputs,
                            i + 1 < m->layers ? MAX_UNITS : 1, message, &m->layer[i]);
        inputs = m->layer[i].units;
    }
    return status;
}

static void mlp_write(const void *model_, atm_value *object)
{
    const model *m = model_;
    atm_value *layers;

    atm_put_string(object, "activation", activation_names[m->activation]);
    layers = atm_put_array(object, "layers");
    for (int i = 0; i < m->layers; i++) {
        const layer *l = &m->layer[i];
        atm_value *each = atm_put_object(layers, NULL), *weights;

        atm_put_numbers(each, "biases", l->numbers, (size_t) l->units);
        weights = atm_put_array(each, "weights");
        for (int j = 1; j <= l->inputs; j++)
            atm_put_numbers(weights, NULL, l->numbers + j * padded(l->units), (size_t) l->units);
    }
}

static void activate(activation f, double *x, int count)
{
    switch (f) {
        case LOGISTIC:
            for (int i = 0; i < count; i++)
                x[i] = 1 / (1 + sur_exp(-x[i]));
            break;
        case RELU:
            for (int i = 0; i < count; i++)
                x[i] = x[i] > 0 ? x[i] : 0;
            break;
        case TANH:
            for (int i = 0; i < count; i++) {
                double e = sur_expm1(-2 * fabs(x[i])); /* at most 0: no overflow */

                x[i] = copysign(-e / (e + 2), x[i]);
            }
            break;
        default:
            break;
    }
}

/* y[padded(units)] = biases + weights x */
static void weigh(const layer *l, const double *x, double *y)
{
    int row = padded(l->units);

    for (int first = 0; first < row; first += BLOCK) {
        const double *number = l->numbers + first;
        double sum[BLOCK];

        memcpy(sum, number, sizeof(sum));
        for (int i = 0; i < l->inputs; i++) {
            number += row;
#pragma GCC unroll 8
            for (int k = 0; k < BLOCK; k++)
                sum[k] += number[k] * x[i];
        }
        memcpy(y + first, sum, sizeof(sum));
    }
}

static double mlp_predict(const void *model_, const double *inputs, double *spread_p)
{
    const model *m = model_;
    double scratch[2][MAX_UNITS];
    const double *x = inputs;

    (void) spread_p;
    for (int i = 0; i < m->layers; i++) {
        double *y = scratch[i % 2];

        weigh(&m->layer[i], x, y);
        if (i + 1 < m->layers)
            activate(m->activation, y, m->layer[i].units);
        x = y;
    }
    return x[0];
}

const sur_type sur_mlp = {.name = "mlp",
                          .size = sizeof(model),
                          .read = mlp_read,
                          .write = mlp_write,
                          .predict = mlp_predict,
                          .clear = mlp_clear};
