/* Situations: written. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/profile.h"
#include "fnv.h"
#include "look.h"
#include "situation_fields.h"
#include "situation_file.h"

/* Hashes the profile as a line. */
atm_status atm_profile_hash(const atm_profile *profile, char hash_p[ATM_HASH])
{
    size_t length;
    char *text;
    atm_status status = atm_profile_line(profile, &text, &length);

    if (status != ATM_OK)
        return status;
    snprintf(hash_p, ATM_HASH, "%016" PRIx64, atm_fnv_bytes(ATM_FNV_BEGIN, text, length));
    free(text);
    return ATM_OK;
}

/* --- lists of integers */

/* How often the number at `from` is repeated. */
static int times(const int *list, int from, int length)
{
    int next = from + 1;

    while (next < length && list[next] == list[from])
        next++;
    return next - from;
}

static void put_run(atm_value *array, int64_t first, int64_t step, int64_t count, int64_t each)
{
    atm_value *run = atm_put_array(array, NULL);

    atm_put_integer(run, NULL, first);
    atm_put_integer(run, NULL, step);
    atm_put_integer(run, NULL, count);
    atm_put_integer(run, NULL, each);
}

static void put_list(atm_value *object, const char *key, const int *list, int length)
{
    atm_value *array = atm_put_array(object, key);

    for (int at = 0; at < length;) {
        int each = times(list, at, length), next = at + each;
        int64_t first = list[at], step = next < length ? list[next] - first : 1, count = 1;

        for (; next < length && list[next] == first + count * step &&
               times(list, next, length) == each;
             next += each)
            count++;
        put_run(array, first, step, count, each);
        at = next;
    }
}

/* --- parts */

static bool are_alike(const atm_node *one, const atm_node *other)
{
    return one->pset == other->pset && one->hops == other->hops && one->nics == other->nics &&
           one->bridge == other->bridge;
}

static void put_nodes(atm_value *object, const atm_topology *topology)
{
    atm_value *array = atm_put_array(object, "nodes");

    for (int at = 0, next; at < topology->nodes; at = next) {
        const atm_node *node = &topology->node[at];
        atm_value *run = atm_put_array(array, NULL);

        for (next = at + 1; next < topology->nodes && are_alike(node, &topology->node[next]);)
            next++;
        atm_put_integer(run, NULL, next - at);
        atm_put_integer(run, NULL, node->pset);
        atm_put_integer(run, NULL, node->hops);
        atm_put_integer(run, NULL, node->nics);
        atm_put_integer(run, NULL, node->bridge);
    }
}

static void put_holders(atm_value *object, const atm_holders *holders)
{
    atm_value *array, *holder;

    if (holders->count == 0)
        return;
    array = atm_put_array(object, "holders");
    for (int i = 0; i < holders->count; i++) {
        holder = atm_put_array(array, NULL);
        atm_put_size(holder, NULL, holders->from[i]);
        atm_put_size(holder, NULL, holders->to[i]);
    }
}

/* The rule that matches, for whom it does left out. */
static void put_advice(atm_value *object, const atm_situation *situation)
{
    atm_request request = situation->request;
    atm_advised advised;
    atm_value *advice;

    if (situation->advice == NULL)
        return;
    request.job.ranks = situation->topology->ranks;
    advised = atm_advise(situation->advice, &situation->occasion, &request);
    if (advised.rule < 0)
        return;
    advice = atm_put_object(object, "advice");
    atm_put_number(advice, "draw", situation->occasion.draw);
    atm_put_number(advice, "control", situation->advice->rules[advised.rule].control);
    atm_settings_write(&situation->advice->rules[advised.rule].set, atm_put_object(advice, "set"));
}

/* Of the rules, only the one that matches now is written: it is the first then, others are not. */
static void put_past(atm_value *object, const atm_situation *situation)
{
    atm_request request = situation->request;
    atm_past past;
    int now = -1;

    if (situation->past == NULL)
        return;
    past = *situation->past;
    if (situation->advice != NULL) {
        request.job.ranks = situation->topology->ranks;
        now = atm_advise(situation->advice, &situation->occasion, &request).rule;
    }
    if (past.rule != 0)
        past.rule = past.rule == now + 1 ? 1 : 2;
    atm_put_fields(atm_put_object(object, "past"), atm_past_fields, &past);
    atm_put_string(object, "look", atm_look_name(situation->look));
}

static void put_storage(atm_value *object, const atm_storage *storage)
{
    atm_value *member, *state;
    char seed[ATM_HASH];

    if (storage->state == NULL)
        return;
    member = atm_put_object(object, "storage");
    state = atm_state_value(storage->state);
    atm_put_number(member, "now", storage->now);
    snprintf(seed, sizeof(seed), "%016" PRIx64, storage->seed);
    atm_put_string(member, "seed", seed);
    put_list(member, "targets", storage->targets, storage->count);
    atm_put_copy(member, "state", state);
    atm_value_destroy(state);
}

void atm_put_situation(atm_value *object, const char *key, const atm_situation *situation,
                       const char *hash)
{
    const atm_request *request = &situation->request;
    atm_value *member = atm_put_object(object, key);

    atm_put_integer(member, "version", ATM_SITUATION_VERSION);
    atm_put_fields(atm_put_object(member, "request"), atm_request_fields, request);
    put_holders(member, &request->access.holders);
    put_nodes(member, situation->topology);
    put_list(member, "node_of", situation->topology->node_of, situation->topology->ranks);
    put_list(member, "ranks", situation->ranks, request->defaults.aggregators);
    atm_put_string(member, "profile", hash);
    atm_put_fields(atm_put_object(member, "scale"), atm_scale_fields, &situation->scale);
    put_advice(member, situation);
    put_storage(member, &situation->storage);
    put_past(member, situation);
}
