/* What the module histogram has judged, for the reasoner. */

#ifndef ATW_HISTOGRAM_H
#define ATW_HISTOGRAM_H

#include "atw.h"
#include "reasoner.h"

/* Calls of POSIX and stdio, in all threads, since the process began: those of MPI and HDF5 also
 * wait for other processes. */
typedef struct atw_judged {
    uint64_t calls, judged, slow, very_slow, fast; /* as in atw_cycle */
    uint64_t slowest, slow_time; /* ns: of one call; of those that were slow together */
} atw_judged;

void atw_histogram_sum(atw_judged *sum_p);

/* What was judged from one sum to the next; is_stuck is the caller's.  Calls that were slow do not
 * count as such if they took less than ATW_NOTICED_NS together: they have held up nobody. */
#define ATW_NOTICED_NS UINT64_C(1000000)
atw_cycle atw_histogram_since(const atw_judged *before, const atw_judged *now);

/* A cycle has ended.  Nothing is learned from one that was slow: what is out of the ordinary must
 * not become the rule. */
void atw_histogram_cycle(bool was_slow);

#endif /* ATW_HISTOGRAM_H */
