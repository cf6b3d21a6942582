/* Targets for stripes. */

#include "pick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

/* A target that can be picked */
typedef struct choice {
    const atm_target *target;
    double seconds; /* on average */
    uint64_t draw;
    int stripes;
} choice;

static atm_targets one_of(const atm_target *target, double idle)
{
    return (atm_targets){1, idle, {target->paces[ATM_IDLE], target->paces[ATM_BUSY]}};
}

static bool is_choice(const atm_target *target, double now)
{
    return target->usable && atm_target_holds(target, now);
}

int atm_pick_count(const atm_state *state, double now)
{
    int count = 0;

    for (int i = 0; i < state->count; i++)
        count += is_choice(&state->targets[i], now);
    return count;
}

static int by_seconds(const void *one, const void *other)
{
    const choice *a = one, *b = other;

    return a->seconds != b->seconds ? (a->seconds > b->seconds) - (a->seconds < b->seconds)
                                    : (a->draw > b->draw) - (a->draw < b->draw);
}

static int by_draw(const void *one, const void *other)
{
    const choice *a = one, *b = other;

    return (a->draw > b->draw) - (a->draw < b->draw);
}

/* All that can be picked, the fastest first; free them. */
static choice *list_choices(const atm_state *state, double now, uint64_t seed, int count)
{
    choice *choices = calloc((size_t) count + 1, sizeof(*choices));
    int k = 0;

    for (int i = 0; choices != NULL && i < state->count; i++) {
        const atm_target *target = &state->targets[i];
        atm_targets alone = one_of(target, target->idle);
        uint64_t drawn = atm_random(&seed); /* for every target: one that goes changes no other's */

        if (is_choice(target, now))
            choices[k++] = (choice){target, atm_targets_seconds(&alone), drawn, 0};
    }
    if (choices != NULL)
        qsort(choices, (size_t) count, sizeof(*choices), by_seconds);
    return choices;
}

/* --- groups of choices */

static int group_of(int i, int count, int groups)
{
    return (int) ((int64_t) i * groups / count);
}

static void add_to_group(const choice *one, bool usual, atm_targets *group)
{
    /* who writes two stripes takes twice as long */
    double longer = one->stripes > 1 ? log(one->stripes) : 0;

    group->count++;
    group->idle += usual ? one->target->usual : one->target->idle;
    for (int k = 0; k < ATM_ACTIVITY_COUNT; k++) {
        group->paces[k].mean += one->target->paces[k].mean + longer;
        group->paces[k].deviation += one->target->paces[k].deviation;
    }
}

/* Neighbours together, as they are on average; n is at most count. */
static void group(const choice *choices, int count, bool usual, int n, atm_targets *groups)
{
    memset(groups, 0, (size_t) n * sizeof(*groups));
    for (int i = 0; i < count; i++)
        add_to_group(&choices[i], usual, &groups[group_of(i, count, n)]);
    for (int g = 0; g < n; g++) {
        groups[g].idle /= groups[g].count;
        for (int k = 0; k < ATM_ACTIVITY_COUNT; k++) {
            groups[g].paces[k].mean /= groups[g].count;
            groups[g].paces[k].deviation /= groups[g].count;
        }
    }
}

/* --- not more stripes than targets */

/* The first `stripes` of the choices, and whoever is as fast as the last of them, in random
 * order where that makes no difference. */
static void mix_alike(choice *choices, int count, int stripes)
{
    double last = choices[stripes - 1].seconds;
    int from = 0, to = count;

    while (choices[from].seconds < last / (1 + ATM_PICK_ALIKE))
        from++;
    while (choices[to - 1].seconds > last * (1 + ATM_PICK_ALIKE))
        to--;
    qsort(choices + from, (size_t) (to - from), sizeof(*choices), by_draw);
}

/* --- more stripes than targets */

/* Whole stripes from shares: each gets what is below its own, and what is left goes to whom it
 * makes the least late. */
static void share_out(choice *choices, int count, int stripes)
{
    int n = count < ATM_TARGET_GROUPS ? count : ATM_TARGET_GROUPS, left = stripes;
    atm_targets groups[ATM_TARGET_GROUPS];
    double shares[ATM_TARGET_GROUPS];

    group(choices, count, false, n, groups);
    atm_shares_best(groups, n, shares);
    for (int i = 0; i < count; i++) {
        choices[i].stripes = (int) floor(shares[group_of(i, count, n)] * stripes);
        left -= choices[i].stripes;
    }
    for (; left > 0; left--) {
        int next = 0;
        double least = INFINITY;

        for (int i = 0; i < count; i++) {
            double late = (choices[i].stripes + 1) / shares[group_of(i, count, n)];

            if (late < least) {
                least = late;
                next = i;
            }
        }
        choices[next].stripes++;
    }
}

/* --- picks */

/* One stripe on each choice that still has some, again and again: neighbouring stripes are on
 * different targets. */
static void list_targets(choice *choices, int count, int stripes, int *targets_p)
{
    int at = 0;

    qsort(choices, (size_t) count, sizeof(*choices), by_draw);
    while (at < stripes)
        for (int i = 0; i < count; i++)
            if (choices[i].stripes > 0) {
                choices[i].stripes--;
                targets_p[at++] = choices[i].target->index;
            }
}

atm_status atm_pick(const atm_state *state, double now, int stripes, bool repeat, uint64_t seed,
                    int *targets_p)
{
    int count = atm_pick_count(state, now);
    choice *choices;

    if (stripes < 1 || count < 1 || (stripes > count && !repeat))
        return ATM_NO_CHOICE;
    choices = list_choices(state, now, seed, count);
    if (choices == NULL)
        return ATM_NO_MEMORY;
    if (stripes <= count) {
        mix_alike(choices, count, stripes);
        for (int i = 0; i < stripes; i++)
            choices[i].stripes = 1;
    } else {
        share_out(choices, count, stripes);
    }
    list_targets(choices, count, stripes, targets_p);
    free(choices);
    return ATM_OK;
}

/* --- how slow they are */

/* Fewer groups than for shares: candidates for a layout are many. */
enum { SLOWNESS_GROUPS = 16 };

/* Seconds for a GiB on each of some of the choices, or twice that on one with two stripes. */
static double slowest(choice *choices, int count, bool usual, int some)
{
    int n = count < SLOWNESS_GROUPS ? count : SLOWNESS_GROUPS;
    atm_targets groups[SLOWNESS_GROUPS];

    group(choices, count, usual, n, groups);
    return atm_slowest_of_any(groups, n, some) * some;
}

/* Keeps those that were picked, with the number of their stripes; returns how many they are. */
static int keep_picked(choice *choices, int count, const int *targets, int stripes)
{
    int kept = 0;

    for (int i = 0; i < count; i++) {
        choices[i].stripes = 0;
        for (int k = 0; k < stripes; k++)
            choices[i].stripes += targets[k] == choices[i].target->index;
        if (choices[i].stripes > 0)
            choices[kept++] = choices[i];
    }
    return kept;
}

atm_status atm_pick_slowness(const atm_state *state, double now, int stripes, const int *targets,
                             double *slowness_p)
{
    int count = atm_pick_count(state, now), some = stripes < count ? stripes : count;
    double usual, found, each;
    choice *choices;

    *slowness_p = 1;
    if (stripes < 1 || count < 1)
        return ATM_OK;
    choices = list_choices(state, now, 0, count);
    if (choices == NULL)
        return ATM_NO_MEMORY;
    each = (double) stripes / some;
    usual = slowest(choices, count, true, some) * each;
    if (targets == NULL) {
        found = slowest(choices, count, false, some) * each;
    } else {
        int kept = keep_picked(choices, count, targets, stripes);
        found = slowest(choices, kept, false, kept);
    }
    free(choices);
    *slowness_p = found / usual;
    return ATM_OK;
}
