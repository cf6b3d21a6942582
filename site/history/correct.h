/*
 * Corrections: how far the predictions of a profile were off, by operation and size, as records
 * have measured it.
 *
 * Each trial is predicted again with the profile.  Measured over predicted time of its storage
 * part, and of its communication part, is put down to the operation that most of the part is made
 * of, if that is half of it or more, and to the size of its accesses or messages (a factor of
 * four).  Where five trials or more agree that it is not 1 (95 %), and it is off by a fiftieth or
 * more, the profile is corrected.
 */

#ifndef ATH_CORRECT_H
#define ATH_CORRECT_H

#include "database.h"
#include "files/profile.h"

enum { ATH_SIZES = 16, ATH_CORRECT_TRIALS = 5 };

typedef struct ath_size_correction {
    double bytes; /* typical of the trials */
    int trials;
    double factor, low, high; /* measured over predicted, and its interval */
    bool applied;             /* 1 is not in the interval */
} ath_size_correction;

typedef struct ath_operation_correction {
    int count;
    ath_size_correction sizes[ATH_SIZES]; /* from small to large */
    bool applied;                         /* one of them is */
} ath_operation_correction;

typedef struct ath_corrections {
    int64_t records, trials; /* looked at, and used */
    ath_operation_correction operations[ATM_OPERATION_COUNT];
} ath_corrections;

/* Learns from records since a time.  driver: only those of one wrapped driver; NULL: all. */
ath_status ath_correct_learn(ath_database *database, const atm_profile *profile, const char *driver,
                             double since, atm_message *message, ath_corrections *corrections_p);

/* Into a profile that nobody asks yet; returns how many operations were corrected. */
int ath_correct_apply(const ath_corrections *corrections, atm_profile *profile);

#endif /* ATH_CORRECT_H */
