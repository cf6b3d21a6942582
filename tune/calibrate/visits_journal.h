/*
 * The journal of a calibration: what was measured so far, one line of JSON for
 * each visit of a point, safe on disk when journal_append returns.
 *
 *     {"format": "romio-autotune-journal", "version": 2, "started": "...",
 *      "plan": {"ranks": "8", ...}, "storage": "cached", "cache": 0, "disk": 1073741824}
 *     {"point": 17, "time": "2026-01-31T10:00:03Z", "elapsed": 0.21, "seconds": [2.1e-5, ...]}
 *
 * Whatever ended the run, complete lines are kept, and an incomplete last line is dropped.
 * No MPI.
 */

#ifndef JOURNAL_H
#define JOURNAL_H

#include "value/value.h"

enum { JOURNAL_TIME = 24 };

typedef struct journal_visit {
    int point; /* index in the plan */
    char time[JOURNAL_TIME];
    double elapsed;  /* seconds, with all that was not measured */
    double *seconds; /* [count] owned */
    int count;
} journal_visit;

typedef struct journal {
    char *path;
    int file;          /* open for appending */
    atm_value *header; /* first line */
    journal_visit *visits;
    int count, room;
} journal;

/* "2026-01-31T10:00:03Z" of now. */
void journal_now(char time[JOURNAL_TIME]);

/* A new journal with this header, which becomes the journal's on success. */
atm_status journal_create(const char *path, atm_value *header, atm_message *message,
                          journal **journal_p);

/*
 * Continue a journal; indices of points are below points.  A journal with
 * another "plan" gives ATM_BAD_FILE, as does one that was changed; the message
 * names the first difference.  One that ends within its header counts as empty:
 * ATM_OK and NULL.
 */
atm_status journal_resume(const char *path, const atm_value *plan, int points, atm_message *message,
                          journal **journal_p);

/* Bytes that its files may take ("disk" of its header); 0 if there is no journal, or
 * none that says.  To continue, the plan must be the same, however much is free by
 * then. */
uint64_t journal_disk(const char *path);

/* Write a visit; it is copied. */
atm_status journal_append(journal *journal, const journal_visit *visit, atm_message *message);

void journal_close(journal *journal);

#endif /* JOURNAL_H */
