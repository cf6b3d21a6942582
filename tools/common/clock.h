/* Clocks, in seconds. */

#ifndef COMMON_CLOCK_H
#define COMMON_CLOCK_H

#include <time.h>

static inline double clock_seconds(clockid_t clock)
{
    struct timespec time = {0, 0};

    clock_gettime(clock, &time);
    return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

/* Since 1970. */
static inline double clock_wall(void)
{
    return clock_seconds(CLOCK_REALTIME);
}

/* Since some moment; it is never set. */
static inline double clock_steady(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

#endif /* COMMON_CLOCK_H */
