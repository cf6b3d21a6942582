/*
 * Decision: what is done in a situation.  No clock, no files, no state but the answers that the
 * caller keeps to save time.
 *
 *     advice      is followed, unless that leaves no choice
 *     choice      the configuration (choose/choose.h), from earlier answers if there is the same
 *     placement   the ranks that aggregate: those without us where the configuration is the
 *                 default, or the user or the rule has named other things
 *     targets     of the stripes of a new file, by the state of storage
 */

#ifndef ATM_DECIDE_H
#define ATM_DECIDE_H

#include "answers.h"
#include "situation.h"

typedef struct atm_decision {
    atm_request asked; /* what the model was asked, without the steering */
    bool tuned;        /* else the default, on the ranks that it has */
    atm_answer answer; /* the model's */
    uint64_t buffer;   /* of the configuration, or what the cap on memory leaves of it where the
                          ranks are on fewer nodes than they could be */
    int *targets;      /* of the stripes; NULL: any */
    int target_count;
    atm_advised advised; /* if there is advice: rule -1, none matches */
    atm_status refused;  /* why the rule was not followed after all; ATM_OK: it was, if one holds */
    atm_choice *choice;  /* all candidates; NULL: the answer is an earlier one */
} atm_decision;

/* ranks, the caller's, with room for all of the job, gets the aggregators: as many as
 * answer.chosen.config says.  Clear the decision, which stays where it is: what was asked points
 * into it.  On failure there is nothing to clear.  ATM_NO_CHOICE where nothing is allowed,
 * ATM_BAD_ARGUMENT for what cannot be counted, ATM_NO_MEMORY.  answers may be NULL. */
atm_status atm_decide(const atm_situation *situation, atm_answers *answers, int *ranks,
                      atm_decision *decision_p);
void atm_decision_clear(atm_decision *decision);

/* The profile with the file's factors; shares what the situation's has. */
atm_profile atm_situation_profile(const atm_situation *situation);

/* The largest buffer of at most `buffer` bytes with which these ranks' fit into so many bytes on
 * every node (0: any). */
uint64_t atm_buffer_within(const atm_topology *topology, const int *ranks, int count,
                           uint64_t memory, uint64_t buffer);

#endif /* ATM_DECIDE_H */
