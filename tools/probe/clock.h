/* The wall clock against one that is never set: jumps are noticed, and nothing is planned
 * by the wall clock. */

#ifndef PROBE_CLOCK_H
#define PROBE_CLOCK_H

#include <stdbool.h>

#define CLOCK_TOLERANCE 1.0 /* seconds; what drifts or is slewed stays below this between looks */

typedef struct clock_watch {
    bool known;
    double ahead; /* wall minus steady clock, at the last look */
} clock_watch;

double clock_wall(void);   /* unix seconds */
double clock_steady(void); /* seconds since some moment */

/* Whether the wall clock was set since the last look, and by how many seconds. */
bool clock_jumped(clock_watch *watch, double wall, double steady, double *by_p);

#endif /* PROBE_CLOCK_H */
