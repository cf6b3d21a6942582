/* State files: read, written, and when they hold. */

#include "state.h"
#include "formats/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No target takes longer for a GiB, nor less: guards against units. */
#define SECONDS_MIN 1e-4
#define SECONDS_MAX 1e6
#define DEVIATION_MAX 5.0
#define TIME_MAX 1e11 /* seconds since 1970: the year 5138 */

static const char *const keys[] = {"format", "version", "path", "said", "until", "targets", NULL};
static const char *const target_keys[] = {"target",
                                          "idle",
                                          "usual",
                                          "idle_seconds",
                                          "busy_seconds",
                                          "idle_deviation",
                                          "busy_deviation",
                                          "usable",
                                          "said",
                                          "until",
                                          NULL};
static const char *const seconds_keys[] = {"idle_seconds", "busy_seconds"};
static const char *const deviation_keys[] = {"idle_deviation", "busy_deviation"};

/* --- reading */

static atm_status read_pace(const atm_value *value, atm_activity activity, atm_message *message,
                            atm_pace *pace_p)
{
    double seconds, deviation;
    atm_status status =
        atm_get_number(value, seconds_keys[activity], SECONDS_MIN, SECONDS_MAX, message, &seconds);

    if (status == ATM_OK)
        status =
            atm_get_number(value, deviation_keys[activity], 0, DEVIATION_MAX, message, &deviation);
    if (status == ATM_OK)
        *pace_p = atm_pace_of(seconds, deviation);
    return status;
}

static atm_status read_target(const atm_value *value, const atm_state *state, atm_message *message,
                              atm_target *target)
{
    atm_status status = atm_check_keys(value, target_keys, message);
    int64_t index = 0;

    *target = (atm_target){.usable = true, .said = state->said, .until = state->until};
    if (status == ATM_OK)
        status = atm_get_integer(value, "target", 0, ATM_STATE_TARGETS - 1, message, &index);
    target->index = (int) index;
    if (status == ATM_OK)
        status = atm_get_number(value, "idle", 0, 1, message, &target->idle);
    target->usual = target->idle;
    if (status == ATM_OK)
        status = atm_opt_number(value, "usual", 0, 1, message, &target->usual);
    for (int i = 0; i < ATM_ACTIVITY_COUNT && status == ATM_OK; i++)
        status = read_pace(value, i, message, &target->paces[i]);
    if (status == ATM_OK)
        status = atm_opt_truth(value, "usable", message, &target->usable);
    if (status == ATM_OK)
        status = atm_opt_number(value, "said", 0, TIME_MAX, message, &target->said);
    if (status == ATM_OK)
        status = atm_opt_number(value, "until", 0, TIME_MAX, message, &target->until);
    return status;
}

static int by_index(const void *one, const void *other)
{
    int a = ((const atm_target *) one)->index, b = ((const atm_target *) other)->index;

    return (a > b) - (a < b);
}

static atm_status read_targets(const atm_value *root, atm_message *message, atm_state *state)
{
    const atm_value *array;
    atm_status status = atm_get_array(root, "targets", 1, ATM_STATE_TARGETS, message, &array);

    if (status != ATM_OK)
        return status;
    state->count = (int) atm_value_length(array);
    state->targets = calloc((size_t) state->count, sizeof(*state->targets));
    if (state->targets == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < state->count && status == ATM_OK; i++)
        status = read_target(atm_value_item(array, (size_t) i), state, message, &state->targets[i]);
    if (status != ATM_OK)
        return status;
    qsort(state->targets, (size_t) state->count, sizeof(*state->targets), by_index);
    for (int i = 1; i < state->count; i++)
        if (state->targets[i].index == state->targets[i - 1].index)
            return atm_complain(root, "targets", message, "target %d is there twice",
                                state->targets[i].index);
    return ATM_OK;
}

static atm_status read_root(const atm_value *root, atm_message *message, void *made)
{
    atm_state *state = made;
    const char *path = NULL;
    int version;
    atm_status status =
        atm_check_format(root, ATM_STATE_FORMAT, ATM_STATE_VERSION, message, &version);

    if (status == ATM_OK)
        status = atm_check_keys(root, keys, message);
    if (status == ATM_OK)
        status = atm_get_string(root, "path", message, &path);
    if (status == ATM_OK && path[0] != '/')
        status = atm_complain(root, "path", message, "must begin with /");
    if (status == ATM_OK && (state->path = strdup(path)) == NULL)
        status = ATM_NO_MEMORY;
    if (status == ATM_OK)
        status = atm_get_number(root, "said", 0, TIME_MAX, message, &state->said);
    if (status == ATM_OK)
        status = atm_get_number(root, "until", state->said, TIME_MAX, message, &state->until);
    return status == ATM_OK ? read_targets(root, message, state) : status;
}

static void destroy(void *made)
{
    atm_state_destroy(made);
}

static const atm_document document = {sizeof(atm_state), offsetof(atm_state, source), read_root,
                                      destroy};

atm_status atm_state_load(const char *path, atm_message *message, atm_state **state_p)
{
    return atm_document_load(&document, path, message, state_p);
}

atm_status atm_state_parse(const char *text, size_t length, const char *name, atm_message *message,
                           atm_state **state_p)
{
    return atm_document_parse(&document, text, length, name, message, state_p);
}

void atm_state_destroy(atm_state *state)
{
    if (state == NULL)
        return;
    free(state->path);
    free(state->source);
    free(state->targets);
    free(state);
}

/* --- writing */

static void write_target(const atm_state *state, const atm_target *target, atm_value *value)
{
    atm_put_integer(value, "target", target->index);
    atm_put_number(value, "idle", target->idle);
    if (target->usual != target->idle)
        atm_put_number(value, "usual", target->usual);
    for (int i = 0; i < ATM_ACTIVITY_COUNT; i++) {
        atm_put_number(value, seconds_keys[i], atm_pace_seconds(&target->paces[i]));
        atm_put_number(value, deviation_keys[i], target->paces[i].deviation);
    }
    if (!target->usable)
        atm_put_truth(value, "usable", false);
    if (target->said != state->said)
        atm_put_number(value, "said", target->said);
    if (target->until != state->until)
        atm_put_number(value, "until", target->until);
}

atm_value *atm_state_value(const atm_state *state)
{
    atm_value *root = atm_value_object(), *targets;

    atm_put_string(root, "format", ATM_STATE_FORMAT);
    atm_put_integer(root, "version", ATM_STATE_VERSION);
    atm_put_string(root, "path", state->path);
    atm_put_number(root, "said", state->said);
    atm_put_number(root, "until", state->until);
    targets = atm_put_array(root, "targets");
    for (int i = 0; i < state->count; i++)
        write_target(state, &state->targets[i], atm_put_object(targets, NULL));
    return root;
}

/* --- when it holds */

bool atm_target_holds(const atm_target *target, double now)
{
    return target->said <= now + ATM_STATE_SKEW && now <= target->until;
}

bool atm_target_can_be_picked(const atm_target *target, double now)
{
    return target->usable && atm_target_holds(target, now);
}

double atm_target_seconds(const atm_target *target)
{
    atm_targets alone = {1, target->idle, {target->paces[ATM_IDLE], target->paces[ATM_BUSY]}};

    return atm_targets_seconds(&alone);
}

void atm_state_doubt(const atm_state *state, double now, atm_message *doubt_p)
{
    doubt_p->text[0] = '\0';
    for (int i = 0; i < state->count; i++)
        if (atm_target_holds(&state->targets[i], now))
            return;
    if (state->said > now + ATM_STATE_SKEW)
        snprintf(doubt_p->text, sizeof(doubt_p->text),
                 "%.128s: was said %.0f s from now: a clock is wrong", state->source,
                 state->said - now);
    else
        snprintf(doubt_p->text, sizeof(doubt_p->text), "%.128s: held until %.0f s ago",
                 state->source, now - state->until);
}
