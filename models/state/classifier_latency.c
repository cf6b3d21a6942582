/*
 * latency: the median of ln(latency / typical) of the last minutes, and nothing else.  Single
 * slow probes do not move it, and minutes after a target has recovered it knows nothing of
 * what was.
 *
 *     "parameters": {"seconds": 180, "half": 0.5, "steepness": 20, "busy": 0.02}
 *                     half: where busy is as likely as idle; busy: without any latency
 */

#include <math.h>

#include "classifier_kind.h"

typedef struct model {
    double seconds, half, steepness, busy;
} model;

static atm_status latency_read(const atm_value *object, atm_message *message, void *model_)
{
    static const char *const keys[] = {"seconds", "half", "steepness", "busy", NULL};
    model *m = model_;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_number(object, "seconds", 1, 3600, message, &m->seconds);
    if (status == ATM_OK)
        status = atm_get_number(object, "half", -1e6, 1e6, message, &m->half);
    if (status == ATM_OK)
        status = atm_get_number(object, "steepness", 0, 1e6, message, &m->steepness);
    if (status == ATM_OK)
        status = atm_get_number(object, "busy", 0, 1, message, &m->busy);
    return status;
}

static void latency_write(const void *model_, atm_value *object)
{
    const model *m = model_;

    atm_put_number(object, "seconds", m->seconds);
    atm_put_number(object, "half", m->half);
    atm_put_number(object, "steepness", m->steepness);
    atm_put_number(object, "busy", m->busy);
}

double atm_state_level(const atm_state_view *view, double seconds)
{
    double sorted[ATM_STATE_RECENT];
    int count = 0;

    for (int i = 0; i < view->recent; i++) {
        int at = count;

        if (!(view->age[i] <= seconds) || isnan(view->relative[i]))
            continue;
        for (; at > 0 && sorted[at - 1] > view->relative[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = view->relative[i];
        count++;
    }
    return count > 0 ? (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 : NAN;
}

static double latency_score(const void *model_, const double *inputs, const atm_state_view *view)
{
    const model *m = model_;
    double level = atm_state_level(view, m->seconds);

    (void) inputs;
    return isnan(level) ? atm_classifier_logit(m->busy) : m->steepness * (level - m->half);
}

const atm_classifier_kind_table atm_classifier_latency = {.name = "latency",
                                                          .size = sizeof(model),
                                                          .read = latency_read,
                                                          .write = latency_write,
                                                          .score = latency_score};
