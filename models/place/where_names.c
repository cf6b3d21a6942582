/* Nodes from host names alone. */

#include "where_inside.h"

#include <stdlib.h>
#include <string.h>

#include "fnv.h"

/* The node of a name, with part of its hash. */
typedef struct slot {
    uint32_t hash;
    int node; /* number + 1, or 0: empty */
} slot;

/* Node numbers by name, open addressing; at least half of the slots are empty.  It
 * grows with the nodes, not with the ranks, to stay in a processor's cache. */
typedef struct table {
    slot *slots;
    uint32_t mask;
    where_nodes nodes;
} table;

enum { SLOTS_MIN = 64 };

static uint32_t hash(const char *name)
{
    uint64_t sum = atm_fnv_text(ATM_FNV_BEGIN, name);

    return (uint32_t) (sum ^ sum >> 32);
}

/* Slots and names for twice as many nodes; false: no memory. */
static bool grow(table *table)
{
    uint32_t count = table->slots != NULL ? 2 * (table->mask + 1) : SLOTS_MIN;
    slot *slots = calloc(count, sizeof(*slots));
    const char **name = realloc(table->nodes.name, count / 2 * sizeof(*name));

    if (name != NULL)
        table->nodes.name = name;
    if (slots == NULL || name == NULL) {
        free(slots);
        return false;
    }
    for (uint32_t i = 0; table->slots != NULL && i <= table->mask; i++) {
        uint32_t at = table->slots[i].hash & (count - 1);

        if (table->slots[i].node == 0)
            continue;
        while (slots[at].node != 0)
            at = (at + 1) & (count - 1);
        slots[at] = table->slots[i];
    }
    free(table->slots);
    table->slots = slots;
    table->mask = count - 1;
    return true;
}

/* The node of this name, a new one if there is none; -1: no memory. */
static int find_or_add(table *table, const char *name)
{
    where_nodes *nodes = &table->nodes;
    uint32_t sum = hash(name), at;

    if ((table->slots == NULL || (uint32_t) nodes->nodes > table->mask / 2) && !grow(table))
        return -1;
    for (at = sum & table->mask; table->slots[at].node != 0; at = (at + 1) & table->mask) {
        int node = table->slots[at].node - 1;

        if (table->slots[at].hash == sum && strcmp(nodes->name[node], name) == 0)
            return node;
    }
    nodes->name[nodes->nodes] = name;
    table->slots[at] = (slot){.hash = sum, .node = ++nodes->nodes};
    return nodes->nodes - 1;
}

/* Neighbours mostly share a node. */
static bool set_nodes(table *table, int ranks, const char *const *host)
{
    int *node_of = table->nodes.node_of;

    for (int i = 0; i < ranks; i++) {
        node_of[i] = i > 0 && strcmp(host[i], host[i - 1]) == 0 ? node_of[i - 1]
                                                                : find_or_add(table, host[i]);
        if (node_of[i] < 0)
            return false;
    }
    return true;
}

atm_status where_nodes_make(int ranks, const char *const *host, where_nodes *nodes_p)
{
    table table = {.nodes = {.node_of = malloc((size_t) ranks * sizeof(int))}};
    atm_status status = ATM_NO_MEMORY;

    if (table.nodes.node_of != NULL && set_nodes(&table, ranks, host))
        status = table.nodes.nodes <= ATM_TOPOLOGY_MAX_NODES ? ATM_OK : ATM_BAD_ARGUMENT;
    free(table.slots);
    if (status == ATM_OK) {
        *nodes_p = table.nodes;
    } else {
        free(table.nodes.name);
        free(table.nodes.node_of);
    }
    return status;
}
