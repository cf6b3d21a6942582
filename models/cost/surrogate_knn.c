/*
 * knn: the mean of the k nearest measurements, weighted by 1 / distance
 * (Euclidean); at a measured point the measurement itself.
 *
 *     "parameters": { "neighbours": 5, "points": [[..], ..], "outputs": [..] }
 */

#include "surrogate_kind.h"

#include <math.h>
#include <stdlib.h>

#include "surrogate_near.h"

typedef struct model {
    int neighbours, count, inputs;
    double *points;      /* [count][inputs] */
    double *outputs;     /* [count] */
    sur_near_tree *tree; /* of the points */
} model;

static void knn_clear(void *model_)
{
    model *m = model_;

    sur_near_destroy(m->tree);
    free(m->outputs);
    free(m->points);
}

static atm_status knn_read(const atm_value *object, int inputs, atm_message *message, void *model_)
{
    static const char *const keys[] = {"neighbours", "points", "outputs", NULL};
    size_t rows, columns = (size_t) inputs;
    model *m = model_;
    int64_t neighbours = 0;
    atm_status status = atm_check_keys(object, keys, message);

    m->inputs = inputs;
    if (status == ATM_OK)
        status = atm_get_numbers(object, "outputs", 1, SUR_MAX_INSTANCES, -SUR_BIG, SUR_BIG,
                                 message, &m->outputs, &rows);
    if (status == ATM_OK)
        status = atm_get_integer(object, "neighbours", 1,
                                 rows < SUR_NEAR_MAX_FOUND ? (int64_t) rows
                                                           : (int64_t) SUR_NEAR_MAX_FOUND,
                                 message, &neighbours);
    if (status == ATM_OK)
        status = atm_get_matrix(object, "points", rows, rows, columns, columns, -SUR_BIG, SUR_BIG,
                                message, &m->points, &rows, &columns);
    if (status != ATM_OK)
        return status;
    m->neighbours = (int) neighbours;
    m->count = (int) rows;
    return sur_near_make(m->points, m->count, m->inputs, SUR_NEAR_EUCLID_SQUARED, &m->tree);
}

static void knn_write(const void *model_, atm_value *object)
{
    const model *m = model_;

    atm_put_integer(object, "neighbours", m->neighbours);
    atm_put_matrix(object, "points", m->points, (size_t) m->count, (size_t) m->inputs);
    atm_put_numbers(object, "outputs", m->outputs, (size_t) m->count);
}

static double knn_predict(const void *model_, const double *inputs, double *spread_p)
{
    const model *m = model_;
    double weight[SUR_NEAR_MAX_FOUND], weights = 0, sum = 0, squares = 0, mean;
    sur_near_found found;

    sur_near_find(m->tree, inputs, m->neighbours, INFINITY, &found);
    for (int i = 0; i < found.count; i++) {
        if (found.distance[0] > 0)
            weight[i] = 1 / sqrt(found.distance[i]);
        else
            weight[i] = found.distance[i] == 0;
        weights += weight[i];
        sum += weight[i] * m->outputs[found.index[i]];
    }
    mean = sum / weights;
    for (int i = 0; i < found.count; i++) {
        double apart = m->outputs[found.index[i]] - mean;

        squares += weight[i] * apart * apart;
    }
    *spread_p = sqrt(squares / weights);
    return mean;
}

const sur_type sur_knn = {.name = "knn",
                          .size = sizeof(model),
                          .read = knn_read,
                          .write = knn_write,
                          .predict = knn_predict,
                          .clear = knn_clear};
