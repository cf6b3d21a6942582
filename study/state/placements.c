/* Equal shares, the paper's, ours, and what could be had. */

#include "placements.h"

#include <math.h>
#include <stdlib.h>

bool placing_create(const world *world, placing *placing_p)
{
    size_t n = (size_t) world->targets + 1;

    *placing_p =
        (placing){world, calloc(n, sizeof(*placing_p->known)), calloc(n, sizeof(*placing_p->best))};
    if (placing_p->known != NULL && placing_p->best != NULL)
        return true;
    placing_destroy(placing_p);
    return false;
}

void placing_destroy(placing *placing)
{
    free(placing->known);
    free(placing->best);
}

static void normalise(const world *world, double *shares)
{
    double sum = 0;

    for (int i = 0; i < world->targets; i++)
        sum += shares[i];
    for (int i = 0; i < world->targets; i++)
        shares[i] /= sum;
}

static void equal(placing *placing, const step *step, double *shares_p)
{
    (void) step;
    for (int i = 0; i < placing->world->targets; i++)
        shares_p[i] = 1.0 / placing->world->targets;
}

/* In proportion to 1 / T of the states `busy` */
static void by_states(const world *world, const bool *busy, double *shares_p)
{
    for (int i = 0; i < world->targets; i++)
        shares_p[i] = 1 / atm_pace_seconds(&world->paces[busy[i] ? ATM_BUSY : ATM_IDLE]);
    normalise(world, shares_p);
}

static void equation_3(placing *placing, const step *step, double *shares_p)
{
    by_states(placing->world, step->said_busy, shares_p);
}

static void oracle(placing *placing, const step *step, double *shares_p)
{
    by_states(placing->world, step->busy, shares_p);
}

/* Equation 3 with each target's own T */
static void own_times(placing *placing, const step *step, double *shares_p)
{
    by_states(placing->world, step->said_busy, shares_p);
    for (int i = 0; i < placing->world->targets; i++)
        shares_p[i] /= step->own[i];
    normalise(placing->world, shares_p);
}

static int count_busy(const world *world, const step *step)
{
    int count = 0;

    for (int i = 0; i < world->targets; i++)
        count += step->said_busy[i];
    return count;
}

/* The pace as known to somebody who does not know the targets' own speeds */
static atm_pace seen(const world *world, atm_activity activity)
{
    const atm_pace *pace = &world->paces[activity];

    return (atm_pace){pace->mean, hypot(pace->deviation, world->unequal)};
}

/* Best shares of two groups of targets: `busy` of them said to be busy, and the others */
static const double *best_shares(placing *placing, int busy)
{
    const world *world = placing->world;
    atm_targets groups[2];
    double shares[2];
    int n = 0;

    if (placing->known[busy])
        return placing->best[busy];
    for (int said_busy = 0; said_busy < 2; said_busy++) {
        int count = said_busy ? busy : world->targets - busy;

        if (count > 0)
            groups[n++] = (atm_targets){count,
                                        world_idle(world, said_busy),
                                        {seen(world, ATM_IDLE), seen(world, ATM_BUSY)}};
    }
    atm_shares_best(groups, n, shares);
    placing->known[busy] = true;
    placing->best[busy][0] = shares[0];
    placing->best[busy][1] = shares[n - 1];
    return placing->best[busy];
}

static void best(placing *placing, const step *step, double *shares_p)
{
    const double *shares = best_shares(placing, count_busy(placing->world, step));

    for (int i = 0; i < placing->world->targets; i++)
        shares_p[i] = shares[step->said_busy[i]];
}

static void best_own_times(placing *placing, const step *step, double *shares_p)
{
    best(placing, step, shares_p);
    for (int i = 0; i < placing->world->targets; i++)
        shares_p[i] /= step->own[i];
    normalise(placing->world, shares_p);
}

/* The best shares as a layout has them: four stripes for each target on average, whole ones.  Each
 * target gets what is below its share; what is left goes to whom it makes the least late, all of
 * one label in turn. */
static void stripes(placing *placing, const step *step, double *shares_p)
{
    const world *world = placing->world;
    const double *shares = best_shares(placing, count_busy(world, step));
    int all = 4 * world->targets, left = all, at[2] = {0, 0};
    double whole[2] = {floor(shares[0] * all), floor(shares[1] * all)};

    for (int i = 0; i < world->targets; i++) {
        shares_p[i] = whole[step->said_busy[i]];
        left -= (int) shares_p[i];
    }
    while (left > 0) {
        int label = (whole[0] + 1) / shares[0] > (whole[1] + 1) / shares[1];

        if (at[label] == world->targets) {
            at[label] = 0;
            whole[label]++;
        } else if (step->said_busy[at[label]++] == (label == 1)) {
            shares_p[at[label] - 1]++;
            left--;
        }
    }
    for (int i = 0; i < world->targets; i++)
        shares_p[i] /= all;
}

const placement placements[] = {
    {"equal", "every target gets the same", equal},
    {"equation 3", "targets said to be busy get T_idle / T_busy of the others'", equation_3},
    {"best", "least expected time of the slowest target", best},
    {"stripes", "the same, in whole stripes, four for each target", stripes},
    {"equation 3, own T", "equation 3 with the T of each target", own_times},
    {"best, own T", "best shares with the T of each target", best_own_times},
    {"oracle", "equation 3 with the true states", oracle},
    {NULL, NULL, NULL}};
