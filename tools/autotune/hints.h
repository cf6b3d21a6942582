/*
 * A decision in the form that an MPI library reads where the driver cannot be loaded.
 * A file for each library (hints_NAME.c) ends in its table, or tables; verb_hints.c
 * lists them all.  Every form has comments that start with "#".
 */

#ifndef HINTS_H
#define HINTS_H

#include <stdio.h>

#include "choose/choose.h"
#include "common/options.h"

enum { HINTS_FILE = 256 };

/* What was decided for one access. */
typedef struct hints_decision {
    atm_driver driver;
    int ranks, nodes;
    atm_access access;
    atm_config config;
    bool tuned;            /* else the library's own values are to stay */
    bool striping;         /* Lustre: that of a new file was chosen, too */
    atm_message reason;    /* without a full stop */
    atm_message note;      /* how the profile fits (files/fit.h); "": it does */
    char file[HINTS_FILE]; /* of a record, fit to be printed, perhaps cut; or "" */
} hints_decision;

typedef struct hint {
    const char *key; /* static */
    char value[24];
} hint;

enum { HINTS_MAX = 8 };

typedef struct hint_list {
    hint at[HINTS_MAX];
    int count;
} hint_list;

typedef struct hints_format {
    const char *name;
    /* What is to be set; only for decisions that are tuned, as the others. */
    void (*fill)(const hints_decision *decision, hint_list *list);
    void (*print)(FILE *out, const hint_list *list, const char *pattern);
    /* How it is used, and what of the decision the library does not heed. */
    void (*notes)(FILE *out, const hints_decision *decision);
} hints_format;

extern const hints_format hints_romio, hints_intel, hints_cray, hints_ompio;

/* --- hints_record.c */

/* The last decision of the last record in a file of records: of `file`, if that is not
 * NULL, for a read or, unless only reads were decided, for a write.  0, or the exit code
 * after a complaint. */
int hints_of_record(const option_table *table, const char *path, const char *file, bool read,
                    hints_decision *decision_p);

/* --- hints.c */

__attribute__((format(printf, 3, 4))) void hints_add(hint_list *list, const char *key,
                                                     const char *format, ...);
/* A member of the configuration, under another name than ROMIO's, or under that. */
void hints_add_as(const hints_decision *decision, atm_fix fix, const char *key, hint_list *list);
void hints_add_fixed(const hints_decision *decision, atm_fix fix, hint_list *list);
/* A line of comment. */
__attribute__((format(printf, 2, 3))) void hints_note(FILE *out, const char *format, ...);

/* Two-phase I/O runs with this decision. */
bool hints_collective(const hints_decision *decision);
/* A collective write on Lustre, which goes by stripes and not by the buffer. */
bool hints_by_stripes(const hints_decision *decision);
/* Keys that ROMIO and its descendants have in common: romio_cb_write or _read... */
void hints_add_switch(const hints_decision *decision, hint_list *list);
/* ... and the striping, where it was chosen. */
void hints_add_striping(const hints_decision *decision, hint_list *list);

#endif /* HINTS_H */
