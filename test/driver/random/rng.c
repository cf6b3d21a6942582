/* Random numbers: splitmix64. */

#include <math.h>

#include "random.h"

uint64_t rng_next(struct rng *rng)
{
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

struct rng rng_start(uint64_t seed, uint64_t number, uint64_t purpose)
{
    struct rng rng = {seed};

    rng.state = rng_next(&rng) ^ number;
    rng.state = rng_next(&rng) ^ purpose;
    rng.state = rng_next(&rng);
    return rng;
}

int64_t rng_between(struct rng *rng, int64_t low, int64_t high)
{
    return low + (int64_t) (rng_next(rng) % (uint64_t) (high - low + 1));
}

int64_t rng_size(struct rng *rng, int64_t low, int64_t high)
{
    double unit = (rng_next(rng) >> 11) * 0x1p-53;

    return low * exp2(unit * log2((double) (high + 1) / low));
}

int rng_chance(struct rng *rng, int percent)
{
    return rng_between(rng, 0, 99) < percent;
}
