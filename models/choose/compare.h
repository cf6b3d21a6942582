/* A candidate against the default: what it saves, and how likely it is to do harm. */

#ifndef ATM_COMPARE_H
#define ATM_COMPARE_H

#include "choose.h"

/* What candidates are compared with: the caller sets counts. */
typedef struct atm_reference {
    atm_counts counts;
    atm_prediction prediction;
    atm_errors errors;
} atm_reference;

void atm_reference_predict(const atm_profile *profile, atm_memo *memo, atm_reference *reference);

/* As in atm_choice. */
typedef struct atm_comparison {
    double saved, deviation, confidence, harm;
} atm_comparison;

/* Estimates that both have in common have the same error in both.  memo may be NULL. */
void atm_compare(const atm_profile *profile, const atm_reference *reference,
                 const atm_counts *counts, atm_memo *memo, atm_comparison *comparison_p);

#endif /* ATM_COMPARE_H */
