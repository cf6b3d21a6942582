/*
 * Explanation: a choice as a document and as a short text.  Both are functions
 * of the request, the profile and the choice.
 *
 *     {"format": "romio-autotune-decision", "version": 1,
 *      "driver", "mode", "job", "access", "profile", "fixed", "memory",   asked for
 *      "advice": {"file", "rule", "left_out", "set", "evidence"},  where one was looked for;
 *                                                     all but the file if a rule matches
 *      the profile has "fit" and "fit_note" (files/fit.h) where that was compared,
 *      "candidates": [{"config", "order", "seconds", "parts", "uncertainty", the default
 *                      "outside", "rounds", "memory_per_node",            comes first
 *                      "verdict"}],
 *      "best", "chosen",                                     indices of candidates
 *      "saved", "deviation", "confidence", "harm", "reason",       choose/choose.h
 *      "counts": {"default", "chosen"}}                      operations of these two
 *
 * The driver adds "file", "call", "ranks" of the aggregators, and "situation"
 * (decide/situation_file.h), from which autotune replay makes the decision again.
 */

#ifndef ATM_EXPLAIN_H
#define ATM_EXPLAIN_H

#include "choose.h"

/* Destroy the document. */
atm_status atm_explain_value(const atm_request *request, const atm_profile *profile,
                             const atm_choice *choice, atm_value **document_p);

/* The fastest candidates, at most `rows` of them, beside default and choice;
 * free the text. */
atm_status atm_explain_text(const atm_request *request, const atm_profile *profile,
                            const atm_choice *choice, int rows, char **text_p);

/* What is done for which access, and why: two lines, the second one indented; free
 * the text. */
atm_status atm_explain_brief(const atm_request *request, const atm_choice *choice, char **text_p);

/* The layout that a file got whose striping was chosen:
 *
 *     {"format": "romio-autotune-layout", "version": 1, "file", "call",
 *      "stripe_size", "stripe_count", "first_ost"}
 */

#endif /* ATM_EXPLAIN_H */
