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

const char *atm_look_name(atm_look look);

/* For the call of the situation's access.  scale_p, the factors so far, is corrected by what was
 * measured, but for a small call. */
atm_look atm_look_at(const atm_situation *situation, const atm_past *past, atm_scale *scale_p);

#endif /* ATM_LOOK_H */
