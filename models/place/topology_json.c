/* A topology from a document in the format romio-autotune-topology. */

#include "hostlist.h"
#include "topology_inside.h"
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

/* Sizes found while every field is checked; filling then cannot fail. */
typedef struct extent {
    int64_t ranks_per_node, nics; /* of nodes that do not say */
    int64_t nodes, ranks;
    size_t names_bytes;
} extent;

/* An entry: a node, or several that are alike. */
typedef struct node_fields {
    const char *name; /* the document's */
    atm_hostlist_size size;
    int64_t hops, ranks, nics;
    bool bridge;
} node_fields;

static atm_status read_name(const atm_value *value, atm_message *message, node_fields *fields)
{
    atm_status status = atm_opt_string(value, "name", message, &fields->name);
    const char *problem;

    fields->size = (atm_hostlist_size){.hosts = 1};
    if (status != ATM_OK || fields->name == NULL)
        return status;
    problem = atm_hostlist_measure(fields->name, strlen(fields->name), &fields->size);
    if (problem != NULL)
        return atm_complain(value, "name", message, "%s", problem);
    return ATM_OK;
}

static atm_status read_node(const atm_value *value, const extent *common, atm_message *message,
                            node_fields *fields_p)
{
    static const char *const known[] = {"name", "bridge", "hops", "ranks", "nics", NULL};
    node_fields fields = {
        .hops = ATM_HOPS_UNKNOWN, .ranks = common->ranks_per_node, .nics = common->nics};
    atm_status status = atm_check_keys(value, known, message);

    if (status == ATM_OK)
        status = read_name(value, message, &fields);
    if (status == ATM_OK)
        status = atm_opt_truth(value, "bridge", message, &fields.bridge);
    if (status == ATM_OK)
        status = atm_opt_integer(value, "hops", 0, 1000000, message, &fields.hops);
    if (status == ATM_OK)
        status = atm_opt_integer(value, "ranks", 0, ATM_TOPOLOGY_MAX_RANKS, message, &fields.ranks);
    if (status == ATM_OK)
        status = atm_opt_integer(value, "nics", 1, ATM_TOPOLOGY_MAX_NICS, message, &fields.nics);
    if (status != ATM_OK)
        return status;
    if (fields.bridge && fields.hops == ATM_HOPS_UNKNOWN)
        fields.hops = 0;
    *fields_p = fields;
    return ATM_OK;
}

static atm_status check_pset(const atm_value *pset, atm_message *message, extent *extent)
{
    static const char *const known[] = {"nodes", NULL};
    const atm_value *nodes;
    atm_status status = atm_check_keys(pset, known, message);

    if (status == ATM_OK)
        status = atm_get_array(pset, "nodes", 1, ATM_TOPOLOGY_MAX_NODES, message, &nodes);
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(nodes); i++) {
        node_fields fields;

        status = read_node(atm_value_item(nodes, i), extent, message, &fields);
        if (status != ATM_OK)
            break;
        extent->nodes += (int64_t) fields.size.hosts;
        extent->ranks += fields.ranks * (int64_t) fields.size.hosts;
        extent->names_bytes += fields.size.bytes;
        if (extent->nodes > ATM_TOPOLOGY_MAX_NODES || extent->names_bytes > ATM_HOSTS_BYTES)
            status = atm_complain(nodes, NULL, message, "too many nodes");
        else if (extent->ranks > ATM_TOPOLOGY_MAX_RANKS)
            status = atm_complain(nodes, NULL, message, "too many ranks");
    }
    return status;
}

static atm_status check(const atm_value *document, atm_message *message, const atm_value **psets_p,
                        extent *extent)
{
    static const char *const known[] = {"format", "version", "ranks_per_node",
                                        "nics",   "psets",   NULL};
    static const char *const formats[] = {ATM_TOPOLOGY_FORMAT};
    const atm_value *psets = NULL;
    int64_t version;
    size_t format;
    atm_status status = atm_get_choice(document, "format", formats, 1, message, &format);

    *extent = (struct extent){.ranks_per_node = 1};
    if (status == ATM_OK)
        status = atm_get_integer(document, "version", ATM_TOPOLOGY_VERSION, ATM_TOPOLOGY_VERSION,
                                 message, &version);
    if (status == ATM_OK)
        status = atm_check_keys(document, known, message);
    if (status == ATM_OK)
        status = atm_opt_integer(document, "ranks_per_node", 1, ATM_TOPOLOGY_MAX_RANKS, message,
                                 &extent->ranks_per_node);
    if (status == ATM_OK)
        status =
            atm_opt_integer(document, "nics", 1, ATM_TOPOLOGY_MAX_NICS, message, &extent->nics);
    if (status == ATM_OK)
        status = atm_get_array(document, "psets", 1, ATM_TOPOLOGY_MAX_NODES, message, &psets);
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(psets); i++)
        status = check_pset(atm_value_item(psets, i), message, extent);
    if (status != ATM_OK)
        return status;
    if (extent->ranks < 1)
        return atm_complain(document, "psets", message, "no ranks");
    *psets_p = psets;
    return ATM_OK;
}

/* Where the next node goes. */
typedef struct filling {
    atm_topology *topology;
    char *name;
    int node, rank;
} filling;

static void fill_nodes(const node_fields *fields, int pset, filling *at)
{
    atm_topology *topology = at->topology;
    char *name = at->name;

    if (fields->name != NULL)
        at->name = atm_hostlist_write(fields->name, strlen(fields->name), name);
    for (size_t i = 0; i < fields->size.hosts; i++, at->node++) {
        topology->node[at->node] = (atm_node){.name = fields->name != NULL ? name : NULL,
                                              .pset = pset,
                                              .hops = (int) fields->hops,
                                              .nics = (int) fields->nics,
                                              .bridge = fields->bridge};
        if (fields->name != NULL)
            name += strlen(name) + 1;
        for (int64_t k = 0; k < fields->ranks; k++)
            topology->node_of[at->rank++] = at->node;
    }
}

static void fill(const atm_value *psets, const extent *common, atm_topology *topology)
{
    filling at = {.topology = topology, .name = topology->names};

    topology->psets = (int) atm_value_length(psets);
    for (int pset = 0; pset < topology->psets; pset++) {
        const atm_value *nodes = atm_value_find(atm_value_item(psets, (size_t) pset), "nodes");

        for (size_t i = 0; i < atm_value_length(nodes); i++) {
            node_fields fields;

            if (read_node(atm_value_item(nodes, i), common, NULL, &fields) == ATM_OK)
                fill_nodes(&fields, pset, &at); /* was checked */
        }
    }
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(const char *const *) left, *(const char *const *) right);
}

/* A name given twice could not be found again by for_job. */
static atm_status check_names(const atm_value *document, const atm_topology *topology,
                              atm_message *message)
{
    const char **names = malloc((size_t) topology->nodes * sizeof(*names));
    atm_status status = ATM_OK;
    size_t count = 0;

    if (names == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < topology->nodes; i++)
        if (topology->node[i].name != NULL)
            names[count++] = topology->node[i].name;
    qsort(names, count, sizeof(*names), by_text);
    for (size_t i = 1; i < count && status == ATM_OK; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            status =
                atm_complain(document, "psets", message, "node %.64s is listed twice", names[i]);
    free(names);
    return status;
}

atm_status atm_topology_from_value(const atm_value *document, atm_message *message,
                                   atm_topology **topology_p)
{
    const atm_value *psets = NULL;
    atm_topology *topology;
    extent extent;
    atm_status status = check(document, message, &psets, &extent);

    if (status != ATM_OK)
        return status;
    topology = topology_allocate((int) extent.nodes, (int) extent.ranks, extent.names_bytes);
    if (topology == NULL)
        return ATM_NO_MEMORY;
    fill(psets, &extent, topology);
    status = check_names(document, topology, message);
    if (status == ATM_OK)
        status = topology_finish(topology);
    if (status == ATM_OK)
        *topology_p = topology;
    else
        atm_topology_destroy(topology);
    return status;
}
