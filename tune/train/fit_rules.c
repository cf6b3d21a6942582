/*
 * rules: model trees made into rules, the Cubist family (Quinlan, "Learning with
 * continuous classes", AI'92; "Combining instance-based and model-based
 * learning", ICML 1993; Kuhn and Johnson, "Applied Predictive Modeling", 2013,
 * sections 8.2, 8.7).
 *
 * A member of the committee is a tree grown by least squares, a linear function
 * in each node, pruned from the leaves up where the node's function is expected
 * to be no worse than its subtree (error x (n + v) / (n - v) for v coefficients),
 * and smoothed: a node's function is mixed with its parent's, which counts as
 * much as SMOOTHING points.  Every leaf becomes a rule.  The next member learns
 * y + (y - prediction of this one).  models/cost/surrogate_rules.c averages the members and
 * corrects by the nearest instances.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cholesky.h"
#include "grow.h"
#include "prep.h"

enum { MEMBERS, NEIGHBOURS, LEAVES }; /* numbers of a setting */

#define SMOOTHING 3.0

static void rules_setting(int index, bool log_target, uint64_t seed, trainer_setting *setting_p)
{
    static const int members[] = {1, 3, 8}, neighbours[] = {0, 1, 3, 5, 9}, leaves[] = {8, 30};

    (void) log_target;
    (void) seed;
    setting_p->number[MEMBERS] = members[index % 3];
    setting_p->number[NEIGHBOURS] = neighbours[index / 3 % 5];
    setting_p->number[LEAVES] = leaves[index / 15];
}

static void rules_describe(const trainer_setting *setting, char *text, size_t size)
{
    snprintf(text, size, "committee of %.0f, at most %.0f rules each, %.0f instances",
             setting->number[MEMBERS], setting->number[LEAVES], setting->number[NEIGHBOURS]);
}

/* A linear function of the inputs. */
typedef struct plane {
    double intercept, coefficient[ATM_FEATURE_COUNT];
    double error; /* expected: mean of |difference|, adjusted */
} plane;

typedef struct model_tree {
    grow_tree tree;
    plane *planes; /* [tree.count] */
    bool *leaf;    /* [tree.count], after pruning */
} model_tree;

static double plane_at(const plane *p, const double *x, int inputs)
{
    double y = p->intercept;

    for (int i = 0; i < inputs; i++)
        y += p->coefficient[i] * x[i];
    return y;
}

/* --- one node */

/* Centred moments of the rows of a node. */
typedef struct moments {
    double mean[ATM_FEATURE_COUNT];
    double xx[ATM_FEATURE_COUNT * ATM_FEATURE_COUNT];
    double xy[ATM_FEATURE_COUNT];
} moments;

static void sum_moments(const trainer_data *data, const double *y, const int *rows,
                        const grow_node *node, moments *m)
{
    int inputs = data->inputs;

    memset(m, 0, sizeof(*m));
    for (int r = 0; r < node->rows; r++)
        for (int i = 0; i < inputs; i++)
            m->mean[i] += data->x[rows[r] * inputs + i] / node->rows;
    for (int r = 0; r < node->rows; r++) {
        const double *x = data->x + rows[r] * inputs;

        for (int i = 0; i < inputs; i++) {
            double apart = x[i] - m->mean[i];

            m->xy[i] += apart * (y[rows[r]] - node->mean);
            for (int k = 0; k <= i; k++)
                m->xx[i * inputs + k] += apart * (x[k] - m->mean[k]);
        }
    }
}

/* Least squares with just enough of a ridge for inputs that do not vary here.
 * With few points, the mean. */
static void fit_plane(const trainer_data *data, const double *y, const int *rows,
                      const grow_node *node, plane *p)
{
    int inputs = data->inputs, parameters = 1;
    double sum = 0;
    moments m;

    *p = (plane){.intercept = node->mean};
    sum_moments(data, y, rows, node, &m);
    for (int i = 0; i < inputs; i++) {
        parameters += m.xx[i * inputs + i] > 1e-9 * node->rows;
        m.xx[i * inputs + i] += 1e-6 * node->rows;
    }
    if (node->rows > parameters + 1 && cholesky_solve(m.xx, inputs, m.xy)) {
        memcpy(p->coefficient, m.xy, (size_t) inputs * sizeof(double));
        for (int i = 0; i < inputs; i++)
            p->intercept -= m.xy[i] * m.mean[i];
    } else {
        parameters = 1;
    }
    for (int r = 0; r < node->rows; r++)
        sum += fabs(y[rows[r]] - plane_at(p, data->x + rows[r] * inputs, inputs));
    p->error = node->rows > parameters
                   ? sum / node->rows * (node->rows + parameters) / (node->rows - parameters)
                   : INFINITY;
}

/* --- one member */

/* Prunes from the leaves up: children come after their parents. */
static void prune(model_tree *m)
{
    for (int i = m->tree.count - 1; i >= 0; i--) {
        const grow_node *node = &m->tree.nodes[i];
        const grow_node *left = &m->tree.nodes[node->left];
        double below;

        m->leaf[i] = node->input < 0;
        if (m->leaf[i])
            continue;
        below = (left[0].rows * m->planes[node->left].error +
                 left[1].rows * m->planes[node->left + 1].error) /
                node->rows;
        m->leaf[i] = m->planes[i].error <= below;
        if (!m->leaf[i])
            m->planes[i].error = below;
    }
}

/* Smooths from the root down, so that a parent already has its own parents' part. */
static void smooth(model_tree *m, int inputs)
{
    for (int i = 1; i < m->tree.count; i++) {
        const grow_node *node = &m->tree.nodes[i];
        const plane *above = &m->planes[node->parent];
        plane *here = &m->planes[i];
        double share = SMOOTHING / (node->rows + SMOOTHING);

        here->intercept += share * (above->intercept - here->intercept);
        for (int k = 0; k < inputs; k++)
            here->coefficient[k] += share * (above->coefficient[k] - here->coefficient[k]);
    }
}

static void destroy_tree(model_tree *m)
{
    grow_tree_destroy(&m->tree);
    free(m->planes);
    free(m->leaf);
}

static atm_status make_tree(const trainer_data *data, const int *order, int leaves, model_tree *m)
{
    grow_limits limits = {.leaf = data->rows >= 40 ? 4 : 3, .leaves = leaves};
    uint64_t unused = 0;
    atm_status status = grow_tree_make(data, order, NULL, &limits, &unused, &m->tree);

    if (status != ATM_OK)
        return status;
    m->planes = calloc((size_t) m->tree.count, sizeof(plane));
    m->leaf = calloc((size_t) m->tree.count, sizeof(bool));
    if (m->planes == NULL || m->leaf == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < m->tree.count; i++) {
        const grow_node *node = &m->tree.nodes[i];

        fit_plane(data, data->y, m->tree.members + node->first, node, &m->planes[i]);
    }
    prune(m);
    smooth(m, data->inputs);
    return ATM_OK;
}

static bool is_rule(const model_tree *m, int index)
{
    if (!m->leaf[index])
        return false;
    for (int i = m->tree.nodes[index].parent; i >= 0; i = m->tree.nodes[i].parent)
        if (m->leaf[i])
            return false;
    return true;
}

/* --- rules */

/* The strictest condition of each kind on the way to the root. */
static void put_conditions(const model_tree *m, int index, int inputs, atm_value *rule)
{
    double above[ATM_FEATURE_COUNT], up_to[ATM_FEATURE_COUNT];
    atm_value *conditions = atm_put_array(rule, "conditions");

    for (int i = 0; i < inputs; i++) {
        above[i] = -INFINITY;
        up_to[i] = INFINITY;
    }
    for (int i = index, parent; (parent = m->tree.nodes[i].parent) >= 0; i = parent) {
        const grow_node *node = &m->tree.nodes[parent];

        if (i == node->left)
            up_to[node->input] = fmin(up_to[node->input], node->split);
        else
            above[node->input] = fmax(above[node->input], node->split);
    }
    for (int i = 0; i < 2 * inputs; i++) {
        double bound = i % 2 == 0 ? above[i / 2] : up_to[i / 2];
        atm_value *condition;

        if (isinf(bound))
            continue;
        condition = atm_put_array(conditions, NULL);
        atm_put_integer(condition, NULL, i / 2);
        atm_put_string(condition, NULL, i % 2 == 0 ? ">" : "<=");
        atm_put_number(condition, NULL, bound);
    }
}

/* Adds a rule and sets what it says of its rows.  Its function may leave the
 * range of the outputs it was learned from by half of that range. */
static void put_rule(const trainer_data *data, const model_tree *m, int index, atm_value *member,
                     double *said)
{
    const grow_node *node = &m->tree.nodes[index];
    const plane *p = &m->planes[index];
    const int *rows = m->tree.members + node->first;
    double low = INFINITY, high = -INFINITY, margin;
    atm_value *rule = atm_put_object(member, NULL);

    for (int r = 0; r < node->rows; r++) {
        low = fmin(low, data->y[rows[r]]);
        high = fmax(high, data->y[rows[r]]);
    }
    margin = (high - low) / 2;
    low -= margin;
    high += margin;
    put_conditions(m, index, data->inputs, rule);
    atm_put_number(rule, "intercept", p->intercept);
    atm_put_numbers(rule, "coefficients", p->coefficient, (size_t) data->inputs);
    atm_put_number(rule, "low", low);
    atm_put_number(rule, "high", high);
    for (int r = 0; r < node->rows; r++) {
        double y = plane_at(p, data->x + rows[r] * data->inputs, data->inputs);

        said[rows[r]] = y < low ? low : y > high ? high : y;
    }
}

static atm_status fit_member(const trainer_data *data, const int *order, int leaves,
                             atm_value *committee, double *said)
{
    model_tree m = {.planes = NULL};
    atm_status status = make_tree(data, order, leaves, &m);
    atm_value *member = atm_put_array(committee, NULL);

    for (int i = 0; status == ATM_OK && i < m.tree.count; i++)
        if (is_rule(&m, i))
            put_rule(data, &m, i, member, said);
    destroy_tree(&m);
    return status;
}

static void put_instances(const trainer_data *data, int neighbours, atm_value *parameters)
{
    double scale[ATM_FEATURE_COUNT];
    atm_value *instances = atm_put_object(parameters, "instances");

    for (int i = 0; i < data->inputs; i++) {
        double sum = 0, squares = 0;

        for (int r = 0; r < data->rows; r++) {
            sum += data->x[r * data->inputs + i];
            squares += data->x[r * data->inputs + i] * data->x[r * data->inputs + i];
        }
        squares = squares / data->rows - sum / data->rows * (sum / data->rows);
        scale[i] = squares > 1e-12 ? 5 * sqrt(squares) : 1; /* as Cubist */
    }
    atm_put_integer(instances, "neighbours", neighbours < data->rows ? neighbours : data->rows);
    atm_put_numbers(instances, "scale", scale, (size_t) data->inputs);
    atm_put_matrix(instances, "points", data->x, (size_t) data->rows, (size_t) data->inputs);
    atm_put_numbers(instances, "outputs", data->y, (size_t) data->rows);
}

static atm_status rules_fit(const trainer_data *data, const trainer_setting *setting, uint64_t seed,
                            atm_value *parameters)
{
    size_t bytes = (size_t) data->rows * sizeof(double);
    int *order = grow_order(data);
    double *wanted = malloc(bytes), *said = malloc(bytes), mean = 0;
    trainer_data next = *data;
    atm_status status = order != NULL && wanted != NULL && said != NULL ? ATM_OK : ATM_NO_MEMORY;
    atm_value *committee;

    (void) seed;
    for (int i = 0; i < data->rows; i++)
        mean += data->y[i] / data->rows;
    atm_put_number(parameters, "default", mean);
    committee = atm_put_array(parameters, "committee");
    if (status == ATM_OK)
        memcpy(wanted, data->y, bytes);
    next.y = wanted;
    for (int m = 0; status == ATM_OK && m < setting->number[MEMBERS]; m++) {
        status = fit_member(&next, order, (int) setting->number[LEAVES], committee, said);
        for (int i = 0; status == ATM_OK && i < data->rows; i++)
            wanted[i] = 2 * data->y[i] - said[i];
    }
    if (setting->number[NEIGHBOURS] > 0)
        put_instances(data, (int) setting->number[NEIGHBOURS], parameters);
    free(said);
    free(wanted);
    free(order);
    return status;
}

const trainer trainer_rules = {.name = "rules",
                               .simplicity = 2,
                               .steps = PREP_BIT_PLAIN | PREP_BIT_BOX_COX | PREP_BIT_LOG |
                                        PREP_BIT_LOG_COUNTS | PREP_BIT_LOG_PCA,
                               .cost = 4,
                               .setting = rules_setting,
                               .describe = rules_describe,
                               .fit = rules_fit};
