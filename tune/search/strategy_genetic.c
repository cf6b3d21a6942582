/*
 * Genetic search (Behzad et al., Taming parallel I/O complexity with auto-tuning, SC 2013, section
 * 3.1): a population of 15 and 40 generations; the fastest stay, the others are children of two of
 * the faster ones, and 15 % of these mutate.  What was tried before is not run again.
 */

#include "strategy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"

enum { POPULATION = 15, GENERATIONS = 40, ELITE = 2, TOURNAMENT = 2, PATIENCE = 100 };
enum { RUNS = POPULATION * GENERATIONS };
#define MUTATION 0.15

typedef struct individual {
    ats_point point;
    double value;
} individual;

typedef struct genetic {
    const ats_space *space;
    uint64_t state;
    int generation; /* 0: there is none yet */
    individual population[POPULATION];
} genetic;

static void *create(const ats_setting_out *setting_out)
{
    genetic *search = calloc(1, sizeof(*search));

    if (search == NULL)
        return NULL;
    search->space = setting_out->space;
    search->state = rng_split(setting_out->seed, 3);
    return search;
}

static bool is_among(const individual *all, int count, const ats_point *point)
{
    for (int i = 0; i < count; i++)
        if (ats_point_equal(&all[i].point, point))
            return true;
    return false;
}

/* Different ones as long as there are enough. */
static void begin(genetic *search)
{
    for (int i = 0; i < POPULATION; i++) {
        ats_point point = ats_point_random(search->space, &search->state);

        for (int k = 0; k < PATIENCE && is_among(search->population, i, &point); k++)
            point = ats_point_random(search->space, &search->state);
        search->population[i].point = point;
    }
}

static int compare(const void *one, const void *other)
{
    double a = ((const individual *) one)->value, b = ((const individual *) other)->value;

    return (a > b) - (a < b);
}

/* The population is sorted: the smaller index is the faster one. */
static const ats_point *select_parent(genetic *search)
{
    int best = POPULATION;

    for (int i = 0; i < TOURNAMENT; i++) {
        int drawn = rng_below(&search->state, POPULATION);

        best = drawn < best ? drawn : best;
    }
    return &search->population[best].point;
}

static void mutate(genetic *search, ats_point *point)
{
    int gene = rng_below(&search->state, search->space->count);
    const ats_parameter *parameter = &search->space->parameters[gene];

    point->choice[gene] =
        ats_first_choice(parameter) + rng_below(&search->state, ats_choices(parameter));
}

static ats_point child_of(genetic *search)
{
    const ats_point *mother = select_parent(search), *father = select_parent(search);
    ats_point child = *mother;

    for (int i = 0; i < search->space->count; i++)
        if (rng_below(&search->state, 2) == 1)
            child.choice[i] = father->choice[i];
    if (rng_unit(&search->state) < MUTATION)
        mutate(search, &child);
    return child;
}

static void breed(genetic *search)
{
    individual next[POPULATION];

    qsort(search->population, POPULATION, sizeof(individual), compare);
    memcpy(next, search->population, ELITE * sizeof(individual));
    for (int i = ELITE; i < POPULATION; i++)
        next[i].point = child_of(search);
    memcpy(search->population, next, sizeof(next));
}

/* Values of those that were tried; the others are proposed. */
static int look_up(genetic *search, const ats_seen *seen, ats_point points_p[ATS_BATCH])
{
    int count = 0;

    for (int i = 0; i < POPULATION; i++) {
        individual *one = &search->population[i];
        bool proposed = false;

        if (ats_seen_find(seen, ATS_EXPLORE, &one->point, &one->value))
            continue;
        for (int k = 0; k < count; k++)
            proposed = proposed || ats_point_equal(&points_p[k], &one->point);
        if (!proposed)
            points_p[count++] = one->point;
    }
    return count;
}

static int propose(void *state, const ats_seen *seen, ats_point points_p[ATS_BATCH])
{
    genetic *search = state;
    int count = 0;

    while (count == 0 && search->generation < GENERATIONS) {
        if (search->generation == 0) {
            begin(search);
        } else {
            look_up(search, seen, points_p);
            breed(search);
        }
        search->generation++;
        count = look_up(search, seen, points_p);
    }
    return count;
}

const ats_strategy ats_strategy_genetic = {"genetic", RUNS, create, propose, free};
