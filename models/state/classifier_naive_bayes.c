/* naive_bayes: every input is normal in each state, independently of the others.
 *
 *     "parameters": {"busy": 0.2, "means": [[16 of idle], [16 of busy]], "deviations": [[], []]} */

#include <stdlib.h>
#include <string.h>

#include "classifier_kind.h"
#include "cost/surrogate_math.h"

typedef struct model {
    double busy, means[2][ATM_STATE_FEATURES], deviations[2][ATM_STATE_FEATURES];
    double constant; /* of the logit */
} model;

static atm_status read_rows(const atm_value *object, const char *key, double min,
                            atm_message *message, double *rows_p)
{
    size_t rows = 2, columns = ATM_STATE_FEATURES;
    double *numbers;
    atm_status status = atm_get_matrix(object, key, rows, rows, columns, columns, min, 1e6, message,
                                       &numbers, &rows, &columns);

    if (status != ATM_OK)
        return status;
    memcpy(rows_p, numbers, rows * columns * sizeof(double));
    free(numbers);
    return ATM_OK;
}

static atm_status bayes_read(const atm_value *object, atm_message *message, void *model_)
{
    static const char *const keys[] = {"busy", "means", "deviations", NULL};
    model *m = model_;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_number(object, "busy", 0, 1, message, &m->busy);
    if (status == ATM_OK)
        status = read_rows(object, "means", -1e6, message, &m->means[0][0]);
    if (status == ATM_OK)
        status = read_rows(object, "deviations", 1e-6, message, &m->deviations[0][0]);
    if (status != ATM_OK)
        return status;
    m->constant = atm_classifier_logit(m->busy);
    for (int i = 0; i < ATM_STATE_FEATURES; i++)
        m->constant += sur_log(m->deviations[0][i] / m->deviations[1][i]);
    return ATM_OK;
}

static void bayes_write(const void *model_, atm_value *object)
{
    const model *m = model_;

    atm_put_number(object, "busy", m->busy);
    atm_put_matrix(object, "means", &m->means[0][0], 2, ATM_STATE_FEATURES);
    atm_put_matrix(object, "deviations", &m->deviations[0][0], 2, ATM_STATE_FEATURES);
}

static double bayes_score(const void *model_, const double *inputs, const atm_state_view *view)
{
    const model *m = model_;
    double score = m->constant;

    (void) view;
    for (int i = 0; i < ATM_STATE_FEATURES; i++) {
        double idle = (inputs[i] - m->means[0][i]) / m->deviations[0][i];
        double busy = (inputs[i] - m->means[1][i]) / m->deviations[1][i];

        score += (idle * idle - busy * busy) / 2;
    }
    return score;
}

const atm_classifier_kind_table atm_classifier_naive_bayes = {.name = "naive_bayes",
                                                              .size = sizeof(model),
                                                              .read = bayes_read,
                                                              .write = bayes_write,
                                                              .score = bayes_score};
