/* State models: files, and what they say of a target. */

#include "model.h"
#include "formats/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const source_names[] = {
    [TRACE_PROBE] = "probe", [TRACE_TRUTH] = "truth", [TRACE_SERVICE] = "service"};

static const char *const ways[] = {"writes", "latency"};

/* --- writing */

static void put_state(atm_value *object, const char *key, const mixture_state *state)
{
    atm_value *to = atm_put_object(object, key);

    atm_put_number(to, "weight", state->weight);
    atm_put_number(to, "mean", state->mean);
    atm_put_number(to, "deviation", state->deviation);
}

atm_value *model_put_target(atm_value *targets, int target, const mixture *mixture, bool by_latency,
                            double typical, trace_source source)
{
    atm_value *object = atm_put_object(targets, NULL);

    atm_put_integer(object, "target", target);
    atm_put_integer(object, "samples", (int64_t) mixture->samples);
    atm_put_integer(object, "states", mixture->states);
    put_state(object, "idle", mixture->states == 2 ? &mixture->idle : &mixture->one);
    if (mixture->states == 2) {
        put_state(object, "busy", &mixture->busy);
        put_state(object, "whole", &mixture->one);
    }
    if (mixture->states == 2)
        atm_put_string(object, "told_by", ways[by_latency]);
    if (isfinite(mixture->bic[0]) && isfinite(mixture->bic[1])) {
        atm_put_numbers(object, "bic", mixture->bic, 2);
        atm_put_number(object, "ashman", mixture->ashman);
        atm_put_number(object, "distance", mixture->distance);
    }
    if (!isnan(typical)) {
        atm_put_number(object, "latency", typical);
        atm_put_string(object, "source", source_names[source]);
    }
    return object;
}

/* --- reading */

static atm_status read_state(const atm_value *object, const char *key, atm_message *message,
                             mixture_state *state)
{
    static const char *const keys[] = {"weight", "mean", "deviation", NULL};
    const atm_value *from;
    atm_status status = atm_get_object(object, key, message, &from);

    if (status == ATM_OK)
        status = atm_check_keys(from, keys, message);
    if (status == ATM_OK)
        status = atm_get_number(from, "weight", 0, 1, message, &state->weight);
    if (status == ATM_OK)
        status = atm_get_number(from, "mean", -50, 50, message, &state->mean);
    if (status == ATM_OK)
        status = atm_get_number(from, "deviation", ATM_ABOVE_ZERO, 10, message, &state->deviation);
    return status;
}

static atm_status read_mixture(const atm_value *object, atm_message *message, mixture *m)
{
    int64_t samples = 0, states = 0;
    size_t length;
    double *bic;
    atm_status status = atm_get_integer(object, "samples", 1, ATM_MAX_INTEGER, message, &samples);

    m->distance = 1;
    m->bic[1] = INFINITY;
    if (status == ATM_OK)
        status = atm_get_integer(object, "states", 1, 2, message, &states);
    if (status == ATM_OK)
        status = read_state(object, "idle", message, &m->idle);
    m->one = m->busy = m->idle;
    if (status == ATM_OK && states == 2)
        status = read_state(object, "busy", message, &m->busy);
    if (status == ATM_OK && atm_value_find(object, "whole") != NULL)
        status = read_state(object, "whole", message, &m->one);
    if (status == ATM_OK && m->busy.mean < m->idle.mean)
        status = atm_complain(object, "busy", message, "must not be faster than idle");
    if (status == ATM_OK)
        status = atm_opt_number(object, "ashman", 0, 1e9, message, &m->ashman);
    if (status == ATM_OK)
        status = atm_opt_number(object, "distance", 1, 1e30, message, &m->distance);
    if (status == ATM_OK && atm_value_find(object, "bic") != NULL) {
        status = atm_get_numbers(object, "bic", 2, 2, -DBL_MAX, DBL_MAX, message, &bic, &length);
        if (status == ATM_OK) {
            memcpy(m->bic, bic, sizeof(m->bic));
            free(bic);
        }
    }
    m->samples = (size_t) samples;
    m->states = (int) states;
    return status;
}

static atm_status read_classifier(const atm_value *object, const state_model *model,
                                  atm_message *message, model_target *t)
{
    const atm_value *from = atm_value_find(object, "classifier");
    const char *kind = "";
    atm_status status = from == NULL ? ATM_OK : atm_get_string(from, "kind", message, &kind);

    if (from == NULL || status != ATM_OK)
        return status;
    if (strcmp(kind, "shared") != 0)
        return atm_classifier_read(from, message, &t->own);
    if (model->shared == NULL)
        return atm_complain(from, "kind", message, "is shared, but the file has no \"shared\"");
    t->shared = true;
    return ATM_OK;
}

static atm_status read_accuracy(const atm_value *object, atm_message *message, model_target *t)
{
    static const char *const keys[] = {"rows", "classifier", "persistence", "majority", NULL};
    const atm_value *from;
    atm_status status;

    if (atm_value_find(object, "accuracy") == NULL)
        return ATM_OK;
    status = atm_get_object(object, "accuracy", message, &from);
    if (status == ATM_OK)
        status = atm_check_keys(from, keys, message);
    if (status == ATM_OK)
        status = atm_get_number(from, "rows", 1, 1e15, message, &t->rows);
    if (status == ATM_OK)
        status = atm_get_number(from, "classifier", 0, 1, message, &t->accuracy);
    if (status == ATM_OK)
        status = atm_get_number(from, "persistence", 0, 1, message, &t->persistence);
    if (status == ATM_OK)
        status = atm_get_number(from, "majority", 0, 1, message, &t->majority);
    return status;
}

static atm_status read_target(const atm_value *object, const state_model *model,
                              atm_message *message, model_target *t)
{
    static const char *const keys[] = {"target", "samples", "states",     "idle",     "busy",
                                       "whole",  "bic",     "ashman",     "distance", "latency",
                                       "source", "told_by", "classifier", "accuracy", NULL};
    int64_t target = 0;
    size_t source = TRACE_PROBE, way = 0;
    atm_status status = atm_check_keys(object, keys, message);

    t->typical = NAN;
    if (status == ATM_OK)
        status = atm_get_integer(object, "target", 0, TRACE_TARGETS - 1, message, &target);
    if (status == ATM_OK)
        status = read_mixture(object, message, &t->mixture);
    if (status == ATM_OK)
        status = atm_opt_number(object, "latency", ATM_ABOVE_ZERO, 1e6, message, &t->typical);
    if (status == ATM_OK)
        status = atm_opt_choice(object, "source", source_names, TRACE_SOURCES, message, &source);
    if (status == ATM_OK)
        status = atm_opt_choice(object, "told_by", ways, 2, message, &way);
    t->by_latency = way == 1;
    t->target = (int) target;
    t->source = (trace_source) source;
    if (status == ATM_OK)
        status = read_classifier(object, model, message, t);
    return status == ATM_OK ? read_accuracy(object, message, t) : status;
}

static atm_status read_targets(const atm_value *root, atm_message *message, state_model *m)
{
    const atm_value *array;
    atm_status status = atm_get_array(root, "targets", 0, TRACE_TARGETS, message, &array);

    if (status != ATM_OK)
        return status;
    m->targets = calloc(atm_value_length(array) + 1, sizeof(*m->targets)); /* model_destroy */
    if (m->targets == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(array); i++) {
        const atm_value *object = atm_value_item(array, i);

        m->count++; /* is destroyed also if it is bad */
        status = read_target(object, m, message, &m->targets[i]);
        if (status == ATM_OK && i > 0 && m->targets[i].target <= m->targets[i - 1].target)
            status = atm_complain(object, "target", message, "must be greater than the one before");
    }
    return status;
}

static atm_status check_features(const atm_value *root, atm_message *message)
{
    const atm_value *names;
    atm_status status =
        atm_get_array(root, "features", ATM_STATE_FEATURES, ATM_STATE_FEATURES, message, &names);

    for (size_t i = 0; status == ATM_OK && i < ATM_STATE_FEATURES; i++) {
        const char *name;

        status = atm_get_string(atm_value_item(names, i), NULL, message, &name);
        if (status == ATM_OK && strcmp(name, atm_state_feature_names[i]) != 0)
            status = atm_complain(atm_value_item(names, i), NULL, message, "must be %s",
                                  atm_state_feature_names[i]);
    }
    return status;
}

static atm_status read_model(const atm_value *root, atm_message *message, state_model *m)
{
    static const char *const keys[] = {"format",      "version",  "path",   "trained", "from", "to",
                                       "truth_bytes", "features", "shared", "targets", NULL};
    const atm_value *shared;
    const char *path = "";
    int version;
    atm_status status =
        atm_check_format(root, STATE_MODEL_FORMAT, STATE_MODEL_VERSION, message, &version);

    if (status == ATM_OK)
        status = atm_check_keys(root, keys, message);
    if (status == ATM_OK)
        status = atm_get_string(root, "path", message, &path);
    if (status == ATM_OK)
        status = atm_get_number(root, "trained", 0, 1e11, message, &m->trained);
    if (status == ATM_OK)
        status = atm_get_number(root, "from", 0, 1e11, message, &m->from);
    if (status == ATM_OK)
        status = atm_get_number(root, "to", m->from, 1e11, message, &m->to);
    if (status == ATM_OK)
        status = atm_get_number(root, "truth_bytes", 1, 0x1p50, message, &m->bytes);
    if (status == ATM_OK)
        status = check_features(root, message);
    shared = atm_value_find(root, "shared");
    if (status == ATM_OK && shared != NULL)
        status = atm_classifier_read(shared, message, &m->shared);
    if (status == ATM_OK)
        status = read_targets(root, message, m);
    if (status == ATM_OK && (m->path = strdup(path)) == NULL) /* model_destroy */
        status = ATM_NO_MEMORY;
    return status;
}

atm_status model_read(const char *path, atm_message *message, state_model **model_p)
{
    state_model *m = calloc(1, sizeof(*m)); /* model_destroy */
    atm_value *root = NULL;
    atm_status status = m != NULL ? atm_value_read(path, message, &root) : ATM_NO_MEMORY;

    if (status == ATM_OK)
        status = read_model(root, message, m);
    atm_value_destroy(root);
    if (status == ATM_OK)
        *model_p = m;
    else
        model_destroy(m);
    return status;
}

void model_destroy(state_model *model)
{
    if (model == NULL)
        return;
    for (int i = 0; i < model->count; i++)
        atm_classifier_destroy(model->targets[i].own);
    free(model->targets);
    atm_classifier_destroy(model->shared);
    free(model->path);
    free(model);
}

/* --- asking */

const atm_classifier *model_classifier(const state_model *model, const model_target *target)
{
    return target->own != NULL ? target->own : target->shared ? model->shared : NULL;
}

double model_busy(const state_model *model, const model_target *target, const trace *trace,
                  double time)
{
    const trace_target *seen = trace != NULL ? trace_find(trace, target->target) : NULL;
    const atm_classifier *classifier = model_classifier(model, target);
    features_of of = {.trace = trace,
                      .target = seen,
                      .source = target->source,
                      .typical = target->typical,
                      .bytes = model->bytes,
                      .mixture = &target->mixture};
    atm_state_view view;

    if (target->mixture.states < 2)
        return 0;
    if (classifier == NULL || seen == NULL)
        return target->mixture.busy.weight;
    features_at(&of, time, &view);
    return atm_classifier_busy(classifier, &view);
}
