/*
 * Look: whether a call is to be decided for.
 *
 *     small    it moves little of what is expected, such as a header or a library's own data
 *              between large calls: the decision is for the others, and stays.  Without more than
 *              the profile to expect from, little is what no configuration matters to.  After many
 *              in a row nothing else is expected
 *     stands   it is like the one that the last decision was made for, whose times were as
 * predicted again    the same, but more calls are expected than then due      it is another one,
 * other advice holds for it, or times were not as predicted
 */

#ifndef ATM_LOOK_H
#define ATM_LOOK_H

#include "situation.h"

/* A change by more than this factor is worth a new decision. */
#define ATM_CHANGE 2.0
bool atm_differs(double one, double other);

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
} atm_past;

typedef enum atm_look { ATM_SMALL, ATM_STANDS, ATM_AGAIN, ATM_DUE } atm_look;

/* For the call of the situation's access.  scale_p, the factors so far, is corrected by what was
 * measured, but for a small call. */
atm_look atm_look_at(const atm_situation *situation, const atm_past *past, atm_scale *scale_p);

#endif /* ATM_LOOK_H */
