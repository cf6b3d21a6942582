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

/* The last decision, and what has happened since. */
typedef struct atm_past {
    atm_access access; /* it was made for */
    atm_config config;
    double calls;                 /* like it that were expected; 0: it was no decision */
    double parts[ATM_PART_COUNT]; /* seconds of one, as predicted */
    double uncertainty;
    double drain; /* of caches that were known: they fill up over the calls */
    int rule;     /* of the advice that held, from 1 on; 0: none did */
    bool expects; /* something was known of what would be accessed, beyond the profile */
    bool called;  /* it was made for a call, not at open */
    int small;    /* calls that were passed over, in a row */
    struct {
        double calls;                    /* like it, since then */
        double seconds, storage_seconds; /* in these, of the slowest rank */
    } measured;
    atm_scale scale; /* of the file, before what was measured corrects it */
} atm_past;

/* What is made of a call (look.h). */
typedef enum atm_look { ATM_SMALL, ATM_STANDS, ATM_AGAIN, ATM_DUE, ATM_LOOK_COUNT } atm_look;

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
    const atm_past *past; /* NULL: none, as at open */
    atm_look look;        /* by which the call is decided for, if there is a past */
} atm_situation;

#endif /* ATM_SITUATION_H */
