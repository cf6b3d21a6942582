/*
 * State models: what "autotune state train" knows of the targets of a file system.
 *
 *     {"format": "romio-autotune-state-model", "version": 1, "path": "/scratch", "trained": T,
 *      "from": T0, "to": T1, "truth_bytes": 1073741824, "features": [16 names],
 *      "shared": {classifier},                                       unless each has its own
 *      "targets": [{"target": 0, "samples": 240, "states": 2,
 *                   "idle": {"weight": 0.8, "mean": m, "deviation": s}, "busy": {...},
 *                   "whole": {...},                            both as one state, if it has two
 *                   "bic": [one, two], "ashman": 3.1, "distance": 1.46,
 *                   "told_by": "writes" or "latency",                if it has two
 *                   "latency": 0.0085, "source": "probe",            typical, and of what
 *                   "classifier": {classifier} or {"kind": "shared"},
 *                   "accuracy": {"rows": 48, "classifier": a, "persistence": p, "majority": m}}]}
 *
 * mean and deviation are of ln(seconds for a GiB).  A target with one state has no "busy",
 * one that no classifier is better for than persistence and majority has no "classifier".
 */

#ifndef STATE_MODEL_H
#define STATE_MODEL_H

#include "features.h"

typedef struct model_target {
    int target;
    mixture mixture;
    bool by_latency; /* its states are those of small writes (rows.h) */
    double typical;  /* latency; NaN: not known */
    trace_source source;
    bool shared;
    atm_classifier *own; /* or NULL */
    double rows;         /* of held-out days; 0: none */
    double accuracy, persistence, majority;
} model_target;

typedef struct state_model {
    char *path;
    double trained, from, to, bytes;
    atm_classifier *shared; /* or NULL */
    int count;
    model_target *targets; /* by number */
} state_model;

/* model_destroy */
atm_status model_read(const char *path, atm_message *message, state_model **model_p);
void model_destroy(state_model *model);

/* NULL: nothing is predicted for it. */
const atm_classifier *model_classifier(const state_model *model, const model_target *target);

/* Adds a target to the array "targets", without classifier and accuracy. */
atm_value *model_put_target(atm_value *targets, int target, const mixture *mixture, bool by_latency,
                            double typical, trace_source source);

/* How likely it is busy at a time, by what traces know; its weight where nothing is predicted.
 * trace may be NULL. */
double model_busy(const state_model *model, const model_target *target, const trace *trace,
                  double time);

#endif /* STATE_MODEL_H */
