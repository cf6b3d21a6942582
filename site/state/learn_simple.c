/* majority, persistence and naive_bayes: means, and one number by search. */

#include <math.h>

#include "learner.h"

static double share_of_busy(const learner_data *data)
{
    double busy = 0;

    for (int i = 0; i < data->rows; i++)
        busy += data->label[i];
    return busy / data->rows;
}

static atm_status majority_fit(const learner_data *data, uint64_t seed, atm_value *parameters)
{
    (void) seed;
    atm_put_number(parameters, "busy", share_of_busy(data));
    return ATM_OK;
}

const learner learner_majority = {
    .name = "majority", .most = 1 << 30, .baseline = true, .calibrated = true, .fit = majority_fit};

/* --- persistence */

/* Mean negative log-likelihood of the labels. */
static double loss_with(const learner_data *data, double busy, double memory)
{
    double loss = 0;

    for (int i = 0; i < data->rows; i++) {
        const atm_state_view *view = data->views[i];
        double p = busy;

        if (!isnan(view->last_busy))
            p += (view->last_busy - busy) * exp(-view->last_age / memory);
        p = fmin(fmax(p, 1e-6), 1 - 1e-6);
        loss -= data->label[i] > 0.5 ? log(p) : log(1 - p);
    }
    return loss / data->rows;
}

/* Memories from a minute to a month, each 1.3 times the one before. */
static atm_status persistence_fit(const learner_data *data, uint64_t seed, atm_value *parameters)
{
    double busy = share_of_busy(data), best = 60, least = INFINITY;

    (void) seed;
    for (double memory = 60; memory < 3e6; memory *= 1.3) {
        double loss = loss_with(data, busy, memory);

        if (loss < least) {
            least = loss;
            best = memory;
        }
    }
    atm_put_number(parameters, "busy", busy);
    atm_put_number(parameters, "memory", best);
    return ATM_OK;
}

const learner learner_persistence = {.name = "persistence",
                                     .most = 5000,
                                     .cost = 1,
                                     .baseline = true,
                                     .calibrated = true,
                                     .fit = persistence_fit};

/* --- naive Bayes */

/* As scikit-learn's var_smoothing, but of scaled inputs: a column that is constant in a
 * state must not decide alone. */
#define LEAST_DEVIATION 0.01

static void moments(const learner_data *data, double label, double *means_p, double *deviations_p)
{
    double count = 0, sum[ATM_STATE_FEATURES] = {0}, squares[ATM_STATE_FEATURES] = {0};

    for (int i = 0; i < data->rows; i++) {
        const double *x = data->x + i * ATM_STATE_FEATURES;

        if (data->label[i] != label)
            continue;
        count++;
        for (int k = 0; k < ATM_STATE_FEATURES; k++) {
            sum[k] += x[k];
            squares[k] += x[k] * x[k];
        }
    }
    for (int k = 0; k < ATM_STATE_FEATURES; k++) {
        means_p[k] = sum[k] / count;
        deviations_p[k] =
            sqrt(fmax(squares[k] / count - means_p[k] * means_p[k], 0)) + LEAST_DEVIATION;
    }
}

static atm_status bayes_fit(const learner_data *data, uint64_t seed, atm_value *parameters)
{
    double means[2][ATM_STATE_FEATURES], deviations[2][ATM_STATE_FEATURES];

    (void) seed;
    for (int state = 0; state < 2; state++)
        moments(data, state, means[state], deviations[state]);
    atm_put_number(parameters, "busy", share_of_busy(data));
    atm_put_matrix(parameters, "means", &means[0][0], 2, ATM_STATE_FEATURES);
    atm_put_matrix(parameters, "deviations", &deviations[0][0], 2, ATM_STATE_FEATURES);
    return ATM_OK;
}

const learner learner_naive_bayes = {
    .name = "naive_bayes", .most = 50000, .cost = 1, .fit = bayes_fit};
