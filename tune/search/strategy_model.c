/*
 * The usual strategy: most of the search is done before a run.
 *
 *     first      points that the performance model predicts to be fastest, apart from each other;
 *                without predictions, points that are far from each other
 *     then       offspring of the fastest, their neighbours and random points are screened by a
 *                Gaussian process of all that was seen (gp.h), whose mean is what the performance
 *                model predicts; the one with the largest expected improvement is run
 *     the end    no improvement worth a run is expected
 */

#include "strategy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "gp.h"

enum {
    FIRST = 6,         /* points before anything is learned */
    ENOUGH = 20,       /* runs before the search may end by itself, */
    ENOUGH_BLIND = 40, /* and without predictions */
    SMALL = 3000,      /* spaces whose points are all screened */
    CANDIDATES = 3000, /* of larger ones */
    LEADERS = 4,       /* that have offspring */
    SCALES_KEPT = 24   /* runs from which on scales are learned anew in every fourth only */
};
#define WORTH 0.001 /* least expected improvement, in logarithms */

typedef struct candidate {
    ats_point point;
    double predicted, score;
} candidate;

typedef struct model_search {
    const ats_setting_out *out;
    uint64_t state;
    bool begun;    /* the first points were proposed */
    bool predicts; /* the model knows this access */
    int learned;   /* points when scales were learned */
    ats_gp_scales scales;
    /* what was seen */
    int count;
    ats_point points[ATS_GP_POINTS];
    double y[ATS_GP_POINTS], predicted[ATS_GP_POINTS];
    /* what may be run next */
    int candidate_count;
    candidate candidates[CANDIDATES];
} model_search;

static void *create(const ats_setting_out *setting_out)
{
    model_search *search = calloc(1, sizeof(*search));

    if (search == NULL)
        return NULL;
    search->out = setting_out;
    search->state = rng_split(setting_out->seed, 4);
    return search;
}

static double predicted_at(const model_search *search, const ats_point *point)
{
    double seconds = search->predicts ? ats_predict(&search->out->prediction, point) : NAN;

    return seconds > 0 && isfinite(seconds) ? log(seconds) : 0;
}

/* --- what was seen */

static bool is_seen(const model_search *search, const ats_point *point)
{
    for (int i = 0; i < search->count; i++)
        if (ats_point_equal(&search->points[i], point))
            return true;
    return false;
}

static void add_seen(model_search *search, const ats_point *point, double y)
{
    search->points[search->count] = *point;
    search->y[search->count] = y;
    search->predicted[search->count++] = predicted_at(search, point);
}

/* The first run of each point; what failed is as if it took twice as long as the slowest. */
static void take_seen(model_search *search, const ats_seen *seen)
{
    double most = -INFINITY;

    search->count = 0;
    for (int i = 0; i < seen->count; i++)
        if (seen->at[i].outcome.end != ATS_FAILED)
            most = fmax(most, log(seen->at[i].outcome.value));
    if (!isfinite(most))
        most = 0;
    for (int i = 0; i < seen->count && search->count < ATS_GP_POINTS; i++) {
        const ats_measured *m = &seen->at[i];

        if (m->trial.kind != ATS_EXPLORE || is_seen(search, &m->trial.point))
            continue;
        add_seen(search, &m->trial.point,
                 m->outcome.end == ATS_FAILED ? most + M_LN2 : log(m->outcome.value));
    }
}

/* --- candidates */

static void add_candidate(model_search *search, const ats_point *point)
{
    if (search->candidate_count == CANDIDATES || is_seen(search, point))
        return;
    search->candidates[search->candidate_count++] =
        (candidate){.point = *point, .predicted = predicted_at(search, point)};
}

static void add_all(model_search *search, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        ats_point point = ats_space_at(search->out->space, i);

        add_candidate(search, &point);
    }
}

/* Indices of the fastest points; returns how many. */
static int find_leaders(const model_search *search, int leaders_p[LEADERS])
{
    int count = 0;

    for (int i = 0; i < search->count; i++) {
        int at = count < LEADERS ? count++ : LEADERS;

        for (; at > 0 && search->y[leaders_p[at - 1]] > search->y[i]; at--)
            if (at < LEADERS)
                leaders_p[at] = leaders_p[at - 1];
        if (at < LEADERS)
            leaders_p[at] = i;
    }
    return count;
}

/* Adds all points that differ from one in a single choice. */
static void add_neighbours(model_search *search, const ats_point *point)
{
    const ats_space *space = search->out->space;

    for (int i = 0; i < space->count; i++)
        for (int k = 0; k < ats_choices(&space->parameters[i]); k++) {
            ats_point neighbour = *point;

            neighbour.choice[i] = ats_first_choice(&space->parameters[i]) + k;
            add_candidate(search, &neighbour);
        }
}

/* The default has choices that not all points may have. */
static void make_valid(model_search *search, ats_point *point)
{
    const ats_space *space = search->out->space;

    for (int i = 0; i < space->count; i++)
        if (point->choice[i] < ats_first_choice(&space->parameters[i]))
            point->choice[i] = 1 + rng_below(&search->state, space->parameters[i].count);
}

/* Crosses two leaders, or a leader and a random point, with occasional mutations. */
static ats_point offspring(model_search *search, const int *leaders, int count)
{
    const ats_space *space = search->out->space;
    ats_point child = search->points[leaders[rng_below(&search->state, count)]], other;
    double share = 0.5 * rng_unit(&search->state);

    if (rng_below(&search->state, 2) == 0)
        other = search->points[leaders[rng_below(&search->state, count)]];
    else
        other = ats_point_random(space, &search->state);
    for (int i = 0; i < space->count; i++)
        if (rng_unit(&search->state) < share)
            child.choice[i] = other.choice[i];
    make_valid(search, &child);
    return child;
}

static void list_candidates(model_search *search)
{
    double size = ats_space_size(search->out->space);
    int leaders[LEADERS], count = find_leaders(search, leaders);

    search->candidate_count = 0;
    if (size <= SMALL) {
        add_all(search, (uint64_t) size);
        return;
    }
    for (int i = 0; i < count; i++) {
        ats_point leader = search->points[leaders[i]];

        make_valid(search, &leader);
        add_neighbours(search, &leader);
    }
    for (int i = 0; i < CANDIDATES && search->candidate_count < CANDIDATES; i++) {
        ats_point point = i % 2 == 0 && count > 0
                              ? offspring(search, leaders, count)
                              : ats_point_random(search->out->space, &search->state);

        add_candidate(search, &point);
    }
}

/* --- the first ones */

static double nearest(const model_search *search, const ats_point *point, const ats_point *chosen,
                      int count)
{
    const ats_space *space = search->out->space;
    double least = INFINITY;

    for (int k = 0; k < count; k++) {
        double sum = 0;

        for (int i = 0; i < space->count; i++)
            sum +=
                ats_choice_distance(&space->parameters[i], point->choice[i], chosen[k].choice[i]);
        least = fmin(least, sum / space->count);
    }
    return sqrt(least);
}

/* One after the other: fast, and not what was chosen already. */
static int choose_first(model_search *search, int wanted, ats_point *points_p)
{
    int count = 0;

    list_candidates(search);
    while (count < wanted && search->candidate_count > 0) {
        int best = 0;

        for (int i = 0; i < search->candidate_count; i++) {
            candidate *c = &search->candidates[i];
            double apart = fmin(nearest(search, &c->point, points_p, count),
                                nearest(search, &c->point, search->points, search->count));

            /* a factor of e in time is worth as much as all of the space */
            c->score = (apart < 1 ? apart : 1) - (search->predicts ? 2 * c->predicted : 0);
            if (c->score > search->candidates[best].score)
                best = i;
        }
        points_p[count++] = search->candidates[best].point;
        search->candidates[best] = search->candidates[--search->candidate_count];
    }
    return count;
}

/* --- the others */

/* How far a normal variable is expected to fall below a limit (Jones, Schonlau, Welch 1998). */
static double expected_improvement(double limit, double mean, double deviation)
{
    double z = (limit - mean) / deviation;

    return (limit - mean) * 0.5 * erfc(-z / M_SQRT2) +
           deviation * exp(-0.5 * z * z) / sqrt(2 * M_PI);
}

/* The smallest mean at what was seen: a lucky run is no limit. */
static double limit_of(const model_search *search, const ats_gp *gp)
{
    double limit = INFINITY, mean, deviation;

    for (int i = 0; i < search->count; i++) {
        ats_gp_at(gp, &search->points[i], search->predicted[i], &mean, &deviation);
        limit = fmin(limit, mean);
    }
    return limit;
}

/* The index of the candidate that is worth most, or -1 if none is worth a run; *mean_p: what is
 * expected of it. */
static int screen(model_search *search, const ats_gp *gp, double *mean_p)
{
    double limit = limit_of(search, gp), most = -1, mean, deviation;
    int best = -1;

    for (int i = 0; i < search->candidate_count; i++) {
        candidate *c = &search->candidates[i];

        ats_gp_at(gp, &c->point, c->predicted, &mean, &deviation);
        c->score = expected_improvement(limit, mean, deviation);
        if (c->score > most) {
            most = c->score;
            best = i;
            *mean_p = mean;
        }
    }
    return search->count >= (search->predicts ? ENOUGH : ENOUGH_BLIND) && most < WORTH ? -1 : best;
}

static atm_status fit(model_search *search, ats_gp **gp_p)
{
    if (search->count < SCALES_KEPT || search->count >= search->learned + 4) {
        search->scales.known = false;
        search->learned = search->count;
    }
    return ats_gp_fit(search->out->space, search->points, search->y, search->predicted,
                      search->count, &search->scales, gp_p);
}

/* Several at a time: each is taken as if it had come out as expected before the next is chosen.
 * Where no process can be fitted, they are chosen as the first ones were. */
static int choose_next(model_search *search, int wanted, ats_point *points_p)
{
    int count = 0;

    list_candidates(search);
    while (count < wanted && search->candidate_count > 0 && search->count < ATS_GP_POINTS) {
        ats_gp *gp;
        atm_status status = fit(search, &gp);
        double mean = 0;
        int best;

        if (status != ATM_OK)
            return status == ATM_NO_MEMORY
                       ? -1
                       : count + choose_first(search, wanted - count, points_p + count);
        best = screen(search, gp, &mean);
        ats_gp_destroy(gp);
        if (best < 0)
            break;
        points_p[count++] = search->candidates[best].point;
        add_seen(search, &search->candidates[best].point, mean);
        search->candidates[best] = search->candidates[--search->candidate_count];
    }
    return count;
}

static int propose(void *state, const ats_seen *seen, ats_point points_p[ATS_BATCH])
{
    model_search *search = state;
    int parallel = search->out->parallel < ATS_BATCH ? search->out->parallel : ATS_BATCH;
    static const ats_point none = {{0}};

    search->predicts = isfinite(ats_predict(&search->out->prediction, &none));
    take_seen(search, seen);
    if (!search->begun) {
        search->begun = true;
        return choose_first(search, FIRST > parallel ? FIRST : parallel, points_p);
    }
    return choose_next(search, parallel, points_p);
}

const ats_strategy ats_strategy_model = {"model", 60, create, propose, free};
