/* All strategies. */

#include "strategy.h"

#include <math.h>
#include <string.h>

static const ats_strategy *const strategies[] = {&ats_strategy_model, &ats_strategy_genetic,
                                                 &ats_strategy_random, &ats_strategy_exhaustive};

enum { STRATEGIES = sizeof(strategies) / sizeof(strategies[0]) };

const ats_strategy *ats_strategy_at(int index)
{
    return index < STRATEGIES ? strategies[index] : NULL;
}

const ats_strategy *ats_strategy_find(const char *name)
{
    for (int i = 0; i < STRATEGIES; i++)
        if (strcmp(strategies[i]->name, name) == 0)
            return strategies[i];
    return NULL;
}

double ats_predict(const ats_prediction *prediction, const ats_point *point)
{
    return prediction->predict != NULL ? prediction->predict(prediction->context, point) : NAN;
}
