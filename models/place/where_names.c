/* Nodes from host names alone. */

#include "where_inside.h"

#include <stdlib.h>
#include <string.h>

/* Node numbers by name, open addressing; there are more slots than nodes. */
typedef struct table {
    int *slot; /* node + 1, or 0 */
    size_t mask;
} table;

static size_t hash(const char *name)
{
    uint64_t sum = UINT64_C(14695981039346656037); /* FNV-1a */

    for (; *name != '\0'; name++)
        sum = (sum ^ (unsigned char) *name) * UINT64_C(1099511628211);
    return (size_t) (sum ^ sum >> 32);
}

/* The node of this name, a new one if there is none. */
static int find_or_add(const table *table, const char *name, where_nodes *nodes)
{
    size_t at = hash(name) & table->mask;

    while (table->slot[at] != 0) {
        int node = table->slot[at] - 1;

        if (strcmp(nodes->name[node], name) == 0)
            return node;
        at = (at + 1) & table->mask;
    }
    nodes->name[nodes->nodes] = name;
    table->slot[at] = ++nodes->nodes;
    return nodes->nodes - 1;
}

atm_status where_nodes_make(int ranks, const char *const *host, where_nodes *nodes_p)
{
    where_nodes nodes = {.nodes = 0};
    table table = {.mask = 15};
    atm_status status = ATM_NO_MEMORY;

    while (table.mask < 2 * (size_t) ranks)
        table.mask = 2 * table.mask + 1;
    table.slot = calloc(table.mask + 1, sizeof(*table.slot));
    nodes.name = malloc((size_t) ranks * sizeof(*nodes.name));
    nodes.node_of = malloc((size_t) ranks * sizeof(*nodes.node_of));
    if (table.slot != NULL && nodes.name != NULL && nodes.node_of != NULL) {
        /* neighbours mostly share a node */
        for (int i = 0; i < ranks; i++)
            nodes.node_of[i] = i > 0 && strcmp(host[i], host[i - 1]) == 0
                                   ? nodes.node_of[i - 1]
                                   : find_or_add(&table, host[i], &nodes);
        status = nodes.nodes <= ATM_TOPOLOGY_MAX_NODES ? ATM_OK : ATM_BAD_ARGUMENT;
    }
    free(table.slot);
    if (status == ATM_OK) {
        *nodes_p = nodes;
    } else {
        free(nodes.name);
        free(nodes.node_of);
    }
    return status;
}
