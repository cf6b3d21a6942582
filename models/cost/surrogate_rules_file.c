/*
 * Reading and writing of rules.
 *
 *     "parameters": {
 *       "default": 0.2,                          where no rule of a member holds
 *       "committee": [ [ { "conditions": [[0, "<=", 3], [1, ">", 2]],
 *                          "intercept": 0.1, "coefficients": [0.2, 0],
 *                          "low": 0, "high": 9 }, .. ], .. ],
 *       "instances": { "neighbours": 5, "scale": [..], "limit": 2.5,
 *                      "points": [[..], ..], "outputs": [..] } }
 *
 * Optional: low and high (bounds of the linear function); instances, and its
 * scale (inputs are divided by it for distances) and limit (farther instances
 * do not count; when fewer than half of the neighbours are left, there is no
 * correction).
 */

#include "surrogate_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UP_TO, ABOVE, COMPARISONS };

static const char *const comparison_names[COMPARISONS] = {[UP_TO] = "<=", [ABOVE] = ">"};

/* --- reading */

static atm_status read_condition(const atm_value *row, int inputs, atm_message *message, rule *r)
{
    atm_status status = atm_get_array(row, NULL, 3, 3, message, &row);
    size_t comparison;
    int64_t input;
    double value;

    if (status == ATM_OK)
        status = atm_get_integer(atm_value_item(row, 0), NULL, 0, inputs - 1, message, &input);
    if (status == ATM_OK)
        status = atm_get_choice(atm_value_item(row, 1), NULL, comparison_names, COMPARISONS,
                                message, &comparison);
    if (status == ATM_OK)
        status = atm_get_number(atm_value_item(row, 2), NULL, -SUR_BIG, SUR_BIG, message, &value);
    if (status != ATM_OK)
        return status;
    if (comparison == UP_TO && value < r->up_to[input])
        r->up_to[input] = value;
    if (comparison == ABOVE && value > r->above[input])
        r->above[input] = value;
    return ATM_OK;
}

static atm_status read_conditions(const atm_value *object, int inputs, atm_message *message,
                                  rule *r)
{
    const atm_value *rows;
    atm_status status = atm_get_array(object, "conditions", 0, 64, message, &rows);

    for (int i = 0; i < inputs; i++) {
        r->above[i] = -INFINITY;
        r->up_to[i] = INFINITY;
    }
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(rows); i++)
        status = read_condition(atm_value_item(rows, i), inputs, message, r);
    return status;
}

static atm_status read_rule(const atm_value *object, int inputs, atm_message *message, rule *r)
{
    static const char *const keys[] = {"conditions", "intercept", "coefficients",
                                       "low",        "high",      NULL};
    size_t length = (size_t) inputs;
    double *coefficients;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = read_conditions(object, inputs, message, r);
    if (status == ATM_OK)
        status = atm_get_number(object, "intercept", -SUR_BIG, SUR_BIG, message, &r->intercept);
    r->low = -SUR_BIG;
    r->high = SUR_BIG;
    if (status == ATM_OK)
        status = atm_opt_number(object, "low", -SUR_BIG, SUR_BIG, message, &r->low);
    if (status == ATM_OK)
        status = atm_opt_number(object, "high", r->low, SUR_BIG, message, &r->high);
    if (status == ATM_OK)
        status = atm_get_numbers(object, "coefficients", length, length, -SUR_BIG, SUR_BIG, message,
                                 &coefficients, &length);
    if (status != ATM_OK)
        return status;
    memcpy(r->coefficient, coefficients, length * sizeof(double));
    free(coefficients);
    return ATM_OK;
}

/* Counts the rules into first[], so that they are allocated once. */
static atm_status count_rules(const atm_value *committee, atm_message *message, sur_rules_model *m)
{
    m->members = (int) atm_value_length(committee);
    for (int i = 0; i < m->members; i++) {
        const atm_value *member = atm_value_item(committee, (size_t) i);
        atm_status status = atm_get_array(member, NULL, 0, SUR_RULES_MAX_RULES, message, &member);

        if (status != ATM_OK)
            return status;
        m->first[i + 1] = m->first[i] + (int) atm_value_length(member);
    }
    if (m->first[m->members] > SUR_RULES_MAX_RULES)
        return atm_complain(committee, NULL, message, "must have at most %d rules",
                            SUR_RULES_MAX_RULES);
    return ATM_OK;
}

static atm_status read_committee(const atm_value *object, atm_message *message, sur_rules_model *m)
{
    const atm_value *committee;
    atm_status status =
        atm_get_array(object, "committee", 1, SUR_RULES_MAX_MEMBERS, message, &committee);

    if (status == ATM_OK)
        status = count_rules(committee, message, m);
    if (status != ATM_OK)
        return status;
    m->rules = calloc((size_t) m->first[m->members] + 1, sizeof(rule));
    if (m->rules == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < m->members; i++) {
        const atm_value *member = atm_value_item(committee, (size_t) i);

        for (int k = m->first[i]; status == ATM_OK && k < m->first[i + 1]; k++)
            status = read_rule(atm_value_item(member, (size_t) (k - m->first[i])), m->inputs,
                               message, &m->rules[k]);
    }
    return status;
}

static atm_status read_scale(const atm_value *object, atm_message *message, sur_rules_model *m)
{
    size_t length = (size_t) m->inputs;
    double *scale;
    atm_status status;

    for (int i = 0; i < m->inputs; i++)
        m->scale[i] = 1;
    if (atm_value_find(object, "scale") == NULL)
        return ATM_OK;
    status = atm_get_numbers(object, "scale", length, length, 1 / SUR_BIG, SUR_BIG, message, &scale,
                             &length);
    if (status != ATM_OK)
        return status;
    memcpy(m->scale, scale, length * sizeof(double));
    free(scale);
    return ATM_OK;
}

static atm_status read_instances(const atm_value *object, atm_message *message, sur_rules_model *m)
{
    static const char *const keys[] = {"neighbours", "scale", "limit", "points", "outputs", NULL};
    size_t rows, columns = (size_t) m->inputs;
    int64_t neighbours = 0;
    atm_status status = atm_check_keys(object, keys, message);

    m->limit = DBL_MAX;
    if (status == ATM_OK)
        status = atm_get_numbers(object, "outputs", 1, SUR_MAX_INSTANCES, -SUR_BIG, SUR_BIG,
                                 message, &m->outputs, &rows);
    if (status == ATM_OK)
        status = atm_get_matrix(object, "points", rows, rows, columns, columns, -SUR_BIG, SUR_BIG,
                                message, &m->points, &rows, &columns);
    if (status == ATM_OK)
        status = atm_get_integer(object, "neighbours", 1, SUR_NEAR_MAX_FOUND, message, &neighbours);
    if (status == ATM_OK)
        status = atm_opt_number(object, "limit", 0, DBL_MAX, message, &m->limit);
    if (status == ATM_OK)
        status = read_scale(object, message, m);
    if (status != ATM_OK)
        return status;
    m->neighbours = (int) neighbours;
    m->instances = (int) rows;
    return ATM_OK;
}

atm_status sur_rules_read_model(const atm_value *object, atm_message *message, sur_rules_model *m)
{
    static const char *const keys[] = {"default", "committee", "instances", NULL};
    const atm_value *instances = atm_value_find(object, "instances");
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_number(object, "default", -SUR_BIG, SUR_BIG, message, &m->otherwise);
    if (status == ATM_OK)
        status = read_committee(object, message, m);
    if (status == ATM_OK && instances != NULL)
        status = read_instances(instances, message, m);
    return status;
}

/* --- writing */

static void write_condition(atm_value *rows, int input, int comparison, double value)
{
    atm_value *row;

    if (isinf(value))
        return;
    row = atm_put_array(rows, NULL);
    atm_put_integer(row, NULL, input);
    atm_put_string(row, NULL, comparison_names[comparison]);
    atm_put_number(row, NULL, value);
}

static void write_rule(const rule *r, int inputs, atm_value *object)
{
    atm_value *rows = atm_put_array(object, "conditions");

    for (int i = 0; i < inputs; i++) {
        write_condition(rows, i, ABOVE, r->above[i]);
        write_condition(rows, i, UP_TO, r->up_to[i]);
    }
    atm_put_number(object, "intercept", r->intercept);
    atm_put_numbers(object, "coefficients", r->coefficient, (size_t) inputs);
    atm_put_number(object, "low", r->low);
    atm_put_number(object, "high", r->high);
}

void sur_rules_write_model(const sur_rules_model *m, atm_value *object)
{
    atm_value *committee, *instances;
    size_t inputs = (size_t) m->inputs, count = (size_t) m->instances;

    atm_put_number(object, "default", m->otherwise);
    committee = atm_put_array(object, "committee");
    for (int i = 0; i < m->members; i++) {
        atm_value *member = atm_put_array(committee, NULL);

        for (int k = m->first[i]; k < m->first[i + 1]; k++)
            write_rule(&m->rules[k], m->inputs, atm_put_object(member, NULL));
    }
    if (count == 0)
        return;
    instances = atm_put_object(object, "instances");
    atm_put_integer(instances, "neighbours", m->neighbours);
    atm_put_number(instances, "limit", m->limit);
    atm_put_numbers(instances, "scale", m->scale, inputs);
    atm_put_matrix(instances, "points", m->points, count, inputs);
    atm_put_numbers(instances, "outputs", m->outputs, count);
}
