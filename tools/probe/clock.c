#include "clock.h"

#include <math.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

double clock_wall(void)
{
    return read_clock(CLOCK_REALTIME);
}

double clock_steady(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

bool clock_jumped(clock_watch *watch, double wall, double steady, double *by_p)
{
    double ahead = wall - steady, by = ahead - watch->ahead;
    bool jumped = watch->known && fabs(by) > CLOCK_TOLERANCE;

    *watch = (clock_watch){true, ahead};
    if (jumped)
        *by_p = by;
    return jumped;
}
