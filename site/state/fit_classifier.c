/* Fits: rows are drawn, centred and scaled; what was learned is read as inference reads it. */

#include "fit_classifier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"

typedef struct matrices {
    double centre[ATM_STATE_FEATURES], scale[ATM_STATE_FEATURES];
    double *x, *label;
    const atm_state_view **views;
    int rows;
} matrices;

/* Mean and scale of each column, over the rows in which it is known. */
static void find_scale(const state_row *const *rows, int count, matrices *m)
{
    double known[ATM_STATE_FEATURES] = {0}, sum[ATM_STATE_FEATURES] = {0},
           squares[ATM_STATE_FEATURES] = {0}, x[ATM_STATE_FEATURES];

    for (int i = 0; i < count; i++) {
        atm_state_comparable(&rows[i]->view, x);
        for (int k = 0; k < ATM_STATE_FEATURES; k++) {
            if (isnan(x[k]))
                continue;
            known[k]++;
            sum[k] += x[k];
            squares[k] += x[k] * x[k];
        }
    }
    for (int k = 0; k < ATM_STATE_FEATURES; k++) {
        double mean = known[k] > 0 ? sum[k] / known[k] : 0;
        double variance = known[k] > 0 ? squares[k] / known[k] - mean * mean : 0;

        m->centre[k] = mean;
        m->scale[k] = variance > 1e-12 * (1 + mean * mean) ? sqrt(variance) : 0;
    }
}

/* All rows, or as many as a learner takes, drawn. */
static bool make_matrices(const state_row *const *rows, int count, int most, uint64_t seed,
                          matrices *m)
{
    int *order = malloc((size_t) (count + 1) * sizeof(int));

    m->rows = count < most ? count : most;
    m->x = malloc((size_t) (m->rows + 1) * ATM_STATE_FEATURES * sizeof(double));
    m->label = malloc((size_t) (m->rows + 1) * sizeof(double));
    m->views = malloc((size_t) (m->rows + 1) * sizeof(*m->views));
    if (order == NULL || m->x == NULL || m->label == NULL || m->views == NULL) {
        free(order);
        return false;
    }
    find_scale(rows, count, m);
    for (int i = 0; i < count; i++)
        order[i] = i;
    if (count > most)
        rng_shuffle(&seed, order, count);
    for (int i = 0; i < m->rows; i++) {
        const state_row *row = rows[order[i]];

        m->label[i] = row->label;
        m->views[i] = &row->view;
        atm_state_inputs(&row->view, m->centre, m->scale, m->x + i * ATM_STATE_FEATURES);
    }
    free(order);
    return true;
}

static void free_matrices(matrices *m)
{
    free(m->x);
    free(m->label);
    free(m->views);
}

static bool can_learn(const matrices *m)
{
    double busy = 0;

    for (int i = 0; i < m->rows; i++)
        busy += m->label[i];
    return m->rows >= FIT_FEWEST && busy >= 2 && busy <= m->rows - 2;
}

atm_status fit_classifier(const learner *learner, const state_row *const *rows, int count,
                          uint64_t seed, atm_classifier **classifier_p)
{
    matrices m = {.x = NULL};
    atm_value *root = atm_value_object();
    atm_status status = ATM_NO_MEMORY;

    if (count == 0) {
        atm_value_destroy(root);
        return ATM_BAD_ARGUMENT;
    }
    if (root != NULL && make_matrices(rows, count, learner->most, seed, &m)) {
        learner_data data = {.rows = m.rows, .x = m.x, .label = m.label, .views = m.views};

        if (!can_learn(&m))
            learner = &learner_majority;
        atm_put_string(root, "kind", learner->name);
        atm_put_numbers(root, "centre", m.centre, ATM_STATE_FEATURES);
        atm_put_numbers(root, "scale", m.scale, ATM_STATE_FEATURES);
        status = learner->fit(&data, seed, atm_put_object(root, "parameters"));
    }
    if (status == ATM_OK)
        status = atm_value_built(root);
    if (status == ATM_OK)
        status = atm_classifier_read(root, NULL, classifier_p);
    free_matrices(&m);
    atm_value_destroy(root);
    return status;
}
