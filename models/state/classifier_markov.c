/*
 * markov: a hidden Markov model in continuous time, filtered over the newest latencies.
 * A target changes from idle to busy and back at two rates; in each state ln(latency /
 * typical) is normal.  What is forgotten between two probes follows from the time between
 * them, so that probes may be rare or missing.
 *
 *     "parameters": {"rates": [to busy, to idle], "means": [idle, busy],
 *                    "deviations": [idle, busy]}             rates: per second
 */

#include <math.h>

#include "classifier_kind.h"
#include "classifier_markov.h"
#include "cost/surrogate_math.h"

typedef atm_markov model;

static atm_status markov_read(const atm_value *object, atm_message *message, void *model_)
{
    static const char *const keys[] = {"rates", "means", "deviations", NULL};
    model *m = model_;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_row(object, "rates", 2, 1e-9, 1e3, message, m->rates);
    if (status == ATM_OK)
        status = atm_get_row(object, "means", 2, -100, 100, message, m->means);
    if (status == ATM_OK)
        status = atm_get_row(object, "deviations", 2, 1e-4, 100, message, m->deviations);
    return status;
}

static void markov_write(const void *model_, atm_value *object)
{
    const model *m = model_;

    atm_put_numbers(object, "rates", m->rates, 2);
    atm_put_numbers(object, "means", m->means, 2);
    atm_put_numbers(object, "deviations", m->deviations, 2);
}

/* How much likelier a latency is when busy, as a logarithm.  A probe that no state
 * explains, faster than idle above all, says at most what the means say. */
static double evidence(const model *m, double constant, double x)
{
    double a, b, low = fmin(m->means[0], m->means[1]), high = fmax(m->means[0], m->means[1]);

    x = fmin(fmax(x, low - m->deviations[0]), high + 2 * m->deviations[1]);
    a = (x - m->means[0]) / m->deviations[0];
    b = (x - m->means[1]) / m->deviations[1];
    return (a * a - b * b) / 2 + constant;
}

double atm_markov_score(const atm_markov *markov, const atm_state_view *view)
{
    const model *m = markov;
    double rate = m->rates[0] + m->rates[1], stationary = m->rates[0] / rate, busy = stationary;
    double constant = sur_log(m->deviations[0] / m->deviations[1]);
    double before = INFINITY, passed = INFINITY, keeps = 0;

    for (int i = 0; i < view->recent; i++) {
        double odds;

        if (before - view->age[i] != passed) { /* probes come at a beat */
            passed = before - view->age[i];
            keeps = passed < 1e9 ? sur_exp(-rate * fmax(passed, 0)) : 0;
        }
        busy = stationary + (busy - stationary) * keeps;
        odds = busy / (1 - busy) * sur_exp(evidence(m, constant, view->relative[i]));
        busy = odds / (1 + odds);
        busy = busy < 1 - 1e-9 ? busy : 1 - 1e-9; /* also NaN */
        before = view->age[i];
    }
    if (before < 1e9)
        busy = stationary + (busy - stationary) * sur_exp(-rate * fmax(before, 0));
    return atm_classifier_logit(busy);
}

static double markov_score(const void *model_, const double *inputs, const atm_state_view *view)
{
    (void) inputs;
    return atm_markov_score(model_, view);
}

const atm_classifier_kind_table atm_classifier_markov = {.name = "markov",
                                                         .size = sizeof(model),
                                                         .read = markov_read,
                                                         .write = markov_write,
                                                         .score = markov_score};
