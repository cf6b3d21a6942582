/*
 * tree, forest, boosting, svm, mlp: models that the surrogates have too, with sixteen
 * inputs; "parameters" are those of cost/surrogate_forest.c, _svr.c and _mlp.c.
 *
 * tree and forest give the share of busy in their leaves.  boosting gives the sum of its
 * trees and "base" as XGBoost computes it: inputs and sums in single precision.  svm gives
 * the decision value, mlp a logit.
 */

#include <stdlib.h>

#include "classifier_kind.h"
#include "cost/surrogate_kind.h"

typedef struct model {
    void *inside; /* of a sur_type; ours */
    double base;  /* of boosting */
} model;

static atm_status read_inside(const sur_type *type, const atm_value *object, atm_message *message,
                              void *model_)
{
    model *m = model_;

    return sur_model_read(type, object, ATM_STATE_FEATURES, message, &m->inside);
}

static double ask(const sur_type *type, const void *model_, const double *inputs)
{
    const model *m = model_;
    double spread;

    return type->predict(m->inside, inputs, &spread);
}

/* --- trees */

static atm_status forest_read(const atm_value *object, atm_message *message, void *model)
{
    return read_inside(&sur_forest, object, message, model);
}

static atm_status tree_read(const atm_value *object, atm_message *message, void *model)
{
    const atm_value *trees;
    atm_status status = atm_get_array(object, "trees", 1, 1, message, &trees);

    return status == ATM_OK ? forest_read(object, message, model) : status;
}

static void forest_write(const void *model_, atm_value *object)
{
    sur_forest.write(((const model *) model_)->inside, object);
}

static double forest_score(const void *model_, const double *inputs, const atm_state_view *view)
{
    (void) view;
    return atm_classifier_logit(ask(&sur_forest, model_, inputs));
}

static void forest_clear(void *model_)
{
    sur_model_destroy(&sur_forest, ((model *) model_)->inside);
}

const atm_classifier_kind_table atm_classifier_tree = {.name = "tree",
                                                       .size = sizeof(model),
                                                       .read = tree_read,
                                                       .write = forest_write,
                                                       .score = forest_score,
                                                       .clear = forest_clear};

const atm_classifier_kind_table atm_classifier_forest = {.name = "forest",
                                                         .size = sizeof(model),
                                                         .read = forest_read,
                                                         .write = forest_write,
                                                         .score = forest_score,
                                                         .clear = forest_clear};

static atm_status boosting_read(const atm_value *object, atm_message *message, void *model_)
{
    static const char *const keys[] = {"base", "forest", NULL};
    const atm_value *forest;
    model *m = model_;
    atm_status status = atm_check_keys(object, keys, message);

    if (status == ATM_OK)
        status = atm_get_number(object, "base", -1e6, 1e6, message, &m->base);
    if (status == ATM_OK)
        status = atm_get_object(object, "forest", message, &forest);
    return status == ATM_OK ? forest_read(forest, message, model_) : status;
}

static void boosting_write(const void *model_, atm_value *object)
{
    const model *m = model_;

    atm_put_number(object, "base", m->base);
    forest_write(model_, atm_put_object(object, "forest"));
}

static double boosting_score(const void *model_, const double *inputs, const atm_state_view *view)
{
    const model *m = model_;
    double rounded[ATM_STATE_FEATURES], outputs[SUR_MAX_TREES];
    int trees;
    float sum = (float) m->base;

    (void) view;
    for (int i = 0; i < ATM_STATE_FEATURES; i++)
        rounded[i] = (double) (float) inputs[i];
    trees = sur_forest_outputs(m->inside, rounded, outputs);
    for (int i = 0; i < trees; i++)
        sum += (float) outputs[i];
    return (double) sum;
}

const atm_classifier_kind_table atm_classifier_boosting = {.name = "boosting",
                                                           .size = sizeof(model),
                                                           .read = boosting_read,
                                                           .write = boosting_write,
                                                           .score = boosting_score,
                                                           .clear = forest_clear};

/* --- support vectors */

static atm_status svm_read(const atm_value *object, atm_message *message, void *model)
{
    return read_inside(&sur_svr, object, message, model);
}

static void svm_write(const void *model_, atm_value *object)
{
    sur_svr.write(((const model *) model_)->inside, object);
}

static double svm_score(const void *model_, const double *inputs, const atm_state_view *view)
{
    (void) view;
    return ask(&sur_svr, model_, inputs);
}

static void svm_clear(void *model_)
{
    sur_model_destroy(&sur_svr, ((model *) model_)->inside);
}

const atm_classifier_kind_table atm_classifier_svm = {.name = "svm",
                                                      .size = sizeof(model),
                                                      .read = svm_read,
                                                      .write = svm_write,
                                                      .score = svm_score,
                                                      .clear = svm_clear};

/* --- a neural network */

static atm_status mlp_read(const atm_value *object, atm_message *message, void *model)
{
    return read_inside(&sur_mlp, object, message, model);
}

static void mlp_write(const void *model_, atm_value *object)
{
    sur_mlp.write(((const model *) model_)->inside, object);
}

static double mlp_score(const void *model_, const double *inputs, const atm_state_view *view)
{
    (void) view;
    return ask(&sur_mlp, model_, inputs);
}

static void mlp_clear(void *model_)
{
    sur_model_destroy(&sur_mlp, ((model *) model_)->inside);
}

const atm_classifier_kind_table atm_classifier_mlp = {.name = "mlp",
                                                      .size = sizeof(model),
                                                      .read = mlp_read,
                                                      .write = mlp_write,
                                                      .score = mlp_score,
                                                      .clear = mlp_clear};
