/*
 * markov: rates, means and deviations that make the labels likeliest, by Nelder and Mead's
 * simplex (GSL).  Labels, not latencies, are what is to be explained: a hidden state that
 * explains latencies best (Baum and Welch) need not be the one that large writes meet.
 */

#include <gsl/gsl_multimin.h>
#include <math.h>

#include "cost/surrogate_math.h"
#include "learner.h"
#include "state/classifier_markov.h"

enum { TO_BUSY, TO_IDLE, IDLE, APART, IDLE_SPREAD, BUSY_SPREAD, NUMBERS };

enum { STEPS = 150 };

static double within(double x, double min, double max)
{
    return fmin(fmax(x, min), max);
}

/* Maps any vector to a valid model in which busy is slower: all but the mean of idle are
 * logarithms. */
static atm_markov model_of(const gsl_vector *v)
{
    double idle = within(gsl_vector_get(v, IDLE), -20, 20);

    return (atm_markov){.rates = {exp(within(gsl_vector_get(v, TO_BUSY), -16, 0)),
                                  exp(within(gsl_vector_get(v, TO_IDLE), -16, 0))},
                        .means = {idle, idle + exp(within(gsl_vector_get(v, APART), -7, 3))},
                        .deviations = {exp(within(gsl_vector_get(v, IDLE_SPREAD), -5, 3)),
                                       exp(within(gsl_vector_get(v, BUSY_SPREAD), -5, 3))}};
}

static double loss(const gsl_vector *v, void *data_)
{
    const learner_data *data = data_;
    atm_markov m = model_of(v);
    double sum = 0;

    for (int i = 0; i < data->rows; i++) {
        double score = atm_markov_score(&m, data->views[i]);

        score = data->label[i] > 0.5 ? score : -score;
        sum += score > 0 ? log1p(exp(-score)) : log1p(exp(score)) - score;
    }
    return sum / data->rows;
}

/* Mean and deviation of the last ln(latency / typical) of rows with a label. */
static void look(const learner_data *data, double label, double *mean_p, double *deviation_p)
{
    double count = 0, sum = 0, squares = 0;

    for (int i = 0; i < data->rows; i++) {
        const atm_state_view *view = data->views[i];
        double x = log(view->features[ATM_STATE_LATENCY] / view->typical);

        if (data->label[i] != label || !isfinite(x))
            continue;
        count++;
        sum += x;
        squares += x * x;
    }
    *mean_p = count > 0 ? sum / count : label;
    *deviation_p = count > 1 ? sqrt(fmax(squares / count - *mean_p * *mean_p, 1e-4)) : 0.5;
}

static void start(const learner_data *data, gsl_vector *v, gsl_vector *step)
{
    double mean[2], deviation[2], busy = 0, share;

    for (int state = 0; state < 2; state++)
        look(data, state, &mean[state], &deviation[state]);
    for (int i = 0; i < data->rows; i++)
        busy += data->label[i] / data->rows;
    share = within(busy, 0.02, 0.98);
    gsl_vector_set(v, TO_BUSY, log(share / 600));
    gsl_vector_set(v, TO_IDLE, log((1 - share) / 600));
    gsl_vector_set(v, IDLE, mean[0]);
    gsl_vector_set(v, APART, log(fmax(mean[1] - mean[0], 0.02)));
    gsl_vector_set(v, IDLE_SPREAD, log(deviation[0]));
    gsl_vector_set(v, BUSY_SPREAD, log(deviation[1]));
    gsl_vector_set_all(step, 0.7);
    gsl_vector_set(step, IDLE, 0.2);
}

static void put(const atm_markov *m, atm_value *parameters)
{
    atm_put_numbers(parameters, "rates", m->rates, 2);
    atm_put_numbers(parameters, "means", m->means, 2);
    atm_put_numbers(parameters, "deviations", m->deviations, 2);
}

static atm_status markov_fit(const learner_data *data, uint64_t seed, atm_value *parameters)
{
    gsl_multimin_function function = {.f = loss, .n = NUMBERS, .params = (void *) data};
    gsl_vector *v = gsl_vector_alloc(NUMBERS), *step = gsl_vector_alloc(NUMBERS);
    gsl_multimin_fminimizer *simplex =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, NUMBERS);
    bool enough = v != NULL && step != NULL && simplex != NULL;

    (void) seed;
    if (enough) {
        atm_markov best;

        start(data, v, step);
        gsl_multimin_fminimizer_set(simplex, &function, v, step);
        for (int i = 0; i < STEPS && gsl_multimin_fminimizer_size(simplex) > 1e-3; i++)
            if (gsl_multimin_fminimizer_iterate(simplex) != 0)
                break;
        best = model_of(gsl_multimin_fminimizer_x(simplex));
        put(&best, parameters);
    }
    if (simplex != NULL)
        gsl_multimin_fminimizer_free(simplex);
    gsl_vector_free(step);
    gsl_vector_free(v);
    return enough ? ATM_OK : ATM_NO_MEMORY;
}

const learner learner_markov = {
    .name = "markov", .most = 800, .cost = 4, .calibrated = true, .fit = markov_fit};
