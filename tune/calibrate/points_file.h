/* The points file (tune/train/points.h) from what was measured; no MPI. */

#ifndef OUTPUT_H
#define OUTPUT_H

#include "visits_journal.h"
#include "plan.h"
#include "train/points.h"

/* machine and job are copied: the members of their values in the file.  cached:
 * storage was measured at the speed of the file system's cache.  caches[cache_count]: what
 * it holds; NULL: nothing to say. */
atm_status output_write(const char *path, const plan *plan, const journal *journal,
                        const atm_value *machine, const atm_value *job, const char *host,
                        bool cached, const points_cache *caches, int cache_count,
                        atm_message *message);

#endif /* OUTPUT_H */
