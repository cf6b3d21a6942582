#include "jump.h"

#include <math.h>

bool clock_jumped(clock_watch *watch, double wall, double steady, double *by_p)
{
    double ahead = wall - steady, by = ahead - watch->ahead;
    bool jumped = watch->known && fabs(by) > CLOCK_TOLERANCE;

    *watch = (clock_watch){true, ahead};
    if (jumped)
        *by_p = by;
    return jumped;
}
