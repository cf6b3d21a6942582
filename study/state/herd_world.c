/* Drawn states, labels and times. */

#include "world.h"

#include <math.h>
#include <stdlib.h>

#include "common/rng.h"

bool step_create(int targets, step *step_p)
{
    size_t n = (size_t) targets;

    *step_p = (step){calloc(n, sizeof(bool)), calloc(n, sizeof(bool)), calloc(n, sizeof(double)),
                     calloc(n, sizeof(double))};
    if (step_p->busy != NULL && step_p->said_busy != NULL && step_p->own != NULL &&
        step_p->seconds != NULL)
        return true;
    step_destroy(step_p);
    return false;
}

void step_destroy(step *step)
{
    free(step->busy);
    free(step->said_busy);
    free(step->own);
    free(step->seconds);
}

/* The chain of two states is reversible: what was is drawn as what will be. */
static bool was_busy(const world *world, bool busy, double drawn)
{
    return drawn < (busy ? world->correlation : 0) + (1 - world->correlation) * world->busy;
}

void step_draw(const world *world, uint64_t *random, step *step)
{
    for (int i = 0; i < world->targets; i++) {
        bool busy = rng_unit(random) < world->busy;
        double other = rng_unit(random);
        const atm_pace *pace = &world->paces[busy ? ATM_BUSY : ATM_IDLE];

        step->busy[i] = busy;
        step->said_busy[i] =
            world->persistence ? was_busy(world, busy, other) : busy == (other < world->accuracy);
        step->own[i] = exp(world->unequal * rng_normal(random));
        step->seconds[i] = step->own[i] * exp(pace->mean + pace->deviation * rng_normal(random));
    }
}

double world_idle(const world *world, bool said_busy)
{
    double idle = (1 - world->busy) * (said_busy ? 1 - world->accuracy : world->accuracy);
    double busy = world->busy * (said_busy ? world->accuracy : 1 - world->accuracy);

    if (world->persistence)
        return (said_busy ? 0 : world->correlation) + (1 - world->correlation) * (1 - world->busy);
    return idle + busy > 0 ? idle / (idle + busy) : 1 - world->busy;
}
