/* What the files trace*.c share: processes, and the activities of each in the order that a trace
 * has. */

#ifndef ATH_TRACE_INSIDE_H
#define ATH_TRACE_INSIDE_H

#include "list.h"

typedef struct trace_process {
    int64_t id, realtime; /* of its start, in ns since 1970 */
    char *name, *host;
} trace_process;

typedef struct trace_processes {
    trace_process *at; /* by rank */
    size_t count, room;
} trace_processes;

/* Reads the processes of a job, or the one with filter's id.  Clear them. */
ath_status trace_processes_read(ath_database *database, const ath_filter *filter,
                                atm_message *message, trace_processes *processes_p);
void trace_processes_clear(trace_processes *processes);

typedef struct trace_slice {
    int64_t number, parent, start, end, position, bytes, flags, error;
    const char *layer, *call, *file; /* of the process's names */
    bool begins_flow, ends_flow;
} trace_slice;

typedef struct trace_name {
    int64_t id;
    char *layer, *text;
} trace_name;

typedef struct trace_names {
    trace_name *at; /* by id */
    size_t count, room;
} trace_names;

typedef struct trace_slices {
    trace_slice *at; /* by thread; outer ones before inner ones */
    size_t count, room;
    trace_names calls, files;
} trace_slices;

/* Clear them. */
ath_status trace_slices_read(ath_database *database, int64_t process, atm_message *message,
                             trace_slices *slices_p);
void trace_slices_clear(trace_slices *slices);

int64_t trace_thread(const trace_slice *slice);

/* What a trace is written from, thread by thread: a thread before its slices, beginnings and ends
 * as brackets.  They nest even where a slice outlasts the one around it: then times of ends
 * decrease. */
typedef struct trace_visitor {
    void (*thread)(void *context, int64_t thread);
    void (*begin)(void *context, const trace_slice *slice);
    void (*end)(void *context, const trace_slice *slice);
} trace_visitor;

ath_status trace_slices_visit(const trace_slices *slices, const trace_visitor *visitor,
                              void *context);

#endif /* ATH_TRACE_INSIDE_H */
