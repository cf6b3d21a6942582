/*
 * What the model has answered before: a choice takes a noticeable part of an open, and programs
 * open many files alike.
 */

#ifndef ATM_ANSWERS_H
#define ATM_ANSWERS_H

#include "situation.h"

typedef struct atm_answer {
    atm_candidate chosen;
    bool is_default; /* the first candidate */
    bool is_unsure;  /* another would be faster, but not surely enough */
    double calls;    /* it is for */
    atm_message reason;
} atm_answer;

/* The last few answers of one profile. */
typedef struct atm_answers atm_answers;

/* Destroy them; NULL without memory, which the others accept. */
atm_answers *atm_answers_create(void);
void atm_answers_destroy(atm_answers *answers);

/* The answer to the same request with the same factors, or NULL; valid until the next is kept. */
const atm_answer *atm_answers_find(const atm_answers *answers, const atm_request *request,
                                   const atm_scale *scale);
void atm_answers_keep(atm_answers *answers, const atm_request *request, const atm_scale *scale,
                      const atm_answer *answer);

#endif /* ATM_ANSWERS_H */
