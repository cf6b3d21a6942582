/*
 * What a search has found is believed for a moment: a program that opens many files, one after the
 * other, would otherwise look for the same files of ours at each.  A change is seen when the
 * moment is over.
 *
 * The caller provides the time, in seconds of a clock that does not go back.
 */

#ifndef ATM_RECENT_H
#define ATM_RECENT_H

#include "search.h"

#define ATM_RECENT_SECONDS 1.0

/* The last search; zeroed: there was none. */
typedef struct atm_recent {
    double at;        /* when it began */
    size_t length;    /* of values; 0: none */
    char values[768]; /* that were searched for, each with its end */
} atm_recent;

/* Whether what it has found for these values still holds. */
bool atm_recent_holds(const atm_recent *recent, const atm_search_values *values, double now);

/* A search for these values, begun now.  It is not believed afterwards if they are too long, or
 * the hint's path is relative: the current directory may change. */
void atm_recent_begin(atm_recent *recent, const atm_search_values *values, double now);

/* A file that was found, and when. */
typedef struct atm_found {
    atm_recent recent;
    atm_seen seen;
} atm_found;

/* As atm_search_see, unless found holds; *found is as it was before if the search fails. */
atm_status atm_search_now(const atm_search_values *values, double now, atm_found *found);

#endif /* ATM_RECENT_H */
