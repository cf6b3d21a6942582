/*
 * rules: the Cubist family.  A rule is a set of conditions and a linear
 * function; a member of the committee answers with the mean of its rules that
 * hold, the committee with the mean of its members.  If instances are kept,
 * the answer is corrected by what it misses at the nearest of them:
 *
 *     output = committee(x) + sum w_i (y_i - committee(x_i)) / sum w_i,
 *     w_i = 1 / (Manhattan distance + 1/2)
 *
 * (Quinlan, "Combining instance-based and model-based learning", ICML 1993;
 * Kuhn and Johnson, "Applied Predictive Modeling", 2013, section 14.6.)
 * Unlike Cubist, distances are not rounded to 1/16 and one input may add more
 * than 1 to them.  cost/surrogate_rules_file.c shows the parameters.
 */

#include "surrogate_rules.h"

#include <math.h>
#include <stdlib.h>

static bool holds(const rule *r, const double *x, int inputs)
{
    bool all = true;

    for (int i = 0; i < inputs; i++)
        all &= (x[i] > r->above[i]) & (x[i] <= r->up_to[i]);
    return all;
}

static double linear(const rule *r, const double *x, int inputs)
{
    double y = r->intercept;

    for (int i = 0; i < inputs; i++)
        y += r->coefficient[i] * x[i];
    return y < r->low ? r->low : y > r->high ? r->high : y;
}

static double member_output(const sur_rules_model *m, int member, const double *x)
{
    double sum = 0;
    int holding = 0;

    for (int i = m->first[member]; i < m->first[member + 1]; i++) {
        if (holds(&m->rules[i], x, m->inputs)) {
            sum += linear(&m->rules[i], x, m->inputs);
            holding++;
        }
    }
    return holding > 0 ? sum / holding : m->otherwise;
}

static double committee_output(const sur_rules_model *m, const double *x, double *spread_p)
{
    double output[SUR_RULES_MAX_MEMBERS], sum = 0, squares = 0, mean;

    for (int i = 0; i < m->members; i++)
        sum += output[i] = member_output(m, i, x);
    mean = sum / m->members;
    for (int i = 0; i < m->members; i++)
        squares += (output[i] - mean) * (output[i] - mean);
    *spread_p = sqrt(squares / m->members);
    return mean;
}

static void scaled(const sur_rules_model *m, const double *x, double *scaled_p)
{
    for (int i = 0; i < m->inputs; i++)
        scaled_p[i] = x[i] / m->scale[i];
}

static double correction(const sur_rules_model *m, const double *x)
{
    double query[ATM_FEATURE_COUNT], sum = 0, weights = 0;
    sur_near_found found;

    scaled(m, x, query);
    sur_near_find(m->tree, query, m->neighbours, m->limit, &found);
    if (found.count < (m->neighbours + 1) / 2)
        return 0;
    for (int i = 0; i < found.count; i++) {
        double weight = 1 / (found.distance[i] + 0.5);

        weights += weight;
        sum += weight * m->residuals[found.index[i]];
    }
    return sum / weights;
}

/* Fills in what follows from the instances. */
static atm_status index_instances(sur_rules_model *m)
{
    double *points = malloc((size_t) m->instances * (size_t) m->inputs * sizeof(double));
    double spread;
    atm_status status;

    m->residuals = malloc((size_t) m->instances * sizeof(double));
    if (points == NULL || m->residuals == NULL) {
        free(points);
        return ATM_NO_MEMORY;
    }
    for (int i = 0; i < m->instances; i++) {
        const double *point = m->points + i * m->inputs;

        scaled(m, point, points + i * m->inputs);
        m->residuals[i] = m->outputs[i] - committee_output(m, point, &spread);
    }
    status = sur_near_make(points, m->instances, m->inputs, SUR_NEAR_MANHATTAN, &m->tree);
    free(points);
    return status;
}

static void rules_clear(void *model)
{
    sur_rules_model *m = model;

    sur_near_destroy(m->tree);
    free(m->points);
    free(m->outputs);
    free(m->residuals);
    free(m->rules);
}

static atm_status rules_read(const atm_value *object, int inputs, atm_message *message, void *model)
{
    sur_rules_model *m = model;
    atm_status status;

    m->inputs = inputs;
    status = sur_rules_read_model(object, message, m);
    if (status == ATM_OK && m->instances > 0)
        status = index_instances(m);
    return status;
}

static void rules_write(const void *model, atm_value *object)
{
    sur_rules_write_model(model, object);
}

static double rules_predict(const void *model, const double *inputs, double *spread_p)
{
    const sur_rules_model *m = model;
    double output = committee_output(m, inputs, spread_p);

    return m->instances > 0 ? output + correction(m, inputs) : output;
}

const sur_type sur_rules = {.name = "rules",
                            .size = sizeof(sur_rules_model),
                            .read = rules_read,
                            .write = rules_write,
                            .predict = rules_predict,
                            .clear = rules_clear};
