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
    double key;
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

static int by_key(const void *one, const void *other)
{
    const choice *a = one, *b = other;

    return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : by_seconds(one, other);
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
            choices[k++] = (choice){target, atm_target_seconds(target), drawn, 0, 0};
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

/* What is above the limit goes to those below it, by their rates; false if nothing is. */
static bool limit_chances(const double *seconds, const int *counts, int n, double most,
                          double *chances)
{
    double over = 0, rates = 0;

    for (int i = 0; i < n; i++) {
        if (chances[i] > most) {
            over += counts[i] * (chances[i] - most);
            chances[i] = most;
        } else if (chances[i] < most) {
            rates += counts[i] / seconds[i];
        }
    }
    for (int i = 0; i < n && over > 0; i++)
        if (chances[i] < most)
            chances[i] += over / seconds[i] / rates;
    return over > 0;
}

void atm_pick_chances(const double *seconds, const int *counts, int n, double *chances_p)
{
    double all = 0, others, some = 0, rates = 0, level = 0;
    int drawn = 0;

    for (int i = 0; i < n; i++)
        all += counts[i];
    others = ATM_PICK_OTHERS * all;
    while (drawn < n && (drawn == 0 || level > seconds[drawn])) {
        rates += counts[drawn] / seconds[drawn];
        some += counts[drawn++];
        level = (others + some) / rates;
    }
    for (int i = 0; i < n; i++)
        chances_p[i] = i < drawn ? (level / seconds[i] - 1) / others : 0;
    while (limit_chances(seconds, counts, n, ATM_PICK_MOST / all, chances_p))
        ;
}

/* Whoever is drawn first has the smallest key (Efraimidis, Spirakis: Weighted random sampling with
 * a reservoir, Information Processing Letters 97(5), 2006); who has no chance comes last, the
 * fastest first. */
static atm_status draw(choice *choices, int count)
{
    double *seconds = malloc(2 * (size_t) count * sizeof(*seconds)), *chances = seconds + count;
    int *ones = malloc((size_t) count * sizeof(*ones));

    if (seconds == NULL || ones == NULL) {
        free(seconds);
        free(ones);
        return ATM_NO_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        seconds[i] = choices[i].seconds;
        ones[i] = 1;
    }
    atm_pick_chances(seconds, ones, count, chances);
    for (int i = 0; i < count; i++) {
        double unit = ((double) (choices[i].draw >> 11) + 0.5) / 9007199254740992.0;

        choices[i].key = chances[i] > 0 ? -log(unit) / chances[i] : HUGE_VAL;
    }
    qsort(choices, (size_t) count, sizeof(*choices), by_key);
    free(seconds);
    free(ones);
    return ATM_OK;
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
    atm_status status = ATM_OK;
    choice *choices;

    if (stripes < 1 || count < 1 || (stripes > count && !repeat))
        return ATM_NO_CHOICE;
    choices = list_choices(state, now, seed, count);
    if (choices == NULL)
        return ATM_NO_MEMORY;
    if (stripes <= count) {
        status = draw(choices, count);
        for (int i = 0; i < stripes; i++)
            choices[i].stripes = 1;
    } else {
        share_out(choices, count, stripes);
    }
    if (status == ATM_OK)
        list_targets(choices, count, stripes, targets_p);
    free(choices);
    return status;
}
