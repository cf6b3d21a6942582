/* What the kinds of classifiers share; private to models/state/. */

#ifndef CLASSIFIER_KIND_H
#define CLASSIFIER_KIND_H

#include "classifier.h"

/* A kind.  To add one: copy classifier_majority.c, list it in classifier.c. */
typedef struct atm_classifier_kind_table {
    const char *name;
    size_t size; /* of a model */
    /* Fills a model, all zero, from "parameters": checks everything, so that score needs
     * to check nothing.  It is cleared also after a failure. */
    atm_status (*read)(const atm_value *object, atm_message *message, void *model);
    void (*write)(const void *model, atm_value *object);
    /* The logit of busy, or what slope and offset make one.  inputs: atm_state_inputs */
    double (*score)(const void *model, const double *inputs, const atm_state_view *view);
    /* Frees what a model has, not the model; NULL where it has nothing. */
    void (*clear)(void *model);
} atm_classifier_kind_table;

extern const atm_classifier_kind_table atm_classifier_majority;
extern const atm_classifier_kind_table atm_classifier_persistence;
extern const atm_classifier_kind_table atm_classifier_latency;
extern const atm_classifier_kind_table atm_classifier_markov;
extern const atm_classifier_kind_table atm_classifier_naive_bayes;
extern const atm_classifier_kind_table atm_classifier_tree;
extern const atm_classifier_kind_table atm_classifier_forest;
extern const atm_classifier_kind_table atm_classifier_boosting;
extern const atm_classifier_kind_table atm_classifier_svm;
extern const atm_classifier_kind_table atm_classifier_mlp;

/* ln(p / (1 - p)), p kept off 0 and 1 */
double atm_classifier_logit(double probability);

#endif /* CLASSIFIER_KIND_H */
