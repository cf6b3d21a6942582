/*
 * History: what jobs did, in a database, and what is learned from it.
 *
 *     spools of libautotune-watch.so   spool_read.h   -+
 *     records of the driver            common/records.h -> import.h -> database.h (schema.h)
 *     database -> list.h      what jobs, files, processes, activities there are
 *              -> survey.h    how a job's processes accessed files
 *              -> timeline.h     activities for a viewer of traces
 *              -> learn_rules.h     which settings served whom best: advice (models/advice/)
 *              -> correct.h   how far predictions were off: a corrected profile
 *
 * Functions return an ath_status; outputs are the last arguments and are set only on success.
 * An atm_message gets a sentence that names file or database and problem.
 */

#ifndef ATH_HISTORY_H
#define ATH_HISTORY_H

#include "atm.h"

typedef enum ath_status {
    ATH_OK,
    ATH_NO_MEMORY,
    ATH_BAD_FILE,  /* contents that cannot be used */
    ATH_NO_ACCESS, /* a file or database that cannot be read or written */
    ATH_NEWER,     /* a database that a newer romio-autotune made */
    ATH_DATABASE,  /* a statement that failed */
    ATH_TOO_LONG,  /* a statement that took longer than allowed */
    ATH_NO_ROOM    /* more than a database or its disk may take */
} ath_status;

const char *ath_status_text(ath_status status);

/* The history's status for one that a function of models/ returned. */
ath_status ath_status_of(atm_status status);

/* Sets the message; returns the status. */
ath_status ath_complain(ath_status status, atm_message *message, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Valid UTF-8 without control characters, which any database takes and any terminal shows:
 * U+FFFD stands for what is not.  Free it; NULL without memory. */
char *ath_clean(const char *text, size_t length);

#endif /* ATH_HISTORY_H */
