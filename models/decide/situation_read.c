/* Situations: read. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "look.h"
#include "situation_fields.h"
#include "situation_file.h"

/* --- lists of integers */

/* An array of `length` integers within these bounds. */
static atm_status get_integers(const atm_value *value, size_t length, int64_t min, int64_t max,
                               atm_message *message, int64_t *integers_p)
{
    const atm_value *array;
    atm_status status = atm_get_array(value, NULL, length, length, message, &array);

    for (size_t i = 0; status == ATM_OK && i < length; i++)
        status = atm_get_integer(atm_value_item(array, i), NULL, min, max, message, &integers_p[i]);
    return status;
}

/* At most `most` numbers from 0 to limit - 1. */
typedef struct list {
    int64_t limit, most;
    int *at; /* owned */
    int64_t length;
} list;

/* first, step, count, each */
static atm_status add_run(const atm_value *value, atm_message *message, list *list)
{
    int64_t run[4], room = list->most - list->length, last;
    atm_status status =
        get_integers(value, 4, -ATM_TOPOLOGY_MAX_RANKS, ATM_TOPOLOGY_MAX_RANKS, message, run);
    int *grown;

    if (status != ATM_OK)
        return status;
    if (run[2] < 1 || run[3] < 1 || run[2] > room || run[3] > room / run[2])
        return atm_complain(value, NULL, message, "must not have more than %lld numbers",
                            (long long) room);
    last = run[0] + (run[2] - 1) * run[1];
    if (run[0] < 0 || run[0] >= list->limit || last < 0 || last >= list->limit)
        return atm_complain(value, NULL, message, "must have numbers from 0 to %lld",
                            (long long) list->limit - 1);
    grown = realloc(list->at, (size_t) (list->length + run[2] * run[3]) * sizeof(*grown));
    if (grown == NULL)
        return ATM_NO_MEMORY;
    list->at = grown;
    for (int64_t i = 0; i < run[2] * run[3]; i++)
        list->at[list->length++] = (int) (run[0] + i / run[3] * run[1]);
    return ATM_OK;
}

/* The caller frees the list; NULL if it is empty. */
static atm_status get_list(const atm_value *object, const char *key, int64_t limit, int64_t most,
                           atm_message *message, int **at_p, int *length_p)
{
    list list = {.limit = limit, .most = most};
    const atm_value *array;
    atm_status status = atm_get_array(object, key, 0, SIZE_MAX, message, &array);
    size_t runs = status == ATM_OK ? atm_value_length(array) : 0;

    for (size_t i = 0; status == ATM_OK && i < runs; i++)
        status = add_run(atm_value_item(array, i), message, &list);
    if (status != ATM_OK) {
        free(list.at);
        return status;
    }
    *at_p = list.at;
    *length_p = (int) list.length;
    return ATM_OK;
}

/* --- the job */

/* count, pset, hops, adapters, bridge */
static atm_status add_nodes(const atm_value *value, atm_message *message, atm_node **nodes,
                            int *length)
{
    int64_t run[5], room = ATM_TOPOLOGY_MAX_NODES - *length;
    atm_status status = get_integers(value, 5, -1, ATM_TOPOLOGY_MAX_NODES, message, run);
    atm_node *grown;

    if (status != ATM_OK)
        return status;
    if (run[0] < 1 || run[0] > room)
        return atm_complain(value, NULL, message, "must not have more than %lld nodes",
                            (long long) room);
    grown = realloc(*nodes, (size_t) (*length + run[0]) * sizeof(*grown));
    if (grown == NULL)
        return ATM_NO_MEMORY;
    *nodes = grown;
    for (int64_t i = 0; i < run[0]; i++)
        grown[(*length)++] = (atm_node){.pset = (int) run[1],
                                        .hops = (int) run[2],
                                        .nics = (int) run[3],
                                        .bridge = run[4] == 1};
    return ATM_OK;
}

static atm_status get_nodes(const atm_value *object, atm_message *message, atm_node **nodes_p,
                            int *length_p)
{
    const atm_value *array;
    atm_status status = atm_get_array(object, "nodes", 1, ATM_TOPOLOGY_MAX_NODES, message, &array);
    size_t runs = status == ATM_OK ? atm_value_length(array) : 0;

    for (size_t i = 0; status == ATM_OK && i < runs; i++)
        status = add_nodes(atm_value_item(array, i), message, nodes_p, length_p);
    return status;
}

static atm_status get_topology(const atm_value *object, atm_message *message,
                               atm_topology **topology_p)
{
    atm_node *nodes = NULL;
    int *node_of = NULL, node_count = 0, ranks = 0;
    atm_status status = get_nodes(object, message, &nodes, &node_count);

    if (status == ATM_OK)
        status = get_list(object, "node_of", node_count, ATM_TOPOLOGY_MAX_RANKS, message, &node_of,
                          &ranks);
    if (status == ATM_OK) {
        status = atm_topology_of_nodes(node_count, nodes, ranks, node_of, topology_p);
        if (status == ATM_BAD_ARGUMENT)
            status = atm_complain(object, "nodes", message, "must be those of a job");
    }
    free(nodes);
    free(node_of);
    return status;
}

/* --- the request */

static atm_status get_holders(const atm_value *object, atm_message *message, atm_holders *holders)
{
    const atm_value *array, *holder;
    atm_status status;

    if (atm_value_find(object, "holders") == NULL)
        return ATM_OK;
    status = atm_get_array(object, "holders", 1, ATM_HOLDERS, message, &array);
    holders->count = status == ATM_OK ? (int) atm_value_length(array) : 0;
    for (int i = 0; status == ATM_OK && i < holders->count; i++) {
        status = atm_get_array(atm_value_item(array, (size_t) i), NULL, 2, 2, message, &holder);
        if (status == ATM_OK)
            status = atm_get_size(atm_value_item(holder, 0), NULL, message, &holders->from[i]);
        if (status == ATM_OK)
            status = atm_get_size(atm_value_item(holder, 1), NULL, message, &holders->to[i]);
    }
    return status;
}

static atm_status get_request(const atm_value *object, atm_message *message, atm_request *request)
{
    atm_status status = atm_get_group(object, "request", atm_request_fields, message, request);

    return status == ATM_OK ? get_holders(object, message, &request->access.holders) : status;
}

static atm_status get_ranks(const atm_value *object, atm_message *message, atm_replayed *replayed)
{
    int ranks = replayed->topology->ranks, count;
    atm_status status = get_list(object, "ranks", ranks, ranks, message, &replayed->ranks, &count);

    if (status == ATM_OK &&
        (count == 0 || count != replayed->situation.request.defaults.aggregators))
        return atm_complain(object, "ranks", message,
                            "must be as many as the default's aggregators");
    return status;
}

static atm_status get_scale(const atm_value *object, atm_message *message, atm_scale *scale)
{
    atm_status status = atm_get_group(object, "scale", atm_scale_fields, message, scale);

    for (int i = 0; status == ATM_OK && i < ATM_KIND_COUNT; i++)
        if (scale->factor[i] <= 0 || scale->doubt[i] < 0)
            status = atm_complain(object, "scale", message, "must have factors greater than 0");
    return status;
}

/* --- what is known beside */

static atm_status get_advice(const atm_value *object, atm_message *message, atm_replayed *replayed)
{
    atm_rule *rule = &replayed->rule;
    const atm_value *member, *set;
    atm_status status;

    if (atm_value_find(object, "advice") == NULL)
        return ATM_OK;
    *rule = (atm_rule){.ranks = {0, UINT64_MAX}, .bytes = {0, UINT64_MAX}};
    status = atm_get_object(object, "advice", message, &member);
    if (status == ATM_OK)
        status = atm_get_number(member, "draw", 0, 1, message, &replayed->situation.occasion.draw);
    if (status == ATM_OK)
        status = atm_get_number(member, "control", 0, 1, message, &rule->control);
    if (status == ATM_OK)
        status = atm_get_object(member, "set", message, &set);
    if (status == ATM_OK)
        status = atm_settings_read(set, message, &rule->set);
    replayed->advice = (atm_advice){.count = 1};
    return status;
}

static atm_status get_seed(const atm_value *object, atm_message *message, uint64_t *seed_p)
{
    const char *text;
    int used = 0;
    atm_status status = atm_get_string(object, "seed", message, &text);

    if (status == ATM_OK &&
        (strspn(text, "0123456789abcdef") != ATM_HASH - 1 ||
         sscanf(text, "%16" SCNx64 "%n", seed_p, &used) != 1 || text[used] != '\0'))
        return atm_complain(object, "seed", message, "must be 16 hexadecimal digits");
    return status;
}

static atm_status get_state(const atm_value *object, atm_message *message, atm_state **state_p)
{
    const atm_value *member;
    char *text;
    size_t length;
    atm_status status = atm_get_object(object, "state", message, &member);

    if (status == ATM_OK)
        status = atm_value_print(member, &text, &length);
    if (status != ATM_OK)
        return status;
    status = atm_state_parse(text, length, "state", message, state_p);
    free(text);
    return status;
}

static atm_status get_storage(const atm_value *object, atm_message *message, atm_replayed *replayed)
{
    atm_storage *storage = &replayed->situation.storage;
    const atm_value *member;
    atm_status status;

    if (atm_value_find(object, "storage") == NULL)
        return ATM_OK;
    status = atm_get_object(object, "storage", message, &member);
    if (status == ATM_OK)
        status = atm_get_number(member, "now", 0, (double) ATM_MAX_INTEGER, message, &storage->now);
    if (status == ATM_OK)
        status = get_seed(member, message, &storage->seed);
    if (status == ATM_OK)
        status = get_list(member, "targets", ATM_STATE_TARGETS, ATM_STATE_TARGETS, message,
                          &replayed->targets, &storage->count);
    return status == ATM_OK ? get_state(member, message, &replayed->state) : status;
}

/* Before there were pasts, nothing. */
static atm_status get_past(const atm_value *object, atm_message *message, atm_replayed *replayed)
{
    const char *looks[ATM_LOOK_COUNT];
    size_t look;
    atm_status status;

    if (atm_value_find(object, "past") == NULL)
        return ATM_OK;
    for (int i = 0; i < ATM_LOOK_COUNT; i++)
        looks[i] = atm_look_name((atm_look) i);
    status = atm_get_group(object, "past", atm_past_fields, message, &replayed->past);
    if (status == ATM_OK)
        status = atm_get_choice(object, "look", looks, ATM_LOOK_COUNT, message, &look);
    if (status == ATM_OK) {
        replayed->has_past = true;
        replayed->situation.look = (atm_look) look;
    }
    return status;
}

/* --- together */

static atm_status get_profile(const atm_value *object, atm_message *message, char hash_p[ATM_HASH])
{
    const char *text;
    atm_status status = atm_get_string(object, "profile", message, &text);

    if (status == ATM_OK && strlen(text) != ATM_HASH - 1)
        return atm_complain(object, "profile", message, "must be 16 hexadecimal digits");
    if (status == ATM_OK)
        memcpy(hash_p, text, ATM_HASH);
    return status;
}

static atm_status get(const atm_value *object, atm_message *message, atm_replayed *replayed)
{
    int64_t version;
    atm_status status =
        atm_get_integer(object, "version", 1, ATM_SITUATION_VERSION, message, &version);

    if (status == ATM_OK)
        status = get_request(object, message, &replayed->situation.request);
    if (status == ATM_OK)
        status = get_topology(object, message, &replayed->topology);
    if (status == ATM_OK)
        status = get_ranks(object, message, replayed);
    if (status == ATM_OK)
        status = get_profile(object, message, replayed->profile);
    if (status == ATM_OK)
        status = get_scale(object, message, &replayed->situation.scale);
    if (status == ATM_OK)
        status = get_advice(object, message, replayed);
    if (status == ATM_OK)
        status = get_storage(object, message, replayed);
    return status == ATM_OK ? get_past(object, message, replayed) : status;
}

/* What the situation points to, where it is now. */
static void join(atm_replayed *replayed)
{
    atm_situation *situation = &replayed->situation;

    situation->topology = replayed->topology;
    situation->ranks = replayed->ranks;
    situation->past = replayed->has_past ? &replayed->past : NULL;
    situation->storage.state = replayed->state;
    situation->storage.targets = replayed->targets;
    situation->occasion.program = situation->occasion.user = situation->occasion.file = "";
    if (replayed->advice.count == 0)
        return;
    replayed->advice.rules = &replayed->rule;
    situation->advice = &replayed->advice;
}

atm_status atm_get_situation(const atm_value *object, const char *key, atm_message *message,
                             atm_replayed *replayed_p)
{
    const atm_value *member;
    atm_status status = atm_get_object(object, key, message, &member);

    if (status != ATM_OK)
        return status;
    *replayed_p = (atm_replayed){.topology = NULL};
    status = get(member, message, replayed_p);
    if (status == ATM_OK)
        join(replayed_p);
    else
        atm_replayed_clear(replayed_p);
    return status;
}

void atm_replayed_clear(atm_replayed *replayed)
{
    atm_topology_destroy(replayed->topology);
    free(replayed->ranks);
    free(replayed->targets);
    atm_state_destroy(replayed->state);
}
