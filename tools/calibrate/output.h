/* The points file (tools/train/points.h) from what was measured; no MPI. */

#ifndef OUTPUT_H
#define OUTPUT_H

#include "journal.h"
#include "plan.h"

/* machine and job are copied: the members of their values in the file.  cached:
 * storage was measured at the speed of the file system's cache. */
atm_status output_write(const char *path, const plan *plan, const journal *journal,
                        const atm_value *machine, const atm_value *job, const char *host,
                        bool cached, atm_message *message);

#endif /* OUTPUT_H */
