/* A topology from a line of text, so that a thousand nodes can be described anywhere. */

#include "topology_inside.h"

#include <stdio.h>
#include <string.h>

typedef struct shape {
    int psets, nodes, bridges, ranks;
} shape;

typedef struct shape_key {
    const char *name;
    size_t offset; /* in shape */
    int min, max;
} shape_key;

static const shape_key shape_keys[] = {
    {"psets", offsetof(shape, psets), 1, ATM_TOPOLOGY_MAX_NODES},
    {"nodes", offsetof(shape, nodes), 1, ATM_TOPOLOGY_MAX_NODES},
    {"bridges", offsetof(shape, bridges), 0, ATM_TOPOLOGY_MAX_NODES},
    {"ranks", offsetof(shape, ranks), 1, ATM_TOPOLOGY_MAX_RANKS},
};

#define SHAPE_KEYS (sizeof(shape_keys) / sizeof(shape_keys[0]))

/* The problem with the word at `word`, or without one where length is 0. */
static atm_status complain(atm_message *message, const char *word, size_t length,
                           const char *problem)
{
    if (message != NULL && length > 0)
        snprintf(message->text, sizeof(message->text), "topology text: \"%.*s\": %s",
                 length < 60 ? (int) length : 60, word, problem);
    else if (message != NULL)
        snprintf(message->text, sizeof(message->text), "topology text: %s", problem);
    return ATM_BAD_FILE;
}

/* -1 unless digits[length] is a number up to max. */
static int parse_number(const char *digits, size_t length, int max)
{
    int64_t number = 0;

    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return -1;
        number = number * 10 + (digits[i] - '0');
        if (number > max)
            return -1;
    }
    return length > 0 ? (int) number : -1;
}

static atm_status parse_word(const char *word, size_t length, bool seen[SHAPE_KEYS],
                             atm_message *message, shape *shape_p)
{
    const char *colon = memchr(word, ':', length);
    size_t name_length = colon != NULL ? (size_t) (colon - word) : length;

    for (size_t i = 0; i < SHAPE_KEYS; i++) {
        const shape_key *key = &shape_keys[i];
        int number;

        if (strlen(key->name) != name_length || memcmp(key->name, word, name_length) != 0)
            continue;
        if (seen[i])
            return complain(message, word, length, "given twice");
        if (colon == NULL)
            return complain(message, word, length, "needs a number, as in nodes:32");
        number = parse_number(colon + 1, length - name_length - 1, key->max);
        if (number < key->min)
            return complain(message, word, length, "not a number, or out of range");
        seen[i] = true;
        *(int *) ((char *) shape_p + key->offset) = number;
        return ATM_OK;
    }
    return complain(message, word, length, "unknown; there are psets, nodes, bridges and ranks");
}

static atm_status parse(const char *text, atm_message *message, shape *shape_p)
{
    shape shape = {.psets = 1, .ranks = 1};
    bool seen[SHAPE_KEYS] = {false};

    for (text += strspn(text, " \t\n"); *text != '\0'; text += strspn(text, " \t\n")) {
        size_t length = strcspn(text, " \t\n");
        atm_status status = parse_word(text, length, seen, message, &shape);

        if (status != ATM_OK)
            return status;
        text += length;
    }
    if (shape.nodes == 0)
        return complain(message, NULL, 0, "nodes is missing, as in nodes:32");
    if (shape.bridges > shape.nodes)
        return complain(message, NULL, 0, "a pset has more bridges than nodes");
    if ((int64_t) shape.psets * shape.nodes > ATM_TOPOLOGY_MAX_NODES)
        return complain(message, NULL, 0, "too many nodes");
    if ((int64_t) shape.psets * shape.nodes * shape.ranks > ATM_TOPOLOGY_MAX_RANKS)
        return complain(message, NULL, 0, "too many ranks");
    *shape_p = shape;
    return ATM_OK;
}

/* Bridge i of b is node floor(i x nodes / b): node k is one if a multiple of
 * nodes / b falls into [k, k + 1). */
static bool is_bridge(const shape *shape, int node)
{
    int64_t first = (int64_t) node * shape->bridges, next = first + shape->bridges;

    return (next + shape->nodes - 1) / shape->nodes > (first + shape->nodes - 1) / shape->nodes;
}

atm_status atm_topology_from_text(const char *text, atm_message *message, atm_topology **topology_p)
{
    shape shape = {0};
    atm_status status = parse(text, message, &shape);
    atm_topology *topology;

    if (status != ATM_OK)
        return status;
    topology =
        topology_allocate(shape.psets * shape.nodes, shape.psets * shape.nodes * shape.ranks, 0);
    if (topology == NULL)
        return ATM_NO_MEMORY;
    topology->psets = shape.psets;
    topology->bridges = shape.psets * shape.bridges;
    for (int i = 0; i < topology->nodes; i++) {
        bool bridge = is_bridge(&shape, i % shape.nodes);

        topology->node[i] = (atm_node){
            .pset = i / shape.nodes, .hops = bridge ? 0 : ATM_HOPS_UNKNOWN, .bridge = bridge};
    }
    for (int i = 0; i < topology->ranks; i++)
        topology->node_of[i] = i / shape.ranks;
    *topology_p = topology;
    return ATM_OK;
}
