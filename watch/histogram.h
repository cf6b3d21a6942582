/* What the module histogram has judged, for the reasoner. */

#ifndef ATW_HISTOGRAM_H
#define ATW_HISTOGRAM_H

#include "atw.h"

/* Calls of POSIX and stdio, in all threads, since the process began: those of MPI and HDF5 also
 * wait for other processes. */
typedef struct atw_judged {
    uint64_t calls, judged, slow, very_slow, fast; /* as in atw_cycle */
    uint64_t slowest;                              /* ns */
} atw_judged;

void atw_histogram_sum(atw_judged *sum_p);

/* A cycle has ended.  Nothing is learned from one that was slow: what is out of the ordinary must
 * not become the rule. */
void atw_histogram_cycle(bool was_slow);

#endif /* ATW_HISTOGRAM_H */
