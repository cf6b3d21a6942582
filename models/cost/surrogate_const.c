/*
 * const: the same output whatever is asked.  The null model, and the template
 * for others.
 *
 *     "parameters": { "output": 0.004 }
 */

#include "surrogate_kind.h"

typedef struct model {
    double output;
} model;

static atm_status const_read(const atm_value *object, int inputs, atm_message *message,
                             void *model_)
{
    static const char *const keys[] = {"output", NULL};
    model *m = model_;
    atm_status status = atm_check_keys(object, keys, message);

    (void) inputs;
    if (status == ATM_OK)
        status = atm_get_number(object, "output", -SUR_BIG, SUR_BIG, message, &m->output);
    return status;
}

static void const_write(const void *model_, atm_value *object)
{
    const model *m = model_;

    atm_put_number(object, "output", m->output);
}

static double const_predict(const void *model_, const double *inputs, double *spread_p)
{
    const model *m = model_;

    (void) inputs;
    (void) spread_p;
    return m->output;
}

const sur_type sur_const = {.name = "const",
                            .size = sizeof(model),
                            .read = const_read,
                            .write = const_write,
                            .predict = const_predict};
