/*
 * Traces: what autotune-probe saw of the storage targets of one file system and of
 * the batch system, JSON lines.  The first line of a file names what is measured,
 *
 *     {"format": "romio-autotune-trace", "version": 1, "path": "/scratch", "driver": "lustre",
 *      "host": "nid0001", "started": 1520708288.1}
 *
 * and each other line has "time" (Unix seconds) and "kind":
 *
 *     probe     target, bytes, seconds            a small write
 *     truth     target, bytes, seconds            a large one, of which the states are told
 *     service   target, samples, seconds          mean of the client's own requests
 *     target    target, full, degraded, inactive, no_create     what is known, when it changes
 *     error     target, bytes, error              a write that failed
 *     jobs      total, batch, ..., memory         features 1 to 13 of the paper's Table II
 *
 * Lines of other kinds, and further members, are of later versions and ignored.  A last
 * line that was cut off is ignored too; anything else that is wrong is named by file,
 * line and field.
 */

#ifndef TRACE_H
#define TRACE_H

#include <stdio.h>
#include <sys/stat.h>

#include "atm.h"

enum { TRACE_JOB_FEATURES = 13, TRACE_TARGETS = 65536 };

/* Names of the members of "jobs", in the order of Table II. */
extern const char *const trace_job_names[TRACE_JOB_FEATURES];

typedef struct trace_sample {
    double time, bytes, seconds;
} trace_sample;

typedef struct trace_series {
    size_t count, room;
    trace_sample *samples; /* by time after trace_sort */
} trace_series;

typedef enum trace_source { TRACE_PROBE, TRACE_TRUTH, TRACE_SERVICE, TRACE_SOURCES } trace_source;

typedef struct trace_target {
    int target;
    trace_series series[TRACE_SOURCES]; /* bytes of a service are its samples */
    double changed;                     /* time of the newest line about its condition */
    double full;                        /* share; NaN: not known */
    bool degraded, inactive, no_create;
    size_t errors;
    double failed; /* time of the last error; -infinity: never */
} trace_target;

typedef struct trace_jobs {
    double time;
    double features[TRACE_JOB_FEATURES];
} trace_jobs;

typedef struct trace {
    char *path, *driver; /* NULL until a file was read */
    int count;
    trace_target *targets; /* by number after trace_sort */
    size_t job_count, job_room;
    trace_jobs *jobs;
    size_t lines, ignored; /* ignored: of unknown kinds, or cut off */
    int room;
    int slot[TRACE_TARGETS]; /* 1 + index in targets; 0: none */
} trace;

/* Empty; trace_destroy.  NULL without memory. */
trace *trace_create(void);
void trace_destroy(trace *trace);

/* Adds a file, whole.  After a failure the trace can only be destroyed. */
atm_status trace_read(trace *trace, const char *path, atm_message *message);

/* Puts everything in the order of time, and drops what is there twice. */
void trace_sort(trace *trace);

/* NULL if there is none of this number. */
const trace_target *trace_find(const trace *trace, int target);

/* Times of the first and last sample of any target; false if there is none. */
bool trace_span(const trace *trace, double *from_p, double *to_p);

/* Forgets samples and jobs before a time. */
void trace_forget(trace *trace, double before);

/* --- a file that still grows */

typedef struct trace_follower {
    char *path;
    FILE *file;       /* NULL: not there yet */
    long long offset; /* of what was not read yet */
    size_t line;
} trace_follower;

/* path is copied; trace_unfollow. */
atm_status trace_follow(const char *path, trace_follower *follower_p);
/* Adds complete lines that are new.  Of a file that was replaced, the rest and then the new
 * one; one that was cut is read from its beginning, one that is not there is waited for.
 * *added_p: lines. */
atm_status trace_catch_up(trace *trace, trace_follower *follower, atm_message *message,
                          size_t *added_p);
void trace_unfollow(trace_follower *follower);
/* Whether that is the file, whatever its name. */
bool trace_follows(const trace_follower *follower, const struct stat *info);

/* --- which files */

/* Names of files, sorted, in place of those of folders: all *.jsonl in them, which are what
 * autotune-probe writes.  The caller frees the names and the array (trace_files_free). */
atm_status trace_files(char *const *names, int count, atm_message *message, char ***files_p,
                       int *count_p);
void trace_files_free(char **files, int count);

/* --- for trace_read and trace_catch_up: one line, without its newline */

/* text has a 0 behind it.  ATM_BAD_FILE, and a message, for what is wrong; name: file and line,
 * for messages. */
atm_status trace_line(trace *trace, const char *text, size_t length, const char *name,
                      atm_message *message);

#endif /* TRACE_H */
