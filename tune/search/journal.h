/*
 * The journal of a search: what was started and what came of it, one line of JSON each, safe on
 * disk when a function returns.
 *
 *     {"format": "romio-autotune-search", "version": 1, "when": "...", "search": {...}}
 *     {"start": {"kind": "explore", "number": 3, "point": [1, 0, 2]}, "host": "...", "pid": 4711,
 *      "since": 123456}
 *     {"result": {"kind": "explore", "number": 3, "point": [1, 0, 2]}, "set": {...},
 *      "end": "done", "value": 1.93, "wall": 4.1, "calls": 16, "why": "...", "facts": {...}}
 *
 * A run is supervised by a process of its own (crew.h), which writes its result also if the search
 * has been killed in the meantime.  A search that goes on waits for such processes, so that no run
 * is made twice.  An incomplete last line, of a machine that went down, is dropped.
 */

#ifndef ATS_JOURNAL_H
#define ATS_JOURNAL_H

#include <sys/types.h>

#include "ats_trial.h"

typedef struct ats_entry {
    ats_trial trial;
    bool ended; /* else only started */
    pid_t pid;  /* of its supervisor, on this machine; 0: on another */
    uint64_t since;
    ats_outcome outcome;
    atm_value *facts; /* seen_io.h; NULL: none */
} ats_entry;

typedef struct ats_journal {
    char *path;
    const ats_space *space; /* the caller's */
    int lock;
    off_t read_to;
    long line;
    ats_entry *entries;
    int count, room;
} ats_journal;

/* Continues the journal of the same search, an object, or begins one.  Waits for runs that are
 * still under way.  ATM_BAD_FILE: it is another's, or damaged; ATM_NO_ACCESS: it cannot be
 * written, or another process is at it.  Close it. */
atm_status ats_journal_open(const char *path, const ats_space *space, const atm_value *search,
                            atm_message *message, ats_journal **journal_p);
void ats_journal_close(ats_journal *journal);

/* NULL: that trial has not ended.  Ends with the next call of ats_journal_read. */
const ats_entry *ats_journal_find(const ats_journal *journal, const ats_trial *trial);

/* The next number of the search may have another point in the journal, if the program has changed:
 * then ATM_BAD_FILE and a message. */
atm_status ats_journal_check(const ats_journal *journal, const ats_trial *trial,
                             atm_message *message);

/* Processes call these for themselves; facts may be NULL. */
atm_status ats_journal_start(const ats_journal *journal, const ats_trial *trial, pid_t pid,
                             atm_message *message);
atm_status ats_journal_result(const ats_journal *journal, const ats_trial *trial,
                              const ats_outcome *outcome, const atm_value *facts,
                              atm_message *message);
/* What was written since. */
atm_status ats_journal_read(ats_journal *journal, atm_message *message);

/* When a process began, in ticks since the machine did; 0: there is none. */
uint64_t ats_process_since(pid_t pid);

#endif /* ATS_JOURNAL_H */
