/*
 * Traces: activities of processes for viewers.
 *
 * As Perfetto's TrackEvents: a track for each process, below it one for each thread; calls within
 * calls are slices within slices.  What one thread began and another did or completed, and
 * nonblocking calls and their completion, are joined by flows.
 * Field numbers are those of protos/perfetto/trace/trace_packet.proto and track_event/ there.
 *
 * As an archive of OTF2, for Vampir: a location for each thread, a region for each call.  Events
 * name the activity that caused theirs, since OTF2 has no flows.
 */

#ifndef ATH_TRACE_H
#define ATH_TRACE_H

#include <stdio.h>

#include "list.h"

/* Writes the processes of a job, or the one with filter's id.  ATH_NO_ACCESS if writing fails. */
ath_status ath_trace_write(ath_database *database, const ath_filter *filter, FILE *out,
                           atm_message *message, int64_t *processes_p);

/* The same into a folder, which is made unless it is there and empty; nothing is left of it on
 * failure.  No folder is made if there is no process.  ATH_NO_ACCESS without OTF2. */
ath_status ath_trace_write_otf2(ath_database *database, const ath_filter *filter,
                                const char *folder, atm_message *message, int64_t *processes_p);

#endif /* ATH_TRACE_H */
