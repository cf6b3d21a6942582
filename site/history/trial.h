/*
 * Trial: what came out of one direction of a record (files/record.h) with one set of settings: the
 * settings that more than half of its calls had.  A record without such a majority is no trial, nor
 * is one with settings that no rule can give.
 *
 * Independent calls tell about the stripes of a file that had no collective ones.  A rule holds for
 * them if it does for the access that was expected at open: that, at their pace, is the call.
 */

#ifndef ATH_TRIAL_H
#define ATH_TRIAL_H

#include "advice/settings.h"
#include "common/outcome.h"
#include "files/record.h"

typedef enum ath_origin {
    ATH_BY_DEFAULT, /* the wrapped driver's own values; in old records also hints of the user */
    ATH_BY_MODEL,   /* the model's choice */
    ATH_BY_ADVICE,
    ATH_BY_USER /* hints, and the default or the model's choice for the rest */
} ath_origin;

/* The words for it in SQL. */
#define ATH_ORIGIN_OF(column)                                                                      \
    "CASE " column                                                                                 \
    " WHEN 0 THEN 'default' WHEN 1 THEN 'model' WHEN 2 THEN 'advice' ELSE 'hints' END"

typedef struct ath_trial {
    bool write, independent;
    ath_origin origin;
    atm_settings settings;
    int64_t calls;
    double bytes;     /* of a call, all ranks together, as advice has it */
    double seconds;   /* of a call, mean */
    double predicted; /* seconds of a call, without self-correction; 0: not predicted */
} ath_trial;

/* Finds the decision with most calls among those with the prevailing settings of a direction;
 * *outcome_p is valid as long as the record.  False if the record tells nothing about that
 * direction. */
bool ath_trial_outcome(const atm_record *record, bool write, outcome *outcome_p);

/* All calls with these settings, in the words of hints. */
bool ath_trial_of(const atm_record *record, bool write, ath_trial *trial_p);

#endif /* ATH_TRIAL_H */
