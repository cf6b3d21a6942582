/*
 * Trainers: what learns the parameters of one family of models/.  Each is a
 * file of static functions that ends in its table; trainers.c lists them.
 */

#ifndef TRAINER_H
#define TRAINER_H

#include "atm.h"
#include "value/value.h"

/* What a model sees: inputs after the pipeline, outputs before the target step. */
typedef struct trainer_data {
    int rows, inputs;
    const double *x; /* [rows][inputs] */
    const double *y; /* [rows] */
    bool log_target; /* y is ln(seconds), else seconds */
} trainer_data;

enum { TRAINER_SETTINGS = 30 }; /* the paper's number of settings of each algorithm */

/* Hyperparameters; each trainer knows what its numbers mean. */
typedef struct trainer_setting {
    double number[4];
} trainer_setting;

typedef struct trainer {
    const char *name; /* of the model in profiles */
    int simplicity;   /* 0 simplest: fewer parameters, easier to explain, cheaper to ask */
    unsigned steps;   /* bit i: the preprocessing prep_steps[i] makes a difference */
    int cost;         /* about how expensive a fit is; slow ones are started first */
    /* The settings to try, index < TRAINER_SETTINGS. */
    void (*setting)(int index, bool log_target, uint64_t seed, trainer_setting *setting_p);
    void (*describe)(const trainer_setting *setting, char *text, size_t size);
    /* Adds the members of "parameters".  ATM_OK, or ATM_NO_MEMORY; a tree of
     * values also remembers what went wrong. */
    atm_status (*fit)(const trainer_data *data, const trainer_setting *setting, uint64_t seed,
                      atm_value *parameters);
} trainer;

extern const trainer trainer_linear;
extern const trainer trainer_knn;
extern const trainer trainer_rules;
extern const trainer trainer_forest;
extern const trainer trainer_svr;
extern const trainer trainer_mlp;

/* All of them, simplest first; NULL after the last. */
const trainer *trainer_at(int index);

/* Number index of dimension's coordinate of a low-discrepancy sequence in
 * [0, 1) (additive recurrence with powers of the generalised golden ratio of
 * three dimensions), shifted by the seed. */
double trainer_spread(int index, int dimension, uint64_t seed);

/* min at 0, max at 1, between them evenly on a logarithmic scale */
double trainer_log_scale(double unit, double min, double max);

#endif /* TRAINER_H */
