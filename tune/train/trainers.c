/* All trainers, and how settings are spread. */

#include "trainer.h"

#include <math.h>

#include "common/rng.h"

static const trainer *const trainers[] = {&trainer_linear, &trainer_knn, &trainer_rules,
                                          &trainer_forest, &trainer_svr, &trainer_mlp};

enum { TRAINERS = sizeof(trainers) / sizeof(trainers[0]) };

const trainer *trainer_at(int index)
{
    return index < TRAINERS ? trainers[index] : NULL;
}

double trainer_spread(int index, int dimension, uint64_t seed)
{
    const double golden = 1.2207440846057596; /* root of x^4 = x + 1 */
    uint64_t state = rng_split(seed, (uint64_t) dimension + 1);
    double x = rng_unit(&state) + (index + 1) * pow(golden, -(dimension + 1));

    return x - floor(x);
}

double trainer_log_scale(double unit, double min, double max)
{
    return min * pow(max / min, unit);
}
