/* The wall clock against one that is never set: jumps are noticed, and nothing is planned
 * by the wall clock. */

#ifndef PROBE_JUMP_H
#define PROBE_JUMP_H

#include "common/clock.h"

#include <stdbool.h>

#define CLOCK_TOLERANCE 1.0 /* seconds; what drifts or is slewed stays below this between looks */

typedef struct clock_watch {
    bool known;
    double ahead; /* wall minus steady clock, at the last look */
} clock_watch;

/* Whether the wall clock was set since the last look, and by how many seconds. */
bool clock_jumped(clock_watch *watch, double wall, double steady, double *by_p);

#endif /* PROBE_JUMP_H */
