/*
 * Learning: which settings served a class of accesses best.  A class is a program, a user, a
 * pattern of file names, a direction, a range of ranks (a factor of two) and one of bytes; files
 * with independent calls alone are others (trial.h), and nothing is advised for them where
 * collective calls of the same range would have the rule, too.
 *
 * Times are compared by the logarithm of seconds for a byte, and only within blocks: runs of the
 * same part of the day (three hours, UTC), one after the other, until there are both settings and
 * then the first ones once more.  What changes with time is the same for both then.  Settings are
 * advised if
 *
 *   - there are five blocks or more since their difference last changed,
 *   - they are not slower, with an error of one in a thousand for all settings of the class
 *     together (Student's test of the blocks' differences), and
 *   - they are faster by a fiftieth at least, with an error of one in ten.
 *
 * Settings whose own pace has changed are held back until two blocks came after that, or five runs
 * without advice that were not faster.
 *
 * What happens without advice is what most of the last runs had that had neither advice nor hints:
 * the model's choice or the default.  Hints of users are tries: theirs come before advice anyway.
 * It stays known because a rule is left out in a share of all jobs (`control`, advice/advice.h).
 *
 *     samples                  learn_samples.c
 *             -> classes       learn_class.c    whose runs are alike
 *             -> arms          learn_judge.c    settings of a class
 *             -> blocks        learn_blocks.c   what two of them took at the same times
 *             -> a verdict     learn_judge.c
 *             -> rules         learn_rules.c
 *     history -> samples       learn_load.c
 */

#ifndef ATH_LEARN_H
#define ATH_LEARN_H

#include "advice/advice.h"
#include "database.h"
#include "trial.h"

typedef struct ath_sample {
    const char *program, *user, *file;
    const char *settings; /* a line of JSON (advice/settings.h) */
    const char *pattern;  /* of the file; set by ath_samples_add */
    bool write, independent;
    ath_origin origin;
    int ranks;
    double bytes, seconds; /* of a call */
    double when;           /* seconds since 1970 */
} ath_sample;

/* All zero: none */
typedef struct ath_samples {
    ath_sample *at;
    size_t count, room;
    char **texts; /* all that samples point to, each once: a hash table */
    size_t text_count, text_room;
} ath_samples;

/* Texts are copied.  What no rule can be made of (texts that are too long, numbers that are none)
 * is left out. */
ath_status ath_samples_add(ath_samples *samples, const ath_sample *sample);

/* All of a history since a time, in the order of time; destroy them. */
ath_status ath_samples_load(ath_database *database, double since, atm_message *message,
                            ath_samples *samples_p);
void ath_samples_destroy(ath_samples *samples);

typedef struct ath_learn_options {
    int trials;     /* fewest of any settings */
    double gain;    /* least: 0.02 */
    double error;   /* of a class: 0.001 */
    double control; /* of rules */
} ath_learn_options;

extern const ath_learn_options ath_learn_usual;

typedef enum ath_verdict {
    ATH_TOO_FEW,    /* runs without advice */
    ATH_ONE_WAY,    /* no other settings were tried often enough */
    ATH_APART,      /* they were, but not when the usual ones were */
    ATH_NOT_FASTER, /* beyond doubt */
    ATH_SHARED,     /* independent calls, but a rule would hold for collective ones too */
    ATH_ADVISED
} ath_verdict;

const char *ath_verdict_text(ath_verdict verdict);

/* What one class came to; for reports.  The rule is NULL unless it is advised. */
typedef struct ath_class_report {
    const char *program, *user, *pattern;
    bool write, independent;
    uint64_t ranks[2], bytes[2];
    int runs, arms;
    ath_verdict verdict;
    double seconds, default_seconds; /* of the fastest settings, if there are two */
} ath_class_report;

typedef void (*ath_class_told)(const ath_class_report *report, void *context);

/* Rules in the order of classes; destroy the advice.  told may be NULL. */
ath_status ath_learn(const ath_samples *samples, const ath_learn_options *options,
                     ath_class_told told, void *context, atm_advice **advice_p);

/* Puts rules of an earlier file before the new ones: those that were written by hand, and those of
 * a search unless what they advise has since been slower than runs without it, in two blocks and
 * five trials of each or more, with the same error.  How many were left out is in *dropped_p. */
ath_status ath_learn_keep(atm_advice *advice, const atm_advice *earlier, const ath_samples *samples,
                          const ath_learn_options *options, int *dropped_p);

#endif /* ATH_LEARN_H */
