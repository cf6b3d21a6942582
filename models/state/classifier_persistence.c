/* persistence: the state now is that of the last large write, the less surely the longer
 * ago that is: busy + (last - busy) exp(-age / memory).
 *
 *     "parameters": {"busy": 0.2, "memory": 3600} */

#include <math.h>

#include "classifier_kind.h"
#include "cost/surrogate_math.h"

typedef struct model {
    double busy, memory; /* memory: seconds */
} model;

static atm_status persistence_read(const atm_value *object, atm_message *message, void *model_)
{
    static const char *const keys[] = {"busy", "memory", NULL};
    model *m = model_;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_number(object, "busy", 0, 1, message, &m->busy);
    if (status == ATM_OK)
        status = atm_get_number(object, "memory", 1e-3, 1e12, message, &m->memory);
    return status;
}

static void persistence_write(const void *model_, atm_value *object)
{
    const model *m = model_;

    atm_put_number(object, "busy", m->busy);
    atm_put_number(object, "memory", m->memory);
}

static double persistence_score(const void *model_, const double *inputs,
                                const atm_state_view *view)
{
    const model *m = model_;
    double keeps = view->last_age >= 0 ? sur_exp(-view->last_age / m->memory) : 0;
    double known = view->last_busy >= 0 && view->last_busy <= 1;

    (void) inputs;
    return atm_classifier_logit(known != 0 ? m->busy + (view->last_busy - m->busy) * keeps
                                           : m->busy);
}

const atm_classifier_kind_table atm_classifier_persistence = {.name = "persistence",
                                                              .size = sizeof(model),
                                                              .read = persistence_read,
                                                              .write = persistence_write,
                                                              .score = persistence_score};
