/* The same work for many numbers, on several threads. */

#ifndef PARALLEL_H
#define PARALLEL_H

#include "atm.h"

typedef struct parallel {
    int threads; /* 0: as many as there are cores */
    void (*progress)(void *context, double done);
    void *context;
    double done, all; /* weight of the work */
} parallel;

/* Calls work(argument, i) once for 0 <= i < count, lower i first; it returns the
 * weight that is done thereby.  Also without a single new thread it is done. */
void parallel_run(parallel *p, int count, double (*work)(void *argument, int index),
                  void *argument);

#endif /* PARALLEL_H */
