/*
 * Traces: activities of processes as Perfetto's TrackEvents, for its viewer.  A track for each
 * process, below it one for each thread; calls within calls are slices within slices.  What one
 * thread began and another did or completed, and nonblocking calls and their completion, are
 * joined by flows.
 *
 * Field numbers are those of protos/perfetto/trace/trace_packet.proto and track_event/ there.
 */

#ifndef ATH_TRACE_H
#define ATH_TRACE_H

#include <stdio.h>

#include "list.h"

/* Of the processes of a job, or of the one with filter's id.  ATH_NO_ACCESS if writing fails. */
ath_status ath_trace_write(ath_database *database, const ath_filter *filter, FILE *out,
                           atm_message *message, int64_t *processes_p);

#endif /* ATH_TRACE_H */
