/*
 * The course of a search:
 *
 *     explore   the default, then what the caller names, then what the strategy proposes
 *     check     the leaders again, fewer in each round, with the default in between
 *     verify    the winner and the default in turn (ats_verify)
 *
 * Exploring does not depend on how many runs there are: a search that is given more goes on.
 */

#ifndef ATS_CONDUCT_H
#define ATS_CONDUCT_H

#include "strategy.h"

/* When a run is hopeless: it is stopped after give_up seconds, and its value is at_least. */
typedef struct ats_limit {
    double give_up, at_least; /* INFINITY: never */
} ats_limit;

/* Makes the trials, several at a time where that is allowed.  Any status but ATM_OK ends the
 * search. */
typedef atm_status (*ats_measure)(void *context, const ats_trial *trials, int count,
                                  const ats_limit *limit, ats_outcome *outcomes_p);

typedef struct ats_plan {
    ats_setting_out out;
    const ats_strategy *strategy;
    int runs;       /* at most; 0: as many as the strategy takes */
    double seconds; /* at most, runs under way not counted */
    const ats_point *starts;
    int start_count;
    double hopeless; /* a run is if it takes so many times the best; 0: none is */
    bool in_seconds; /* values are, of a part of the run */
    ats_measure measure;
    void *context;
    /* Called after the first run: may fix parameters that can change nothing, or end the search
     * with ATM_NO_CHOICE and a message.  NULL: nothing is looked at. */
    atm_status (*look)(void *context, atm_message *message);
    void *look_context;
} ats_plan;

/* How many runs it will be, at most. */
int ats_planned(const ats_plan *plan);

/* Adds to seen, which is destroyed by the caller also after a failure.  ATM_NO_CHOICE and a
 * message: all runs fail. */
atm_status ats_search(const ats_plan *plan, ats_seen *seen, atm_message *message);

/* Pairs of runs. */
atm_status ats_verify(const ats_plan *plan, const ats_point *winner, int pairs, ats_seen *seen);

/* The point with the smallest median of those whose runs never failed, the default apart; false if
 * there is none.  But for `except`, of which there are count. */
bool ats_leader(const ats_seen *seen, const ats_point *except, int count, ats_point *leader_p);

#endif /* ATS_CONDUCT_H */
