/* What the files trace*.c share: the activities of a process, in the order that a trace has. */

#ifndef ATH_TRACE_INSIDE_H
#define ATH_TRACE_INSIDE_H

#include "database.h"

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

#endif /* ATH_TRACE_INSIDE_H */
