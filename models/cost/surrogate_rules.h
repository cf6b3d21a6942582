/*
 * rules, the Cubist family: the model, which cost/surrogate_rules_file.c reads and writes
 * and cost/surrogate_rules.c evaluates.
 */

#ifndef SUR_RULES_H
#define SUR_RULES_H

#include "surrogate_kind.h"
#include "surrogate_near.h"

enum { SUR_RULES_MAX_MEMBERS = 100, SUR_RULES_MAX_RULES = 4096 };

/* Conditions on single inputs that must all hold are a box. */
typedef struct rule {
    double above[ATM_FEATURE_COUNT]; /* holds for above < x <= up_to */
    double up_to[ATM_FEATURE_COUNT];
    double intercept;
    double coefficient[ATM_FEATURE_COUNT];
    double low, high; /* bounds of the linear function */
} rule;

typedef struct sur_rules_model {
    int inputs;
    double otherwise; /* where no rule of a member holds */
    int members;
    int first[SUR_RULES_MAX_MEMBERS + 1]; /* rule of each member; the last: all rules */
    rule *rules;

    int instances, neighbours; /* 0: no correction */
    double limit;              /* farther instances do not count */
    double scale[ATM_FEATURE_COUNT];
    double *points;      /* [instances][inputs] */
    double *outputs;     /* [instances]: measured */
    double *residuals;   /* [instances]: measured - committee's */
    sur_near_tree *tree; /* of the scaled points */
} sur_rules_model;

/* The members of *m but residuals and tree; *m is zero but for inputs, and to
 * be destroyed also after a failure. */
atm_status sur_rules_read_model(const atm_value *object, atm_message *message, sur_rules_model *m);
void sur_rules_write_model(const sur_rules_model *m, atm_value *object);

#endif /* SUR_RULES_H */
