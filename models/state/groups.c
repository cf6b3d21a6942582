/* Groups of targets, and the slowest of them. */

#include "groups.h"

#include <math.h>
#include <stdlib.h>

static int by_seconds(const void *one, const void *other)
{
    const atm_member *a = one, *b = other;

    return a->seconds != b->seconds ? (a->seconds > b->seconds) - (a->seconds < b->seconds)
                                    : a->target->index - b->target->index;
}

atm_member *atm_members_list(const atm_state *state, double now, int count)
{
    atm_member *members = calloc((size_t) count + 1, sizeof(*members));
    int k = 0;

    for (int i = 0; members != NULL && i < state->count; i++)
        if (atm_target_can_be_picked(&state->targets[i], now))
            members[k++] =
                (atm_member){&state->targets[i], atm_target_seconds(&state->targets[i]), 1};
    if (members != NULL)
        qsort(members, (size_t) count, sizeof(*members), by_seconds);
    return members;
}

/* Index of a target in the state; -1 if it is not there. */
static int find(const atm_state *state, int index)
{
    int low = 0, high = state->count;

    while (low < high) {
        int middle = (low + high) / 2;

        if (state->targets[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < state->count && state->targets[low].index == index ? low : -1;
}

static int by_stripes(const void *one, const void *other)
{
    const atm_member *a = one, *b = other;

    return a->stripes != b->stripes ? a->stripes - b->stripes : by_seconds(one, other);
}

atm_member *atm_members_of(const atm_state *state, double now, const int *targets, int stripes,
                           int *stripes_p, int *count_p)
{
    atm_member *members = calloc((size_t) state->count + 1, sizeof(*members));
    int count = 0;

    if (members == NULL)
        return NULL;
    for (int i = 0; i < state->count; i++)
        stripes_p[i] = 0;
    for (int i = 0; i < stripes; i++) {
        int place = find(state, targets[i]);

        if (place >= 0 && atm_target_holds(&state->targets[place], now))
            stripes_p[place]++;
    }
    for (int i = 0; i < state->count; i++)
        if (stripes_p[i] > 0)
            members[count++] = (atm_member){&state->targets[i],
                                            atm_target_seconds(&state->targets[i]), stripes_p[i]};
    qsort(members, (size_t) count, sizeof(*members), by_stripes);
    *count_p = count;
    return members;
}

/* --- groups */

static void add(const atm_member *member, atm_group *group)
{
    const atm_target *target = member->target;

    group->count++;
    group->seconds += member->seconds;
    group->idle += target->idle;
    group->usual += target->usual;
    for (int k = 0; k < ATM_ACTIVITY_COUNT; k++) {
        group->paces[k].mean += target->paces[k].mean;
        group->paces[k].deviation += target->paces[k].deviation;
    }
}

static void take_mean(atm_group *group)
{
    group->seconds /= group->count;
    group->idle /= group->count;
    group->usual /= group->count;
    for (int k = 0; k < ATM_ACTIVITY_COUNT; k++) {
        group->paces[k].mean /= group->count;
        group->paces[k].deviation /= group->count;
    }
}

static int place_of(int i, int count)
{
    return (int) ((int64_t) i * ATM_GROUPS / count);
}

static bool begins(const atm_member *members, int i, int count)
{
    return i == 0 || place_of(i, count) != place_of(i - 1, count) ||
           members[i].stripes != members[i - 1].stripes;
}

int atm_groups_make(const atm_member *members, int count, atm_group groups_p[ATM_GROUPS_MOST])
{
    int n = 0;

    for (int i = 0; i < count; i++) {
        if (begins(members, i, count) && n < ATM_GROUPS_MOST)
            groups_p[n++] = (atm_group){.stripes = members[i].stripes};
        add(&members[i], &groups_p[n - 1]);
    }
    for (int g = 0; g < n; g++)
        take_mean(&groups_p[g]);
    return n;
}

/* --- the slowest */

double atm_group_done(const atm_group *group, double idle, double u)
{
    return idle * atm_pace_done(&group->paces[ATM_IDLE], u) +
           (1 - idle) * atm_pace_done(&group->paces[ATM_BUSY], u);
}

enum { POINTS = 80 };

/* Points of an integral: u = from + (i + 1/2) step */
typedef struct span {
    double from, step;
} span;

static span span_of(const atm_group *groups, int n)
{
    double from = INFINITY, to = -INFINITY;

    for (int g = 0; g < n; g++)
        for (int k = 0; k < ATM_ACTIVITY_COUNT && groups[g].stripes > 0; k++) {
            const atm_pace *pace = &groups[g].paces[k];
            double mean = pace->mean + log(groups[g].stripes);

            from = fmin(from, mean - 5 * pace->deviation);
            to = fmax(to, mean + (6 + pace->deviation) * pace->deviation);
        }
    return (span){from, (to - from) / POINTS};
}

/* Logarithm of the probability that all targets of a group are done */
static double log_all_done(const atm_group *group, double u)
{
    return group->count * log(atm_group_done(group, group->idle, u - log(group->stripes)));
}

static double integrate(const span *span, const double log_done[POINTS])
{
    double sum = exp(span->from);

    for (int i = 0; i < POINTS; i++)
        sum -= expm1(log_done[i]) * exp(span->from + (i + 0.5) * span->step) * span->step;
    return sum;
}

static void add_group(const span *span, const atm_group *group, double log_done[POINTS])
{
    for (int i = 0; i < POINTS && group->stripes > 0; i++)
        log_done[i] += log_all_done(group, span->from + (i + 0.5) * span->step);
}

double atm_groups_slowest(const atm_group *groups, int n)
{
    span span = span_of(groups, n);
    double log_done[POINTS] = {0};

    for (int g = 0; g < n; g++)
        add_group(&span, &groups[g], log_done);
    return integrate(&span, log_done);
}

double atm_groups_least(const atm_group *groups, int n)
{
    span span = span_of(groups, n);
    double log_done[POINTS] = {0}, least = INFINITY;
    int targets = 0;

    for (int g = 0; g < n; g++) {
        add_group(&span, &groups[g], log_done);
        targets += groups[g].count;
        least = fmin(least, integrate(&span, log_done) / targets);
    }
    return least;
}
