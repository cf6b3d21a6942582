/*
 * What the model has answered before.  Uses only types of the models and the state.
 */

#ifndef AD_AUTOTUNE_ANSWER_H_INCLUDED
#define AD_AUTOTUNE_ANSWER_H_INCLUDED

#include "ad_autotune_state.h"

#pragma GCC visibility push(hidden)

typedef struct ADIOI_AUTOTUNE_answer {
    atm_candidate chosen;
    int is_default; /* the first candidate */
    int is_unsure;  /* another would be faster, but not surely enough */
    double calls;   /* it is for */
    atm_message reason;
} ADIOI_AUTOTUNE_answer;

/* Answers of one profile; destroy them. */
ADIOI_AUTOTUNE_answers *ADIOI_AUTOTUNE_answers_create(void);
void ADIOI_AUTOTUNE_answers_destroy(ADIOI_AUTOTUNE_answers *answers);

/* The answer to the same request, or NULL; both stay the answers' own, until the next is kept.
 * Requests have no pieces, and nothing to choose among that is the caller's. */
const ADIOI_AUTOTUNE_answer *ADIOI_AUTOTUNE_answers_find(const ADIOI_AUTOTUNE_answers *answers,
                                                         const atm_request *request,
                                                         const ADIOI_AUTOTUNE_scale *scale);
const ADIOI_AUTOTUNE_answer *ADIOI_AUTOTUNE_answers_keep(ADIOI_AUTOTUNE_answers *answers,
                                                         const atm_request *request,
                                                         const ADIOI_AUTOTUNE_scale *scale,
                                                         const atm_choice *choice);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_ANSWER_H_INCLUDED */
