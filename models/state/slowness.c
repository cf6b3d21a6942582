/* Expected times of the slowest stripe, for any number of stripes. */

#include "slowness.h"

#include <math.h>
#include <stdlib.h>

#include "pick.h"

enum { GROUPS = 16, POINTS = 160 };

/* Probabilities at exp(from + (i + 1/2) step) */
struct atm_slowness {
    int targets, groups;
    int counts[GROUPS]; /* of targets, the fastest group first */
    int pool;           /* of targets that are picked at all */
    double from, step;
    double log_done[GROUPS][POINTS]; /* that one of them is done, now */
    /* the same of one of all targets: average, and average of the logarithm */
    double mean[POINTS], log_mean[POINTS];
    double usual_mean[POINTS], usual_log_mean[POINTS];
    double picked_mean[POINTS], picked_log_mean[POINTS]; /* of one that is picked */
};

/* --- targets in groups */

typedef struct member {
    const atm_target *target;
    double seconds; /* on average */
} member;

typedef struct group {
    double idle, usual;
    double seconds; /* on average */
    atm_pace paces[ATM_ACTIVITY_COUNT];
} group;

static int by_seconds(const void *one, const void *other)
{
    double a = ((const member *) one)->seconds, b = ((const member *) other)->seconds;

    return (a > b) - (a < b);
}

/* The fastest first; free them. */
static member *list_members(const atm_state *state, double now, int count)
{
    member *members = calloc((size_t) count, sizeof(*members));
    int k = 0;

    for (int i = 0; members != NULL && i < state->count; i++)
        if (atm_target_can_be_picked(&state->targets[i], now))
            members[k++] = (member){&state->targets[i], atm_target_seconds(&state->targets[i])};
    if (members != NULL)
        qsort(members, (size_t) count, sizeof(*members), by_seconds);
    return members;
}

/* Neighbours together, as they are on average */
static void make_groups(const member *members, atm_slowness *slowness, group groups[GROUPS])
{
    int count = slowness->targets;

    slowness->groups = count < GROUPS ? count : GROUPS;
    for (int g = 0; g < slowness->groups; g++) {
        int first = (int) ((int64_t) g * count / slowness->groups);
        int end = (int) ((int64_t) (g + 1) * count / slowness->groups);

        groups[g] = (group){0, 0, 0, {{0, 0}, {0, 0}}};
        slowness->counts[g] = end - first;
        for (int i = first; i < end; i++) {
            const atm_target *target = members[i].target;

            groups[g].idle += target->idle / (end - first);
            groups[g].seconds += members[i].seconds / (end - first);
            groups[g].usual += target->usual / (end - first);
            for (int k = 0; k < ATM_ACTIVITY_COUNT; k++) {
                groups[g].paces[k].mean += target->paces[k].mean / (end - first);
                groups[g].paces[k].deviation += target->paces[k].deviation / (end - first);
            }
        }
    }
}

/* --- distribution functions */

static void set_points(const group *groups, atm_slowness *slowness)
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

/* Of one pick, to be on any target of each group */
static void chances_of(const group *groups, atm_slowness *slowness, double chances[GROUPS])
{
    double seconds[GROUPS];

    for (int g = 0; g < slowness->groups; g++)
        seconds[g] = groups[g].seconds;
    atm_pick_chances(seconds, slowness->counts, slowness->groups, chances);
    for (int g = 0; g < slowness->groups; g++) {
        slowness->pool += chances[g] > 0 ? slowness->counts[g] : 0;
        chances[g] *= slowness->counts[g];
    }
}

static void fill(const group *groups, atm_slowness *slowness)
{
    double chances[GROUPS];

    chances_of(groups, slowness, chances);
    for (int g = 0; g < slowness->groups; g++)
        for (int i = 0; i < POINTS; i++) {
            double share = (double) slowness->counts[g] / slowness->targets;
            double idle = atm_pace_done(&groups[g].paces[ATM_IDLE], point(slowness, i));
            double busy = atm_pace_done(&groups[g].paces[ATM_BUSY], point(slowness, i));
            double now = groups[g].idle * idle + (1 - groups[g].idle) * busy;
            double usual = groups[g].usual * idle + (1 - groups[g].usual) * busy;

            slowness->log_done[g][i] = log(now);
            slowness->mean[i] += share * now;
            slowness->log_mean[i] += share * log(now);
            slowness->picked_mean[i] += chances[g] * now;
            slowness->picked_log_mean[i] += chances[g] * log(now);
            slowness->usual_mean[i] += share * usual;
            slowness->usual_log_mean[i] += share * log(usual);
        }
}

atm_status atm_slowness_create(const atm_state *state, double now, atm_slowness **slowness_p)
{
    atm_slowness *slowness = calloc(1, sizeof(*slowness));
    group groups[GROUPS];
    member *members;

    if (slowness == NULL)
        return ATM_NO_MEMORY;
    slowness->targets = atm_pick_count(state, now);
    if (slowness->targets > 0) {
        members = list_members(state, now, slowness->targets);
        if (members == NULL) {
            free(slowness);
            return ATM_NO_MEMORY;
        }
        make_groups(members, slowness, groups);
        free(members);
        set_points(groups, slowness);
        fill(groups, slowness);
    }
    *slowness_p = slowness;
    return ATM_OK;
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

double atm_slowness_of(const atm_slowness *slowness, int stripes, bool picked)
{
    int some = stripes < slowness->targets ? stripes : slowness->targets;
    double before = exp(slowness->from), now = before, usual = before;

    if (some < 1)
        return 1;
    for (int i = 0; i < POINTS; i++) {
        double width = exp(point(slowness, i)) * slowness->step;

        now -= width *
               expm1(picked ? log_picked(slowness, some, i)
                            : log_any(slowness, some, slowness->mean[i], slowness->log_mean[i]));
        usual -= width * expm1(log_any(slowness, some, slowness->usual_mean[i],
                                       slowness->usual_log_mean[i]));
    }
    return now / usual;
}
