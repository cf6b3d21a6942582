/* Exhaustive search: all points, in an order that is far from any other. */

#include "strategy.h"

#include <stdlib.h>

#include "common/rng.h"

#define POINTS_MAX 1e9 /* nobody runs more */

typedef struct sweep {
    const ats_space *space;
    uint64_t size, next, start, step;
} sweep;

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static void *create(const ats_setting_out *setting_out)
{
    double size = ats_space_size(setting_out->space);
    uint64_t state = rng_split(setting_out->seed, 2);
    sweep *made = calloc(1, sizeof(*made));

    if (made == NULL)
        return NULL;
    made->space = setting_out->space;
    made->size = size < POINTS_MAX ? (uint64_t) size : (uint64_t) POINTS_MAX;
    made->start = rng_next(&state) % made->size;
    made->step = rng_next(&state) % made->size | 1;
    while (common_divisor(made->step, made->size) != 1)
        made->step++;
    return made;
}

static int propose(void *state, const ats_seen *seen, ats_point points_p[ATS_BATCH])
{
    sweep *s = state;
    int count = 0;
    double value;

    while (count < ATS_BATCH && s->next < s->size) {
        ats_point point = ats_space_at(s->space, (s->start + s->next++ * s->step) % s->size);

        if (!ats_seen_find(seen, ATS_EXPLORE, &point, &value))
            points_p[count++] = point;
    }
    return count;
}

const ats_strategy ats_strategy_exhaustive = {"exhaustive", 0, create, propose, free};
