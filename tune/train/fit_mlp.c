/*
 * mlp: one hidden layer of tanh units, trained by Levenberg and Marquardt with
 * weight decay (Hagan and Menhaj, IEEE Trans. Neural Networks 5(6), 1994):
 * networks this small need tens of steps instead of thousands of gradients.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prep.h"
#include "common/cholesky.h"
#include "common/rng.h"
#include "cost/surrogate_math.h"
#include "trainer.h"

enum { UNITS, DECAY }; /* numbers of a setting */

enum { MAX_UNITS = 12, MAX_STEPS = 50, ROWS = 4 }; /* ROWS: of the Jacobian worked on at once */

static void mlp_setting(int index, bool log_target, uint64_t seed, trainer_setting *setting_p)
{
    static const int units[] = {2, 3, 4, 6, 8, 12};
    static const double decays[] = {1e-5, 1e-3, 1e-2, 1e-1, 1};

    (void) log_target;
    (void) seed;
    setting_p->number[UNITS] = units[index % 6];
    setting_p->number[DECAY] = decays[index / 6];
}

static void mlp_describe(const trainer_setting *setting, char *text, size_t size)
{
    snprintf(text, size, "up to %.0f tanh units, decay %g", setting->number[UNITS],
             setting->number[DECAY]);
}

/*
 * Weights in one vector: the units' biases, their weights of each input, the
 * output's weights of the units, its bias.  Units are the inner index, so that
 * compilers vectorise over them.
 */
typedef struct network {
    const trainer_data *data;
    int units, count; /* count: of weights */
    double mean, deviation, decay;
    double *weights, *tried, *step; /* [count] */
    double *normal, *damped;        /* [count][count]: J'J, lower half */
    double *gradient;               /* [count]: J'r */
    double *jacobian;               /* [ROWS][count] */
} network;

/* At least two points for a weight: measurements stand on few levels of each
 * feature, and what a larger network does between them no fold would show. */
static int units_for(const trainer_data *data, const trainer_setting *setting)
{
    int most = (data->rows / 2 - 1) / (data->inputs + 2), units = (int) setting->number[UNITS];

    most = most > 1 ? most : 1;
    return units < most ? units : most;
}

static bool make_network(const trainer_data *data, const trainer_setting *setting, network *n)
{
    size_t count;
    double *memory, squares = 0;

    *n =
        (network){.data = data, .units = units_for(data, setting), .decay = setting->number[DECAY]};
    n->count = n->units * (data->inputs + 1) + n->units + 1;
    count = (size_t) n->count;
    memory = calloc(count * (2 * count + 4 + ROWS), sizeof(double)); /* freed as weights */
    if (memory == NULL)
        return false;
    n->weights = memory;
    n->tried = memory + count;
    n->step = memory + 2 * count;
    n->gradient = memory + 3 * count;
    n->jacobian = memory + 4 * count;
    n->normal = memory + (4 + ROWS) * count;
    n->damped = n->normal + count * count;
    for (int i = 0; i < data->rows; i++)
        n->mean += data->y[i] / data->rows;
    for (int i = 0; i < data->rows; i++)
        squares += (data->y[i] - n->mean) * (data->y[i] - n->mean);
    n->deviation = squares > 0 ? sqrt(squares / data->rows) : 1;
    return true;
}

/* tanh; the training needs no last bits */
static void activate(double *x, int count)
{
    for (int i = 0; i < count; i++) {
        double twice = fmin(fmax(2 * x[i], -40), 40), e = sur_exp_within(twice);

        x[i] = (e - 1) / (e + 1);
    }
}

/* The error of one row, and if wanted its derivatives by all weights. */
static double residual(const network *n, const double *weights, int row, double *derivative)
{
    int inputs = n->data->inputs, units = n->units;
    const double *x = n->data->x + row * inputs, *out = weights + units * (inputs + 1);
    double activation[MAX_UNITS], sum = out[units];

    for (int u = 0; u < units; u++)
        activation[u] = weights[u];
    for (int i = 0; i < inputs; i++)
        for (int u = 0; u < units; u++)
            activation[u] += weights[(i + 1) * units + u] * x[i];
    activate(activation, units);
    for (int u = 0; u < units; u++)
        sum += out[u] * activation[u];
    if (derivative != NULL) {
        for (int u = 0; u < units; u++) {
            derivative[u] = out[u] * (1 - activation[u] * activation[u]);
            derivative[(inputs + 1) * units + u] = activation[u];
        }
        for (int i = 0; i < inputs; i++)
            for (int u = 0; u < units; u++)
                derivative[(i + 1) * units + u] = derivative[u] * x[i];
        derivative[(inputs + 2) * units] = 1;
    }
    return sum - (n->data->y[row] - n->mean) / n->deviation;
}

static double error_of(const network *n, const double *weights)
{
    double sum = 0;

    for (int i = 0; i < n->count; i++)
        sum += n->decay * weights[i] * weights[i];
    for (int i = 0; i < n->data->rows; i++) {
        double r = residual(n, weights, i, NULL);

        sum += r * r;
    }
    return sum;
}

/* J'J += ROWS rows of the Jacobian */
static void add_rows(network *n)
{
    const double *a = n->jacobian, *b = a + n->count, *c = b + n->count, *d = c + n->count;

    for (int i = 0; i < n->count; i++) {
        double *restrict row = n->normal + i * n->count;
        double ai = a[i], bi = b[i], ci = c[i], di = d[i];

        for (int k = 0; k <= i; k++)
            row[k] += ai * a[k] + bi * b[k] + ci * c[k] + di * d[k];
    }
}

static void linearise(network *n)
{
    size_t count = (size_t) n->count;

    memset(n->normal, 0, count * count * sizeof(double));
    for (int i = 0; i < n->count; i++)
        n->gradient[i] = n->decay * n->weights[i];
    for (int first = 0; first < n->data->rows; first += ROWS) {
        memset(n->jacobian, 0, ROWS * count * sizeof(double));
        for (int k = 0; k < ROWS && first + k < n->data->rows; k++) {
            double *derivative = n->jacobian + k * n->count;
            double r = residual(n, n->weights, first + k, derivative);

            for (int i = 0; i < n->count; i++)
                n->gradient[i] += r * derivative[i];
        }
        add_rows(n);
    }
}

/* Solves (J'J + decay + damping) step = gradient; the weights to try. */
static bool make_step(network *n, double damping)
{
    size_t count = (size_t) n->count;

    memcpy(n->damped, n->normal, count * count * sizeof(double));
    memcpy(n->step, n->gradient, count * sizeof(double));
    for (int i = 0; i < n->count; i++)
        n->damped[i * n->count + i] += n->decay + damping;
    if (!cholesky_solve(n->damped, n->count, n->step))
        return false;
    for (int i = 0; i < n->count; i++)
        n->tried[i] = n->weights[i] - n->step[i];
    return true;
}

static void descend(network *n)
{
    double error = error_of(n, n->weights), damping = 1;
    int idle = 0;

    for (int step = 0; step < MAX_STEPS && idle < 2; step++) {
        bool better = false;

        linearise(n);
        for (int tries = 0; !better && tries < 8; tries++) {
            double next = make_step(n, damping) ? error_of(n, n->tried) : INFINITY;

            better = next < error;
            damping *= better ? 0.2 : 5;
            if (!better)
                continue;
            idle = error - next < 1e-3 * error ? idle + 1 : 0;
            error = next;
            memcpy(n->weights, n->tried, (size_t) n->count * sizeof(double));
        }
        if (!better)
            return;
        damping = damping < 1e-9 ? 1e-9 : damping;
    }
}

static void put_layers(const network *n, atm_value *parameters)
{
    size_t units = (size_t) n->units, inputs = (size_t) n->data->inputs;
    const double *out = n->weights + units * (inputs + 1);
    atm_value *layers, *layer, *rows, *row;

    atm_put_string(parameters, "activation", "tanh");
    layers = atm_put_array(parameters, "layers");
    layer = atm_put_object(layers, NULL);
    atm_put_numbers(layer, "biases", n->weights, units);
    atm_put_matrix(layer, "weights", n->weights + units, inputs, units);
    layer = atm_put_object(layers, NULL);
    row = atm_put_array(layer, "biases");
    atm_put_number(row, NULL, out[units] * n->deviation + n->mean);
    rows = atm_put_array(layer, "weights");
    for (size_t u = 0; u < units; u++)
        atm_put_number(atm_put_array(rows, NULL), NULL, out[u] * n->deviation);
}

static atm_status mlp_fit(const trainer_data *data, const trainer_setting *setting, uint64_t seed,
                          atm_value *parameters)
{
    network n;

    if (!make_network(data, setting, &n))
        return ATM_NO_MEMORY;
    for (int i = 0; i < n.count; i++)
        n.weights[i] = 2 * rng_unit(&seed) - 1;
    descend(&n);
    put_layers(&n, parameters);
    free(n.weights);
    return ATM_OK;
}

const trainer trainer_mlp = {.name = "mlp",
                             .simplicity = 5,
                             .steps = PREP_BIT_BOX_COX | PREP_BIT_LOG | PREP_BIT_LOG_COUNTS |
                                      PREP_BIT_LOG_PCA,
                             .cost = 30,
                             .setting = mlp_setting,
                             .describe = mlp_describe,
                             .fit = mlp_fit};
