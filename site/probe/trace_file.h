/* What trace_write.c does with files as a whole: their first line, torn ends, names, number. */

#ifndef PROBE_TRACE_FILE_H
#define PROBE_TRACE_FILE_H

#include "trace_write.h"

/* The first line; the caller frees it.  NULL without memory. */
char *trace_header(const trace_plan *plan, double started, size_t *length_p);

/* Drops what is after the last newline; false with errno. */
bool trace_cut(int file, uint64_t *length);

/* Leaves a file of this path and format alone and tells when it was started; gives any
 * other file another name.  There may be none. */
atm_status trace_go_on_or_put_aside(const trace_plan *plan, const char *path, double *started,
                                    atm_message *message);

/* Gives the file a name with the time at which it was started. */
atm_status trace_put_aside(const trace_plan *plan, const char *path, double started,
                           atm_message *message);

/* Removes the oldest of those that were put aside, beyond the number that is kept. */
void trace_drop_oldest(const trace_plan *plan);

#endif /* PROBE_TRACE_FILE_H */
