/*
 * ROMIO's order on Blue Gene/Q (ad_gpfs/bg/ad_bg_aggrs.c:303-417): the bridges,
 * last first, then for each of them every (size/share)-th rank of those that it
 * serves.
 *
 * There the number is always (share + 1) x bridges, and a share of 1 collapses
 * to one aggregator for the job (:324); here shares may differ by one, and a
 * share of 1 is nothing special.
 */

#include "place_policy.h"

#include <stdlib.h>

/* The ranks that one bridge serves: members[first] ... ascending. */
typedef struct group {
    int first;
    int size;
    int bridge; /* the lowest rank on the bridge's node */
    int share;  /* aggregators beside the bridge, below size */
} group;

/* A pset's nodes that have ranks. */
typedef struct pset {
    int lead; /* stands in for the bridge of a pset that has none, else -1 */
    int bridges, others;
    int bridges_seen, others_seen;
    int first_group;
} pset;

typedef struct layout {
    const atm_topology *topology;
    place_nodes by_node;
    pset *psets;   /* [psets] */
    int *group_of; /* [nodes] */
    group *groups; /* [count], room for [nodes] */
    int count;
    int *members; /* [ranks] */
    int *open;    /* [count] groups whose share can grow, room for [nodes] */
} layout;

static void layout_free(layout *layout)
{
    place_nodes_free(&layout->by_node);
    free(layout->psets);
    free(layout->group_of);
    free(layout->groups);
    free(layout->members);
    free(layout->open);
}

static atm_status layout_allocate(const atm_topology *topology, layout *layout_p)
{
    size_t nodes = (size_t) topology->nodes;
    layout layout = {.topology = topology};
    atm_status status = place_nodes_make(topology, &layout.by_node);

    if (status != ATM_OK)
        return status;
    layout.psets = calloc((size_t) topology->psets, sizeof(*layout.psets));
    layout.group_of = malloc(nodes * sizeof(*layout.group_of));
    layout.groups = calloc(nodes, sizeof(*layout.groups));
    layout.members = malloc((size_t) topology->ranks * sizeof(*layout.members));
    layout.open = malloc(nodes * sizeof(*layout.open));
    if (layout.psets == NULL || layout.group_of == NULL || layout.groups == NULL ||
        layout.members == NULL || layout.open == NULL) {
        layout_free(&layout);
        return ATM_NO_MEMORY;
    }
    *layout_p = layout;
    return ATM_OK;
}

static int ranks_on(const layout *layout, int node)
{
    return layout->by_node.first[node + 1] - layout->by_node.first[node];
}

static void count_bridges(layout *layout)
{
    const atm_topology *topology = layout->topology;

    for (int i = 0; i < topology->psets; i++)
        layout->psets[i].lead = -1;
    for (int i = topology->nodes - 1; i >= 0; i--) {
        pset *pset = &layout->psets[topology->node[i].pset];

        if (ranks_on(layout, i) == 0)
            continue;
        pset->bridges += topology->node[i].bridge;
        pset->others += !topology->node[i].bridge;
        pset->lead = i;
    }
    for (int i = 0; i < topology->psets; i++) {
        pset *pset = &layout->psets[i];

        if (pset->bridges > 0) {
            pset->lead = -1;
        } else if (pset->others > 0) {
            pset->bridges++;
            pset->others--;
        }
        pset->first_group = layout->count;
        layout->count += pset->bridges;
    }
}

/* A bridge serves itself; the other nodes of its pset are shared out in equal
 * runs, as neighbours. */
static void assign_nodes(layout *layout)
{
    const atm_topology *topology = layout->topology;

    for (int i = 0; i < topology->nodes; i++) {
        pset *pset = &layout->psets[topology->node[i].pset];
        int group;

        if (ranks_on(layout, i) == 0)
            continue;
        if (topology->node[i].bridge || i == pset->lead) {
            group = pset->first_group + pset->bridges_seen++;
            layout->groups[group].bridge = layout->by_node.rank[layout->by_node.first[i]];
        } else {
            group = pset->first_group +
                    (int) ((int64_t) pset->others_seen++ * pset->bridges / pset->others);
        }
        layout->group_of[i] = group;
        layout->groups[group].size += ranks_on(layout, i);
    }
}

static int by_bridge(const void *left, const void *right)
{
    const group *a = left, *b = right;

    return a->bridge < b->bridge ? -1 : a->bridge > b->bridge;
}

static void collect_members(layout *layout)
{
    int first = 0;

    for (int i = 0; i < layout->count; i++) {
        layout->groups[i].first = first;
        first += layout->groups[i].size;
        layout->groups[i].size = 0;
    }
    for (int rank = 0; rank < layout->topology->ranks; rank++) {
        group *group = &layout->groups[layout->group_of[layout->topology->node_of[rank]]];

        layout->members[group->first + group->size++] = rank;
    }
    qsort(layout->groups, (size_t) layout->count, sizeof(*layout->groups), by_bridge);
}

/* Equal shares, the remainder to the bridges that come first in the list; what
 * does not fit into a small group goes to the others.  Each pass fills a group or
 * is the last but one, so that all passes together take O(p). */
static void share_out(layout *layout, int rest)
{
    int opened = 0;

    for (int i = layout->count - 1; i >= 0; i--)
        if (layout->groups[i].size > 1)
            layout->open[opened++] = i;
    while (rest > 0) {
        int each = rest / opened, still = 0;

        for (int i = 0; i < opened && rest > 0; i++) {
            group *group = &layout->groups[layout->open[i]];
            int room = group->size - 1 - group->share, more = each > 0 ? each : 1;

            more = more < room ? more : room;
            group->share += more;
            rest -= more;
            if (more < room)
                layout->open[still++] = layout->open[i];
        }
        opened = still;
    }
}

/* ad_bg_aggrs.c:378-390; a hit on the bridge is replaced by the last member,
 * which no step reaches because share < size. */
static int list_group(const layout *layout, const group *group, int *ranks)
{
    const int *members = layout->members + group->first;

    for (int i = 0; i < group->share; i++) {
        ranks[i] = members[i * (group->size / group->share)];
        if (ranks[i] == group->bridge)
            ranks[i] = members[group->size - 1];
    }
    return group->share;
}

static atm_status place(const atm_topology *topology, int aggregators, int *ranks)
{
    layout layout;
    atm_status status = layout_allocate(topology, &layout);
    int found = 0;

    if (status != ATM_OK)
        return status;
    count_bridges(&layout);
    assign_nodes(&layout);
    collect_members(&layout);
    for (int i = layout.count - 1; i >= 0 && found < aggregators; i--)
        ranks[found++] = layout.groups[i].bridge;
    share_out(&layout, aggregators - found);
    for (int i = layout.count - 1; i >= 0; i--)
        found += list_group(&layout, &layout.groups[i], ranks + found);
    layout_free(&layout);
    return ATM_OK;
}

const atm_policy place_bluegene = {.name = "bluegene",
                                   .summary =
                                       "ROMIO's order on Blue Gene: bridges, then bridge by bridge",
                                   .place = place};
