/*
 * Layouts in which fast targets have more stripes than slow ones (overstriping): the weights of the
 * paper's equation 3, in whole stripes.  With r_i stripes on target i, n on all, n GiB are written
 * after max_i r_i X_i seconds.
 *
 * Those are considered in which every target is late with the same probability, for some
 * probabilities: between shares by the most likely state and, if states are uncertain, equal ones.
 * As with targets that are picked (pick.h), none gets more than ATM_PICK_MOST times its equal
 * share.
 */

#ifndef ATM_REPEAT_H
#define ATM_REPEAT_H

#include "groups.h"

enum {
    ATM_REPEAT_MOST = 4,       /* stripes of a target */
    ATM_REPEAT_STRIPES = 1000, /* of a file: ROMIO has room for so many (ad_lustre_open.c:11) */
};
/* Less is not worth what more stripes cost. */
#define ATM_REPEAT_GAIN 1.05

typedef struct atm_repeats {
    int stripes;    /* 0: there is no such layout */
    int targets;    /* that have any */
    double seconds; /* until all are written, a GiB for each stripe */
    int count;
    atm_member *members;
} atm_repeats;

/* The fastest of at most `most` stripes that is faster by ATM_REPEAT_GAIN than any with one stripe
 * on each target.  Destroy it. */
atm_status atm_repeats_find(const atm_state *state, double now, int most, atm_repeats *repeats_p);
void atm_repeats_destroy(atm_repeats *repeats);

/* targets_p[repeats->stripes] are the indices of the stripes' targets, neighbours on different
 * ones, in an order that depends on the seed. */
atm_status atm_repeats_list(const atm_repeats *repeats, uint64_t seed, int *targets_p);

#endif /* ATM_REPEAT_H */
