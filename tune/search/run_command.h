/*
 * One run of the command: its parameters, its end, its value.
 *
 * Parameters are a file in the form of advice (advice/advice.h), with one rule that matches every
 * file, which ROMIO_AUTOTUNE_ADVICE names.  Of the default there is none.
 */

#ifndef ATS_RUN_H
#define ATS_RUN_H

#include "conduct.h"

typedef enum ats_metric {
    ATS_BY_RECORD, /* the file's own time, from the driver's record */
    ATS_BY_WALL,   /* of the command */
    ATS_BY_OUTPUT, /* a number: the last line that the command prints */
    ATS_METRIC_COUNT
} ats_metric;

const char *ats_metric_name(ats_metric metric);

typedef struct ats_job {
    const ats_space *space;
    char *const *command; /* "{run}" in it becomes the name of the run; ended by NULL */
    const char *before;   /* for a shell, before each run; or NULL */
    const char *folder;   /* has a folder for each run while it is under way */
    const char *pattern;  /* of files whose time counts; NULL: all */
    ats_metric metric;
    double limit; /* seconds that a run may take */
    bool force;   /* files without the prefix autotune: too */
    bool keep;    /* folders of runs, also of those that end well */
} ats_job;

enum { ATS_RUN_NAME = 48 };

/* "explore-12-1f3a99c0" */
void ats_run_name(const ats_trial *trial, char name_p[ATS_RUN_NAME]);

/* For a process of its own, which SIGTERM ends: then the command is ended and it returns false, as
 * it does if nothing could be tried.  Facts may come out as NULL. */
bool ats_run(const ats_job *job, const ats_trial *trial, const ats_limit *limit,
             ats_outcome *outcome_p, atm_value **facts_p);

#endif /* ATS_RUN_H */
