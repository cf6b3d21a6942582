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

int atm_pick_count(const atm_state *state, double now)
{
    int count = 0;

    for (int i = 0; i < state->count; i++)
        count += atm_target_can_be_picked(&state->targets[i], now);
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
        uint64_t drawn = atm_random(&seed); /* for every target: one that goes changes no other's */

        if (atm_target_can_be_picked(target, now))
            choices[k++] = (choice){target, atm_target_seconds(target), drawn, 0};
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

static void add_to_group(const choice *one, atm_targets *group)
{
    group->count++;
    group->idle += one->target->idle;
    for (int k = 0; k < ATM_ACTIVITY_COUNT; k++) {
        group->paces[k].mean += one->target->paces[k].mean;
        group->paces[k].deviation += one->target->paces[k].deviation;
    }
}

/* Neighbours together, as they are on average; n is at most count. */
static void group(const choice *choices, int count, int n, atm_targets *groups)
{
    memset(groups, 0, (size_t) n * sizeof(*groups));
    for (int i = 0; i < count; i++)
        add_to_group(&choices[i], &groups[group_of(i, count, n)]);
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

    group(choices, count, n, groups);
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
