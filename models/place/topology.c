/* Making topologies: what all ways share, and a job's part of a machine. */

#include "topology_inside.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

atm_topology *topology_allocate(int nodes, int ranks, size_t names_bytes)
{
    atm_topology *topology = calloc(1, sizeof(*topology));

    if (topology == NULL)
        return NULL;
    topology->nodes = nodes;
    topology->ranks = ranks;
    topology->node = calloc((size_t) nodes, sizeof(*topology->node));
    topology->node_of = malloc((size_t) ranks * sizeof(*topology->node_of));
    topology->names = malloc(names_bytes + 1);
    if (topology->node == NULL || topology->node_of == NULL || topology->names == NULL) {
        atm_topology_destroy(topology);
        return NULL;
    }
    return topology;
}

void atm_topology_destroy(atm_topology *topology)
{
    if (topology == NULL)
        return;
    free(topology->node);
    free(topology->node_of);
    free(topology->names);
    free(topology);
}

typedef struct pset_range {
    bool bridge;
    int nearest, farthest;
} pset_range;

/* An unknown distance is longer than all others. */
static int distance(const atm_node *node)
{
    return node->hops == ATM_HOPS_UNKNOWN ? INT_MAX : node->hops;
}

atm_status topology_finish(atm_topology *topology)
{
    pset_range *range = malloc((size_t) topology->psets * sizeof(*range));

    if (range == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < topology->psets; i++)
        range[i] = (pset_range){.nearest = INT_MAX};
    for (int i = 0; i < topology->nodes; i++) {
        const atm_node *node = &topology->node[i];
        pset_range *of = &range[node->pset];

        of->bridge |= node->bridge;
        of->nearest = distance(node) < of->nearest ? distance(node) : of->nearest;
        of->farthest = distance(node) > of->farthest ? distance(node) : of->farthest;
    }
    topology->bridges = 0;
    for (int i = 0; i < topology->nodes; i++) {
        atm_node *node = &topology->node[i];
        const pset_range *of = &range[node->pset];

        if (!of->bridge && of->nearest < of->farthest)
            node->bridge = distance(node) == of->nearest;
        topology->bridges += node->bridge;
    }
    free(range);
    return ATM_OK;
}

/* --- a job's part of a machine */

/* Orders nodes by name; among equal names the machine's first comes first. */
static int by_name(const void *left, const void *right)
{
    const atm_node *a = *(const atm_node *const *) left, *b = *(const atm_node *const *) right;
    int order = strcmp(a->name, b->name);

    return order != 0 ? order : a < b ? -1 : a > b;
}

/* The machine's nodes that have names, sorted by them. */
typedef struct name_index {
    const atm_node **node;
    size_t count;
    size_t next; /* after the one that was found last */
} name_index;

static atm_status name_index_make(const atm_topology *machine, name_index *index_p)
{
    name_index index = {.node = malloc(((size_t) machine->nodes + 1) * sizeof(*index.node))};

    if (index.node == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < machine->nodes; i++)
        if (machine->node[i].name != NULL)
            index.node[index.count++] = &machine->node[i];
    /* lists of hosts are mostly sorted */
    for (size_t i = 1; i < index.count; i++)
        if (by_name(&index.node[i - 1], &index.node[i]) > 0) {
            qsort(index.node, index.count, sizeof(*index.node), by_name);
            break;
        }
    *index_p = index;
    return ATM_OK;
}

/* strcmp of a listed name and length bytes of another followed by `end` */
static int compare(const char *listed, const char *name, size_t length, const char *end)
{
    int order = strncmp(listed, name, length);

    return order != 0 ? order : strcmp(listed + length, end);
}

/* The number of listed names that come before this one. */
static size_t names_before(const name_index *index, const char *name, size_t length,
                           const char *end)
{
    size_t low = 0, high = index->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(index->node[middle]->name, name, length, end) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A job's nodes mostly follow one another in the machine, too. */
static bool is_next(const name_index *index, const char *name, size_t length)
{
    size_t at = index->next;

    return at > 0 && at < index->count && compare(index->node[at]->name, name, length, "") == 0 &&
           compare(index->node[at - 1]->name, name, length, "") != 0;
}

static const atm_node *find_equal(name_index *index, const char *name, size_t length)
{
    size_t at = is_next(index, name, length) ? index->next : names_before(index, name, length, "");

    if (at == index->count || compare(index->node[at]->name, name, length, "") != 0)
        return NULL;
    index->next = at + 1;
    return index->node[at];
}

/* The one listed name that is this one with a domain. */
static const atm_node *find_longer(const name_index *index, const char *name, size_t length)
{
    size_t first = names_before(index, name, length, "."), next = first;

    while (next < index->count && next < first + 2 &&
           strncmp(index->node[next]->name, name, length) == 0 &&
           index->node[next]->name[length] == '.')
        next++;
    return next == first + 1 ? index->node[first] : NULL;
}

static const atm_node *name_index_find(name_index *index, const char *name)
{
    size_t length = strlen(name), shorter = strcspn(name, ".");
    const atm_node *found = find_equal(index, name, length);

    if (found != NULL)
        return found;
    return shorter < length ? find_equal(index, name, shorter) : find_longer(index, name, length);
}

/* Psets as numbered by the machine; its number of psets is that of nodes it does
 * not list.  Returns the first of those, or -1. */
static int copy_nodes(const atm_topology *machine, name_index *index, const char *const *names,
                      atm_topology *job)
{
    char *end = job->names;
    int unlisted = -1;

    for (int i = 0; i < job->nodes; i++) {
        const atm_node *known = name_index_find(index, names[i]);
        size_t bytes = strlen(names[i]) + 1;

        if (known == NULL && unlisted < 0)
            unlisted = i;
        job->node[i] =
            known != NULL ? *known : (atm_node){.pset = machine->psets, .hops = ATM_HOPS_UNKNOWN};
        job->node[i].name = memcpy(end, names[i], bytes);
        end += bytes;
    }
    return unlisted;
}

/* Only the psets that have nodes, in the machine's order. */
static atm_status renumber_psets(int machine_psets, atm_topology *job)
{
    int *number = calloc((size_t) machine_psets + 1, sizeof(*number));

    if (number == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < job->nodes; i++)
        number[job->node[i].pset] = 1;
    for (int i = 0; i <= machine_psets; i++)
        number[i] = number[i] ? job->psets++ : 0;
    for (int i = 0; i < job->nodes; i++)
        job->node[i].pset = number[job->node[i].pset];
    free(number);
    return ATM_OK;
}

atm_status topology_for_job(const atm_topology *machine, int nodes, const char *const *names,
                            int ranks, const int *node_of, int *unlisted_p,
                            atm_topology **topology_p)
{
    name_index index;
    int unlisted;
    atm_topology *job;
    atm_status status;
    size_t bytes = 0;

    if (nodes < 1 || nodes > ATM_TOPOLOGY_MAX_NODES || ranks < 1 || ranks > ATM_TOPOLOGY_MAX_RANKS)
        return ATM_BAD_ARGUMENT;
    for (int i = 0; i < ranks; i++)
        if (node_of[i] < 0 || node_of[i] >= nodes)
            return ATM_BAD_ARGUMENT;
    for (int i = 0; i < nodes; i++)
        bytes += strlen(names[i]) + 1;
    status = name_index_make(machine, &index);
    if (status != ATM_OK)
        return status;
    job = topology_allocate(nodes, ranks, bytes);
    status = ATM_NO_MEMORY;
    if (job == NULL)
        goto free_index;
    memcpy(job->node_of, node_of, (size_t) ranks * sizeof(*node_of));
    unlisted = copy_nodes(machine, &index, names, job);
    status = renumber_psets(machine->psets, job);
    if (status == ATM_OK)
        status = topology_finish(job);
    if (status != ATM_OK) {
        atm_topology_destroy(job);
        goto free_index;
    }
    *unlisted_p = unlisted;
    *topology_p = job;
free_index:
    free(index.node);
    return status;
}

atm_status atm_topology_for_job(const atm_topology *machine, int nodes, const char *const *names,
                                int ranks, const int *node_of, atm_topology **topology_p)
{
    int unlisted;

    return topology_for_job(machine, nodes, names, ranks, node_of, &unlisted, topology_p);
}
