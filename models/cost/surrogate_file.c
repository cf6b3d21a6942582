/* Reading and writing of surrogates: the object that cost/surrogate.h shows. */

#include "surrogate_inside.h"

#include <stdlib.h>
#include <string.h>

static const char *const law_names[SUR_LAWS] = {
    [SUR_CONSTANT] = "constant", [SUR_LINEAR] = "linear", [SUR_LOG] = "log"};

/* Overestimates rather than underestimates what was never measured, but more
 * stripes do not make one access slower, and no share exceeds the whole. */
static sur_law default_law(atm_feature feature)
{
    return feature == ATM_STRIPES || feature == ATM_FAR ? SUR_CONSTANT : SUR_LINEAR;
}

static atm_status read_type(const atm_value *value, atm_message *message, const sur_type **type_p)
{
    const char *name;
    atm_status status = atm_get_string(value, "model", message, &name);

    if (status != ATM_OK)
        return status;
    for (size_t i = 0; sur_type_at(i) != NULL; i++) {
        if (strcmp(sur_type_at(i)->name, name) == 0) {
            *type_p = sur_type_at(i);
            return ATM_OK;
        }
    }
    return atm_complain(value, "model", message, "there is no model of this name");
}

static atm_status read_features(const atm_value *value, atm_message *message, atm_surrogate *s)
{
    atm_status status = sur_features_read(value, message, s->feature, &s->count);

    for (int i = 0; status == ATM_OK && i < s->count; i++)
        s->law[i] = default_law(s->feature[i]);
    return status;
}

static atm_status read_edge(const atm_value *value, const char *key, double min, int count,
                            atm_message *message, double *edge_p)
{
    size_t length = (size_t) count;
    double *numbers;
    atm_status status =
        atm_get_numbers(value, key, length, length, min, SUR_FAR, message, &numbers, &length);

    if (status != ATM_OK)
        return status;
    memcpy(edge_p, numbers, length * sizeof(double));
    free(numbers);
    return ATM_OK;
}

static atm_status read_range(const atm_value *value, atm_message *message, atm_surrogate *s)
{
    const atm_value *laws = atm_value_find(value, "beyond");
    atm_status status = read_edge(value, "min", 0, s->count, message, s->min);

    if (status == ATM_OK)
        status = read_edge(value, "max", 1 / SUR_FAR, s->count, message, s->max);
    for (int i = 0; status == ATM_OK && i < s->count; i++)
        if (s->min[i] > s->max[i])
            status = atm_complain(value, "max", message, "must not be below min (number %d)", i);
    if (status == ATM_OK && laws != NULL)
        status = atm_get_array(laws, NULL, (size_t) s->count, (size_t) s->count, message, &laws);
    for (int i = 0; status == ATM_OK && laws != NULL && i < s->count; i++) {
        size_t law = 0;

        status = atm_get_choice(atm_value_item(laws, (size_t) i), NULL, law_names, SUR_LAWS,
                                message, &law);
        s->law[i] = (sur_law) law;
    }
    return status;
}

static atm_status read_numbers(const atm_value *value, atm_message *message, atm_surrogate *s)
{
    atm_status status = atm_get_number(value, "error", 0, ATM_UNCERTAINTY_MAX, message, &s->error);

    s->seconds_min = ATM_SECONDS_MIN;
    s->seconds_max = ATM_SECONDS_MAX;
    if (status == ATM_OK)
        status = atm_opt_number(value, "seconds_min", ATM_SECONDS_MIN, ATM_SECONDS_MAX, message,
                                &s->seconds_min);
    if (status == ATM_OK)
        status = atm_opt_number(value, "seconds_max", s->seconds_min, ATM_SECONDS_MAX, message,
                                &s->seconds_max);
    if (status == ATM_OK)
        status = atm_opt_number(value, "error_length", 0, SUR_BIG, message, &s->length);
    if (status == ATM_OK)
        status = sur_correction_read(value, message, &s->correction);
    if (status == ATM_OK)
        status = sur_scaled_read(value, message, &s->scaled);
    if (status == ATM_OK)
        status = sur_outside_read(value, s->count, message, &s->outside);
    return status;
}

/* Reads the errors, a forest over the untransformed features. */
static atm_status read_errors(const atm_value *value, atm_message *message, atm_surrogate *s)
{
    const atm_value *errors;
    atm_status status;

    if (atm_value_find(value, "errors") == NULL)
        return ATM_OK;
    status = atm_get_object(value, "errors", message, &errors);
    return status == ATM_OK ? sur_model_read(&sur_forest, errors, s->count, message, &s->errors)
                            : status;
}

atm_status sur_model_read(const sur_type *type, const atm_value *object, int inputs,
                          atm_message *message, void **model_p)
{
    void *model = calloc(1, type->size); /* sur_model_destroy */
    atm_status status = model != NULL ? type->read(object, inputs, message, model) : ATM_NO_MEMORY;

    if (status == ATM_OK)
        *model_p = model;
    else
        sur_model_destroy(type, model);
    return status;
}

/* --- members */

static atm_status read_member(const atm_value *value, atm_message *message, const atm_surrogate *s,
                              sur_member *member)
{
    const atm_value *parameters;
    atm_status status = read_type(value, message, &member->type);

    if (status == ATM_OK)
        status = atm_pipeline_read(atm_value_find(value, "pipeline"), s->count, s->min, message,
                                   &member->pipeline);
    if (status == ATM_OK)
        status = atm_get_object(value, "parameters", message, &parameters);
    if (status == ATM_OK)
        status = sur_model_read(member->type, parameters, member->pipeline.inputs, message,
                                &member->model);
    return status;
}

static bool is_mean(const atm_value *value)
{
    const char *name;

    return atm_get_string(value, "model", NULL, &name) == ATM_OK && strcmp(name, SUR_MEAN) == 0;
}

/* Each counts when it is complete, or has nothing to be cleared. */
static atm_status read_members(const atm_value *value, atm_message *message, atm_surrogate *s)
{
    static const char *const keys[] = {"model", "pipeline", "parameters", NULL};
    const atm_value *list = NULL;
    bool mean = is_mean(value);
    atm_status status =
        mean ? atm_get_array(value, "members", 2, SUR_MEMBERS, message, &list) : ATM_OK;
    size_t count = mean && status == ATM_OK ? atm_value_length(list) : 1;

    if (status != ATM_OK)
        return status;
    s->members = calloc(count, sizeof(*s->members)); /* atm_surrogate_destroy */
    if (s->members == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; status == ATM_OK && i < count; i++) {
        const atm_value *member = value;

        if (mean)
            status = atm_get_object(atm_value_item(list, i), NULL, message, &member);
        if (status == ATM_OK && mean)
            status = atm_check_keys(member, keys, message);
        if (status == ATM_OK)
            status = read_member(member, message, s, &s->members[i]);
        s->member_count += status == ATM_OK;
    }
    return status;
}

static atm_status read_surrogate(const atm_value *value, atm_message *message, atm_surrogate *s)
{
    static const char *const keys[] = {"model",   "features",     "min",         "max",
                                       "beyond",  "error",        "seconds_min", "seconds_max",
                                       "errors",  "error_length", "correction",  "scaled",
                                       "outside", "pipeline",     "parameters",  NULL};
    static const char *const mean_keys[] = {"model",   "features",     "min",         "max",
                                            "beyond",  "error",        "seconds_min", "seconds_max",
                                            "errors",  "error_length", "correction",  "scaled",
                                            "outside", "members",      NULL};
    const sur_type *type;
    atm_status status = atm_check_keys(value, is_mean(value) ? mean_keys : keys, message);

    if (status == ATM_OK && !is_mean(value))
        status = read_type(value, message, &type); /* the first thing to be told about */
    if (status == ATM_OK)
        status = read_features(value, message, s);
    if (status == ATM_OK)
        status = read_range(value, message, s);
    if (status == ATM_OK)
        status = read_numbers(value, message, s);
    if (status == ATM_OK)
        status = read_members(value, message, s);
    if (status == ATM_OK)
        status = read_errors(value, message, s);
    return status;
}

atm_status atm_surrogate_read(const atm_value *value, atm_message *message,
                              atm_surrogate **surrogate_p)
{
    atm_surrogate *s = calloc(1, sizeof(*s)); /* atm_surrogate_destroy */
    atm_status status;

    if (s == NULL)
        return ATM_NO_MEMORY;
    status = read_surrogate(value, message, s);
    if (status == ATM_OK)
        *surrogate_p = s;
    else
        atm_surrogate_destroy(s);
    return status;
}

static void write_member(const sur_member *member, atm_value *object)
{
    atm_pipeline_write(&member->pipeline, atm_put_object(object, "pipeline"));
    member->type->write(member->model, atm_put_object(object, "parameters"));
}

static void write_members(const atm_surrogate *s, atm_value *array)
{
    for (int i = 0; i < s->member_count; i++) {
        atm_value *object = atm_put_object(array, NULL);

        atm_put_string(object, "model", s->members[i].type->name);
        write_member(&s->members[i], object);
    }
}

void atm_surrogate_write(const atm_surrogate *surrogate, atm_value *object)
{
    const atm_surrogate *s = surrogate;
    atm_value *features, *laws;

    atm_put_string(object, "model", atm_surrogate_model(s));
    features = atm_put_array(object, "features");
    for (int i = 0; i < s->count; i++)
        atm_put_string(features, NULL, atm_feature_name(s->feature[i]));
    atm_put_numbers(object, "min", s->min, (size_t) s->count);
    atm_put_numbers(object, "max", s->max, (size_t) s->count);
    laws = atm_put_array(object, "beyond");
    for (int i = 0; i < s->count; i++)
        atm_put_string(laws, NULL, law_names[s->law[i]]);
    atm_put_number(object, "error", s->error);
    if (s->errors != NULL)
        sur_forest.write(s->errors, atm_put_object(object, "errors"));
    if (s->length > 0)
        atm_put_number(object, "error_length", s->length);
    atm_put_number(object, "seconds_min", s->seconds_min);
    atm_put_number(object, "seconds_max", s->seconds_max);
    sur_correction_write(&s->correction, object);
    sur_scaled_write(&s->scaled, object);
    sur_outside_write(&s->outside, s->count, object);
    if (s->member_count == 1)
        write_member(&s->members[0], object);
    else
        write_members(s, atm_put_array(object, "members"));
}
