/* Targets for stripes. */

#include "pick.h"

#include <math.h>
#include <stdlib.h>

#include "random.h"

/* A target that can be picked */
typedef struct choice {
    const atm_target *target;
    double seconds; /* on average */
    uint64_t draw;
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
            choices[k++] = (choice){target, atm_target_seconds(target), drawn, 0};
    }
    if (choices != NULL)
        qsort(choices, (size_t) count, sizeof(*choices), by_seconds);
    return choices;
}

/* --- chances */

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
    double *seconds = calloc(2 * (size_t) count, sizeof(*seconds)), *chances = seconds + count;
    int *ones = calloc((size_t) count, sizeof(*ones));

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

/* --- picks */

atm_status atm_pick(const atm_state *state, double now, int stripes, uint64_t seed, int *targets_p)
{
    int count = atm_pick_count(state, now);
    atm_status status;
    choice *choices;

    if (stripes < 1 || stripes > count)
        return ATM_NO_CHOICE;
    choices = list_choices(state, now, seed, count);
    if (choices == NULL)
        return ATM_NO_MEMORY;
    status = draw(choices, count);
    if (status == ATM_OK) {
        qsort(choices, (size_t) stripes, sizeof(*choices), by_draw); /* not the fastest first */
        for (int i = 0; i < stripes; i++)
            targets_p[i] = choices[i].target->index;
    }
    free(choices);
    return status;
}
