/* Random search: any point that was not tried yet. */

#include "strategy.h"

#include <stdlib.h>

#include "common/rng.h"

enum { BATCH = 16, PATIENCE = 10000 };

typedef struct random_search {
    const ats_space *space;
    uint64_t state;
} random_search;

static void *create(const ats_setting_out *setting_out)
{
    random_search *search = malloc(sizeof(*search));

    if (search != NULL)
        *search = (random_search){setting_out->space, rng_split(setting_out->seed, 1)};
    return search;
}

static bool is_among(const ats_point *points, int count, const ats_point *point)
{
    for (int i = 0; i < count; i++)
        if (ats_point_equal(&points[i], point))
            return true;
    return false;
}

/* Gives up where nearly all of a small space was tried. */
static int propose(void *state, const ats_seen *seen, ats_point points_p[ATS_BATCH])
{
    random_search *search = state;
    int count = 0;
    double value;

    for (int i = 0; i < PATIENCE && count < BATCH; i++) {
        ats_point point = ats_point_random(search->space, &search->state);

        if (!ats_seen_find(seen, ATS_EXPLORE, &point, &value) && !is_among(points_p, count, &point))
            points_p[count++] = point;
    }
    return count;
}

const ats_strategy ats_strategy_random = {"random", 60, create, propose, free};
