/* More stripes on fast targets. */

#include "repeat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pick.h"
#include "random.h"

/* Seconds of a GiB that one target of the group does not exceed, with that probability */
static double quantile(const atm_group *group, double probability)
{
    double from = -50, to = 50; /* logarithms */

    while (to - from > 1e-3) {
        double u = (from + to) / 2;

        *(atm_group_done(group, group->idle, u) < probability ? &from : &to) = u;
    }
    return exp((from + to) / 2);
}

/* The fastest get `most`, others as many as are not later than these, or a little. */
static void set_stripes(const double *late, int n, int most, atm_group *groups)
{
    double least = late[0];

    for (int g = 1; g < n; g++)
        least = fmin(least, late[g]);
    for (int g = 0; g < n; g++)
        groups[g].stripes = (int) floor(most * least / late[g] + 0.1);
}

static int count_stripes(const atm_group *groups, int n)
{
    int stripes = 0;

    for (int g = 0; g < n; g++)
        stripes += groups[g].count * groups[g].stripes;
    return stripes;
}

static bool is_fair(const atm_group *groups, int n, int targets, int stripes)
{
    for (int g = 0; g < n; g++)
        if ((double) groups[g].stripes * targets > ATM_PICK_MOST * stripes)
            return false;
    return true;
}

/* Seconds until all are written, at least: those of the slowest group, as each target is on average
 */
static double bound(const atm_group *groups, int n)
{
    double slowest = 0;

    for (int g = 0; g < n; g++)
        slowest = fmax(slowest, groups[g].stripes * groups[g].seconds);
    return slowest;
}

/* Groups are of members in their order. */
static void keep(const atm_group *groups, int n, int stripes, double seconds, atm_repeats *repeats)
{
    int i = 0;

    repeats->stripes = stripes;
    repeats->seconds = seconds;
    repeats->targets = 0;
    for (int g = 0; g < n; g++) {
        repeats->targets += groups[g].stripes > 0 ? groups[g].count : 0;
        for (int k = 0; k < groups[g].count; k++)
            repeats->members[i++].stripes = groups[g].stripes;
    }
}

static void search(int most, atm_repeats *repeats)
{
    static const double probabilities[] = {0.5, 0.9, 0.99};
    atm_group groups[ATM_GROUPS_MOST];
    int n = atm_groups_make(repeats->members, repeats->count, groups);
    double late[ATM_GROUPS_MOST], least = atm_groups_least(groups, n) / ATM_REPEAT_GAIN;

    for (int p = 0; p < 3; p++) {
        for (int g = 0; g < n; g++)
            late[g] = quantile(&groups[g], probabilities[p]);
        for (int m = 2; m <= ATM_REPEAT_MOST; m++) {
            double seconds;
            int stripes;

            set_stripes(late, n, m, groups);
            stripes = count_stripes(groups, n);
            if (stripes > most || !is_fair(groups, n, repeats->count, stripes) ||
                bound(groups, n) / stripes >= 0.99 * least)
                continue;
            seconds = atm_groups_slowest(groups, n);
            if (seconds / stripes < 0.99 * least) { /* else fewer stripes are as good */
                least = seconds / stripes;
                keep(groups, n, stripes, seconds, repeats);
            }
        }
    }
}

atm_status atm_repeats_find(const atm_state *state, double now, int most, atm_repeats *repeats_p)
{
    atm_repeats repeats = {.count = atm_pick_count(state, now)};

    repeats.members = atm_members_list(state, now, repeats.count);
    if (repeats.members == NULL)
        return ATM_NO_MEMORY;
    if (repeats.count > 1)
        search(most < ATM_REPEAT_STRIPES ? most : ATM_REPEAT_STRIPES, &repeats);
    *repeats_p = repeats;
    return ATM_OK;
}

void atm_repeats_destroy(atm_repeats *repeats)
{
    free(repeats->members);
    memset(repeats, 0, sizeof(*repeats));
}

/* --- a list */

typedef struct turn {
    const atm_member *member;
    uint64_t draw;
} turn;

static int by_draw(const void *one, const void *other)
{
    const turn *a = one, *b = other;

    return (a->draw > b->draw) - (a->draw < b->draw);
}

/* Round after round, a stripe on each target that has still some to come */
atm_status atm_repeats_list(const atm_repeats *repeats, uint64_t seed, int *targets_p)
{
    turn *turns = malloc((size_t) repeats->count * sizeof(*turns));
    int at = 0;

    if (turns == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < repeats->count; i++)
        turns[i] = (turn){&repeats->members[i], atm_random(&seed)};
    qsort(turns, (size_t) repeats->count, sizeof(*turns), by_draw);
    for (int round = 0; at < repeats->stripes; round++)
        for (int i = 0; i < repeats->count; i++)
            if (turns[i].member->stripes > round)
                targets_p[at++] = turns[i].member->target->index;
    free(turns);
    return ATM_OK;
}
