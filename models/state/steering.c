/* What the candidates of one decision ask about the state of storage. */

#include "steering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct atm_steering {
    const atm_state *state;
    double now;
    uint64_t seed;
    double least; /* average seconds of the fastest */
    int targets, fast;
    atm_slowness *slowness;
    atm_repeats repeats;
    bool searched; /* for these */
    int *settled;  /* [state->count] stripes of a file that exists; NULL: of none */
    double settled_slowness;
};

static double least_seconds(const atm_steering *steering)
{
    const atm_state *state = steering->state;
    double least = INFINITY;

    for (int i = 0; i < state->count; i++)
        if (atm_target_can_be_picked(&state->targets[i], steering->now))
            least = fmin(least, atm_target_seconds(&state->targets[i]));
    return least;
}

static bool is_fast(const atm_steering *steering, const atm_target *target)
{
    return atm_target_can_be_picked(target, steering->now) &&
           atm_target_seconds(target) <= steering->least * (1 + ATM_PICK_ALIKE);
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

    if (steering == NULL || atm_slowness_create(state, now, &steering->slowness) != ATM_OK) {
        free(steering);
        return ATM_NO_MEMORY;
    }
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
    if (steering != NULL) {
        atm_slowness_destroy(steering->slowness);
        atm_repeats_destroy(&steering->repeats);
        free(steering->settled);
    }
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

bool atm_steering_only_fast(const atm_steering *steering, int stripes)
{
    return stripes <= steering->fast && ATM_PICK_MOST * steering->fast >= steering->targets;
}

typedef bool (*condition)(const atm_steering *steering, const atm_target *target);

static bool is_slow(const atm_steering *steering, const atm_target *target)
{
    const int *settled = steering->settled;

    return atm_target_can_be_picked(target, steering->now) && !is_fast(steering, target) &&
           (settled == NULL || settled[target - steering->state->targets] > 0);
}

static bool is_unusable(const atm_steering *steering, const atm_target *target)
{
    (void) steering;
    return !target->usable;
}

static void say(const atm_steering *steering, condition is, char *text, size_t size)
{
    const atm_state *state = steering->state;
    int left = 0;
    size_t used = 0;

    if (size > 0)
        text[0] = '\0';
    for (int i = 0; i < state->count; i++)
        left += is(steering, &state->targets[i]);
    for (int i = 0; i < state->count && left > 0; i++) {
        if (!is(steering, &state->targets[i]))
            continue;
        if (used + sizeof("00000, and 00000 more") > size) {
            snprintf(text + used, size - used, " and %d more", left);
            return;
        }
        used += (size_t) snprintf(text + used, size - used, "%s%d", used > 0 ? ", " : "",
                                  state->targets[i].index);
        left--;
    }
}

void atm_steering_say_slow(const atm_steering *steering, char *text, size_t size)
{
    say(steering, is_slow, text, size);
}

void atm_steering_say_unusable(const atm_steering *steering, char *text, size_t size)
{
    say(steering, is_unusable, text, size);
}

atm_status atm_steering_pick(const atm_steering *steering, int stripes, int *targets_p)
{
    return atm_pick(steering->state, steering->now, stripes, steering->seed, targets_p);
}

double atm_steering_slowness(const atm_steering *steering, int stripes, bool picked)
{
    if (!picked && steering->settled != NULL)
        return steering->settled_slowness;
    return atm_slowness_of(steering->slowness, stripes, picked && stripes <= steering->targets);
}

/* --- more than one stripe on a target */

int atm_steering_repeat(atm_steering *steering, int most)
{
    if (!steering->searched && steering->fast < steering->targets)
        atm_repeats_find(steering->state, steering->now, most, &steering->repeats);
    steering->searched = true;
    return steering->repeats.stripes;
}

int atm_steering_repeat_targets(const atm_steering *steering)
{
    return steering->repeats.targets;
}

double atm_steering_repeat_slowness(const atm_steering *steering)
{
    const atm_repeats *repeats = &steering->repeats;

    if (repeats->stripes == 0)
        return 1;
    return repeats->seconds * repeats->targets / repeats->stripes /
           atm_slowness_usual(steering->slowness, repeats->targets);
}

atm_status atm_steering_repeat_pick(const atm_steering *steering, int *targets_p)
{
    return atm_repeats_list(&steering->repeats, steering->seed, targets_p);
}

/* --- a file that exists */

/* Stripes with these members, relative to as many as there are members, usually */
static double slowness_on(const atm_steering *steering, const atm_member *members, int count)
{
    atm_group groups[ATM_GROUPS_MOST];
    int n = atm_groups_make(members, count, groups), stripes = 0;

    for (int i = 0; i < count; i++)
        stripes += members[i].stripes;
    return atm_groups_slowest(groups, n) * count / stripes /
           atm_slowness_usual(steering->slowness, count);
}

atm_status atm_steering_settle(atm_steering *steering, const int *targets, int stripes)
{
    const atm_state *state = steering->state;
    int *on = malloc((size_t) state->count * sizeof(*on)), count = 0;
    atm_member *members =
        on != NULL ? atm_members_of(state, steering->now, targets, stripes, on, &count) : NULL;
    atm_status status = members != NULL ? ATM_OK : ATM_NO_MEMORY;

    if (count > 0 && steering->targets > 0) {
        steering->settled_slowness = slowness_on(steering, members, count);
        free(steering->settled);
        steering->settled = on;
        on = NULL;
    }
    free(on);
    free(members);
    return status;
}
