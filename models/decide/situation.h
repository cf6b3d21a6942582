/*
 * Situation: all that a decision depends on.  Whoever decides gathers it; equal situations give
 * equal decisions (decide.h) on every machine, so that one can be sent and replayed
 * (situation_file.h).
 */

#ifndef ATM_SITUATION_H
#define ATM_SITUATION_H

#include "choose/advise.h"
#include "place/topology.h"

/* Factor by which a file's calls were slower than predicted, and its uncertainty
 * (files/profile.h). */
typedef struct atm_scale {
    double factor[ATM_KIND_COUNT];
    double doubt[ATM_KIND_COUNT];
} atm_scale;

/* What is known of the state of storage. */
typedef struct atm_storage {
    const atm_state *state; /* NULL: nothing */
    double now;             /* seconds since 1970 */
    uint64_t seed;          /* jobs, and the files of a job, pick different targets */
    const int *targets;     /* of the stripes of a file that has them */
    int count;              /* of these; 0: not known */
} atm_storage;

/* Everything it points to is the caller's. */
typedef struct atm_situation {
    atm_request request;          /* but for what follows from the members below: the job without
                                     mpich, psets, bridges, nics, affinity, steering, advised */
    const atm_topology *topology; /* of the job */
    const int *ranks;             /* aggregators without us, request.defaults.aggregators of them */
    const atm_profile *profile;   /* as loaded */
    atm_scale scale;
    const atm_advice *advice; /* NULL: none */
    atm_occasion occasion;    /* for advice: program, user, file and draw */
    atm_storage storage;
} atm_situation;

#endif /* ATM_SITUATION_H */
