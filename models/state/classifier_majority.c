/* majority: always the same.  The template of a kind, and what the others must beat.
 *
 *     "parameters": {"busy": 0.2} */

#include "classifier_kind.h"

typedef struct model {
    double busy;
} model;

static atm_status majority_read(const atm_value *object, atm_message *message, void *model_)
{
    static const char *const keys[] = {"busy", NULL};
    model *m = model_;
    atm_status status = atm_check_keys(object, keys, message);

    return status == ATM_OK ? atm_get_number(object, "busy", 0, 1, message, &m->busy) : status;
}

static void majority_write(const void *model_, atm_value *object)
{
    const model *m = model_;

    atm_put_number(object, "busy", m->busy);
}

static double majority_score(const void *model_, const double *inputs, const atm_state_view *view)
{
    const model *m = model_;

    (void) inputs;
    (void) view;
    return atm_classifier_logit(m->busy);
}

const atm_classifier_kind_table atm_classifier_majority = {.name = "majority",
                                                           .size = sizeof(model),
                                                           .read = majority_read,
                                                           .write = majority_write,
                                                           .score = majority_score};
