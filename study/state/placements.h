/* Ways to deal out a step's data to targets. */

#ifndef PLACEMENTS_H
#define PLACEMENTS_H

#include "world.h"

/* What a way may remember from step to step of one world; zeros at first */
typedef struct placing {
    const world *world;
    bool *known;       /* [targets + 1] by the number of targets said to be busy: */
    double (*best)[2]; /* shares of one that is not, and one that is */
} placing;

bool placing_create(const world *world, placing *placing_p);
void placing_destroy(placing *placing);

typedef struct placement {
    const char *name;
    const char *about;
    /* shares_p[targets], 1 together */
    void (*place)(placing *placing, const step *step, double *shares_p);
} placement;

/* The first one writes equal shares; ended by a name of NULL. */
extern const placement placements[];

typedef enum placement_index { EQUAL, EQUATION_3, BEST, PLACEMENTS = 7 } placement_index;

#endif /* PLACEMENTS_H */
