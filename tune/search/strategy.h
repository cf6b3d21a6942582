/*
 * Strategies: which points to try next.  A strategy is one file of static functions that ends in a
 * table; strategies.c lists them.
 *
 * What a strategy proposes depends on nothing but the space, the seed, what is predicted and what
 * was seen, so that a search that was killed goes on as it would have.
 */

#ifndef ATS_STRATEGY_H
#define ATS_STRATEGY_H

#include "ats_trial.h"

/* What the performance model predicts for a point, in the unit of values; NaN: not known.  It
 * may be asked after the default was tried. */
typedef struct ats_prediction {
    double (*predict)(void *context, const ats_point *point); /* NULL: nothing is predicted */
    void *context;
} ats_prediction;

double ats_predict(const ats_prediction *prediction, const ats_point *point);

typedef struct ats_setting_out {
    const ats_space *space;
    uint64_t seed;
    int parallel; /* runs at a time */
    ats_prediction prediction;
} ats_setting_out;

enum { ATS_BATCH = 64 }; /* points proposed at once, at most */

typedef struct ats_strategy {
    const char *name;
    int runs; /* that it takes unless the user says another number; 0: one for each point */
    /* Destroyed by destroy; NULL without memory.  setting_out outlives it. */
    void *(*create)(const ats_setting_out *setting_out);
    /* Points that were not explored yet, each once; in seen are all trials so far.  Returns how
     * many, 0 if there is nothing left to try, or -1 without memory. */
    int (*propose)(void *state, const ats_seen *seen, ats_point points_p[ATS_BATCH]);
    void (*destroy)(void *state);
} ats_strategy;

extern const ats_strategy ats_strategy_model, ats_strategy_genetic, ats_strategy_random,
    ats_strategy_exhaustive;

/* NULL: there is none of that name. */
const ats_strategy *ats_strategy_find(const char *name);
/* The index-th, the usual one first; NULL after the last. */
const ats_strategy *ats_strategy_at(int index);

#endif /* ATS_STRATEGY_H */
