/* What the tools make of random numbers (models/random.h), the same everywhere. */

#ifndef RNG_H
#define RNG_H

#include <math.h>

#include "random.h"

static inline uint64_t rng_next(uint64_t *state)
{
    return atm_random(state);
}

/* 0 <= x < 1 */
static inline double rng_unit(uint64_t *state)
{
    return (double) (rng_next(state) >> 11) * 0x1p-53;
}

/* Mean 0 and deviation 1: Box and Muller, of two draws one after the other */
static inline double rng_normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(1 - rng_unit(state)));

    return radius * cos(2 * M_PI * rng_unit(state));
}

/* 0 <= i < count; the bias of 2^-64 count does not matter here */
static inline int rng_below(uint64_t *state, int count)
{
    return (int) (rng_next(state) % (uint64_t) count);
}

/* As random as it gets, out of two numbers. */
static inline uint64_t rng_hash(uint64_t seed, uint64_t value)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15u + value;

    return rng_next(&state);
}

/* A stream of its own for each use of a seed. */
static inline uint64_t rng_split(uint64_t seed, uint64_t use)
{
    uint64_t state = seed ^ (use * 0xd1342543de82ef95u);

    return rng_next(&state);
}

/* Fisher and Yates */
static inline void rng_shuffle(uint64_t *state, int *items, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int other = rng_below(state, i + 1), item = items[i];

        items[i] = items[other];
        items[other] = item;
    }
}

#endif /* RNG_H */
