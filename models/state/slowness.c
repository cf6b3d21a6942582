/* Expected times of the slowest stripe, for any number of stripes. */

#include "slowness.h"

#include <math.h>
#include <stdlib.h>

#include "groups.h"
#include "pick.h"

enum { POINTS = 160 };

/* Probabilities at exp(from + (i + 1/2) step) */
struct atm_slowness {
    int targets, groups;
    int counts[ATM_GROUPS]; /* of targets, the fastest group first */
    int pool;               /* of targets that are picked at all */
    double from, step;
    double log_done[ATM_GROUPS][POINTS]; /* that one of them is done, now */
    /* the same of one of all targets: average, and average of the logarithm */
    double mean[POINTS], log_mean[POINTS];
    double usual_mean[POINTS], usual_log_mean[POINTS];
    double picked_mean[POINTS], picked_log_mean[POINTS]; /* of one that is picked */
};

/* --- distribution functions */

static void set_points(const atm_group *groups, atm_slowness *slowness)
{
    double from = INFINITY, to = -INFINITY;

    for (int g = 0; g < slowness->groups; g++)
        for (int k = 0; k < ATM_ACTIVITY_COUNT; k++) {
            const atm_pace *pace = &groups[g].paces[k];

            from = fmin(from, pace->mean - 5 * pace->deviation);
            to = fmax(to, pace->mean + (6 + pace->deviation) * pace->deviation);
        }
    slowness->from = from;
    slowness->step = (to - from) / POINTS;
}

static double point(const atm_slowness *slowness, int i)
{
    return slowness->from + (i + 0.5) * slowness->step;
}

/* Chances that one pick is any target of each group */
static void chances_of(const atm_group *groups, atm_slowness *slowness, double chances[ATM_GROUPS])
{
    double seconds[ATM_GROUPS];

    for (int g = 0; g < slowness->groups; g++)
        seconds[g] = groups[g].seconds;
    atm_pick_chances(seconds, slowness->counts, slowness->groups, chances);
    for (int g = 0; g < slowness->groups; g++) {
        slowness->pool += chances[g] > 0 ? slowness->counts[g] : 0;
        chances[g] *= slowness->counts[g];
    }
}

static void fill(const atm_group *groups, atm_slowness *slowness)
{
    double chances[ATM_GROUPS];

    chances_of(groups, slowness, chances);
    for (int g = 0; g < slowness->groups; g++)
        for (int i = 0; i < POINTS; i++) {
            double share = (double) slowness->counts[g] / slowness->targets;
            double now = atm_group_done(&groups[g], groups[g].idle, point(slowness, i));
            double usual = atm_group_done(&groups[g], groups[g].usual, point(slowness, i));

            slowness->log_done[g][i] = log(now);
            slowness->mean[i] += share * now;
            slowness->log_mean[i] += share * log(now);
            slowness->picked_mean[i] += chances[g] * now;
            slowness->picked_log_mean[i] += chances[g] * log(now);
            slowness->usual_mean[i] += share * usual;
            slowness->usual_log_mean[i] += share * log(usual);
        }
}

/* Fills the distributions; there must be at least one target */
static atm_status fill_from(const atm_state *state, double now, atm_slowness *slowness)
{
    atm_member *members = atm_members_list(state, now, slowness->targets);
    atm_group groups[ATM_GROUPS_MOST];

    if (members == NULL)
        return ATM_NO_MEMORY;
    slowness->groups = atm_groups_make(members, slowness->targets, groups);
    for (int g = 0; g < slowness->groups; g++)
        slowness->counts[g] = groups[g].count;
    free(members);
    set_points(groups, slowness);
    fill(groups, slowness);
    return ATM_OK;
}

atm_status atm_slowness_create(const atm_state *state, double now, atm_slowness **slowness_p)
{
    atm_slowness *slowness = calloc(1, sizeof(*slowness));
    atm_status status = ATM_OK;

    if (slowness == NULL)
        return ATM_NO_MEMORY;
    slowness->targets = atm_pick_count(state, now);
    if (slowness->targets > 0)
        status = fill_from(state, now, slowness);
    if (status == ATM_OK)
        *slowness_p = slowness;
    else
        free(slowness);
    return status;
}

void atm_slowness_destroy(atm_slowness *slowness)
{
    free(slowness);
}

/* --- the slowest of some targets */

/* Logarithm of the probability that some of a pool are done, at a point: for one target the mean
 * counts, for all of them the mean of the logarithm; between them, parts of both. */
static double log_some(int some, int pool, double mean, double log_mean)
{
    double part = pool > 1 ? (some - 1.0) / (pool - 1) : 1;

    return some * ((part < 1 ? (1 - part) * log(mean) : 0) + (part > 0 ? part * log_mean : 0));
}

static double log_any(const atm_slowness *slowness, int some, double mean, double log_mean)
{
    return log_some(some, slowness->targets, mean, log_mean);
}

/* All that are picked at all, and then the fastest of the others */
static double log_picked(const atm_slowness *slowness, int some, int i)
{
    double sum = 0;

    if (some <= slowness->pool)
        return log_some(some, slowness->pool, slowness->picked_mean[i],
                        slowness->picked_log_mean[i]);
    for (int g = 0; g < slowness->groups && some > 0; g++) {
        int taken = some < slowness->counts[g] ? some : slowness->counts[g];

        sum += taken * slowness->log_done[g][i];
        some -= taken;
    }
    return sum;
}

static int some_of(const atm_slowness *slowness, int stripes)
{
    return stripes < slowness->targets ? stripes : slowness->targets;
}

static double width(const atm_slowness *slowness, int i)
{
    return exp(point(slowness, i)) * slowness->step;
}

double atm_slowness_usual(const atm_slowness *slowness, int stripes)
{
    int some = some_of(slowness, stripes);
    double sum = exp(slowness->from);

    for (int i = 0; i < POINTS; i++)
        sum -= width(slowness, i) *
               expm1(log_any(slowness, some, slowness->usual_mean[i], slowness->usual_log_mean[i]));
    return sum;
}

double atm_slowness_of(const atm_slowness *slowness, int stripes, bool picked)
{
    int some = some_of(slowness, stripes);
    double now = exp(slowness->from);

    if (some < 1)
        return 1;
    for (int i = 0; i < POINTS; i++)
        now -= width(slowness, i) *
               expm1(picked ? log_picked(slowness, some, i)
                            : log_any(slowness, some, slowness->mean[i], slowness->log_mean[i]));
    return now / atm_slowness_usual(slowness, stripes);
}
