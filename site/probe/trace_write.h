/*
 * Trace files: JSON lines, each written by one write(2) to the end of the file, so that
 * whatever ends the prober cuts off one line at most.
 *
 *     DIR/probe-NAME.jsonl                      the one that is written
 *     DIR/probe-NAME.20261116T193655Z.jsonl     earlier ones, by the time they were started
 *
 * A file that cannot be written, because the disk is full or read-only, does not end the
 * prober: that is said once, lines are lost until it can be written again, and then their
 * number is in the trace, too.
 *
 * The lines are those of romio-autotune-trace, version 1; lines of kind "note" say what a
 * reader may want to know of the trace itself, and are left out by one that does not.
 */

#ifndef PROBE_TRACE_H
#define PROBE_TRACE_H

#include "value/value.h"

#include "jobs.h"
#include "target.h"

typedef struct trace trace;

/* What stays the same; nothing of it is copied. */
typedef struct trace_plan {
    const char *directory, *name; /* of the files */
    const char *path, *driver, *host;
    uint64_t bytes; /* of a file, after which the next one is started */
    int files;      /* that are kept, with the one being written */
} trace_plan;

/* Goes on with a file of the same path, after what was cut off of its last line; any other
 * is put aside.  The caller closes it. */
atm_status trace_open(const trace_plan *plan, atm_message *message, trace **trace_p);
void trace_close(trace *trace);

/* How many files were started: one that reads only the newest wants to hear all states. */
int trace_file_count(const trace *trace);
uint64_t trace_lost(const trace *trace); /* lines, since the last that was written */
const char *trace_path(const trace *trace);

/* --- lines; time is in unix seconds */

typedef struct trace_write {
    double time;
    int target;
    uint64_t bytes;
    double seconds;
} trace_write;

void trace_put_probe(trace *trace, const trace_write *write);
void trace_put_truth(trace *trace, const trace_write *write);
void trace_put_error(trace *trace, const trace_write *write, int error);
void trace_put_service(trace *trace, double time, int target, double samples, double seconds);
void trace_put_target(trace *trace, double time, int target, const target_state *state);
void trace_put_jobs(trace *trace, double time, const jobs_features *jobs);
void trace_put_note(trace *trace, double time, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif /* PROBE_TRACE_H */
