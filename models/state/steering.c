/* Answers about the state of storage, kept for the many candidates of one decision. */

#include "steering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ANSWERS = 64 };

typedef struct answer {
    int stripes;
    bool picked;
    double slowness;
} answer;

struct atm_steering {
    const atm_state *state;
    double now;
    uint64_t seed;
    double least; /* average seconds of the fastest */
    int targets, fast;
    answer answers[ANSWERS];
    int count;
};

static double seconds_of(const atm_target *target)
{
    atm_targets alone = {1, target->idle, {target->paces[ATM_IDLE], target->paces[ATM_BUSY]}};

    return atm_targets_seconds(&alone);
}

static bool can_be_picked(const atm_steering *steering, const atm_target *target)
{
    return target->usable && atm_target_holds(target, steering->now);
}

static double least_seconds(const atm_steering *steering)
{
    const atm_state *state = steering->state;
    double least = INFINITY;

    for (int i = 0; i < state->count; i++)
        if (can_be_picked(steering, &state->targets[i]))
            least = fmin(least, seconds_of(&state->targets[i]));
    return least;
}

static bool is_fast(const atm_steering *steering, const atm_target *target)
{
    return can_be_picked(steering, target) &&
           seconds_of(target) <= steering->least * (1 + ATM_PICK_ALIKE);
}

static int count_fast(const atm_steering *steering)
{
    int count = 0;

    for (int i = 0; i < steering->state->count; i++)
        count += is_fast(steering, &steering->state->targets[i]);
    return count;
}

atm_status atm_steering_create(const atm_state *state, double now, uint64_t seed,
                               atm_steering **steering_p)
{
    atm_steering *steering = calloc(1, sizeof(*steering));

    if (steering == NULL)
        return ATM_NO_MEMORY;
    steering->state = state;
    steering->now = now;
    steering->seed = seed;
    steering->targets = atm_pick_count(state, now);
    steering->least = least_seconds(steering);
    steering->fast = count_fast(steering);
    *steering_p = steering;
    return ATM_OK;
}

void atm_steering_destroy(atm_steering *steering)
{
    free(steering);
}

int atm_steering_targets(const atm_steering *steering)
{
    return steering->targets;
}

int atm_steering_fast(const atm_steering *steering)
{
    return steering->fast;
}

void atm_steering_say_slow(const atm_steering *steering, char *text, size_t size)
{
    const atm_state *state = steering->state;
    int left = state->count - steering->fast, said = 0;
    size_t used = 0;

    if (size > 0)
        text[0] = '\0';
    for (int i = 0; i < state->count && left > 0; i++) {
        if (is_fast(steering, &state->targets[i]))
            continue;
        if (used + sizeof("00000, and 00000 more") > size) {
            snprintf(text + used, size - used, " and %d more", left);
            return;
        }
        used += (size_t) snprintf(text + used, size - used, "%s%d", said > 0 ? ", " : "",
                                  state->targets[i].index);
        said++;
        left--;
    }
}

atm_status atm_steering_pick(const atm_steering *steering, int stripes, int *targets_p)
{
    return atm_pick(steering->state, steering->now, stripes, false, steering->seed, targets_p);
}

static double find_slowness(const atm_steering *steering, int stripes, bool picked)
{
    int *targets = NULL;
    double slowness = 1;

    if (picked && stripes >= 1 && stripes <= steering->targets) {
        targets = malloc((size_t) stripes * sizeof(*targets));
        if (targets == NULL || atm_steering_pick(steering, stripes, targets) != ATM_OK) {
            free(targets);
            return 1;
        }
    }
    if (atm_pick_slowness(steering->state, steering->now, stripes, targets, &slowness) != ATM_OK)
        slowness = 1;
    free(targets);
    return slowness;
}

double atm_steering_slowness(atm_steering *steering, int stripes, bool picked)
{
    double slowness;

    for (int i = 0; i < steering->count; i++)
        if (steering->answers[i].stripes == stripes && steering->answers[i].picked == picked)
            return steering->answers[i].slowness;
    slowness = find_slowness(steering, stripes, picked);
    if (steering->count < ANSWERS)
        steering->answers[steering->count++] = (answer){stripes, picked, slowness};
    return slowness;
}
