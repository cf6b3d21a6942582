/*
 * Ranks dealt like cards: to the psets in turn, in a pset to its nodes in turn,
 * bridges first, on a node to its ranks in spread order.
 */

#include "place_policy.h"

#include <limits.h>
#include <stdlib.h>

typedef struct seat {
    int node;
    int left;       /* ranks not dealt yet */
    uint32_t state; /* of place_spread over the node's ranks */
} seat;

/* A pset's seats that have ranks left: seats[first] ... */
typedef struct table {
    int first;
    int count;
    int next;    /* is dealt from, in [0, count) */
    int kept;    /* of those before next */
    int bridges; /* seats in front at the start */
    int dealt;   /* ranks so far */
} table;

typedef struct dealer {
    const atm_topology *topology;
    place_nodes by_node;
    int *nodes;      /* [nodes] by table */
    uint64_t *order; /* [nodes] of a table: for sorting */
    seat *seats;     /* [nodes] */
    table *tables;   /* [psets] */
    int *open;       /* [psets] tables in the current phase */
    int opened;
    int *ranks; /* the list, the caller's */
    int found, wanted;
} dealer;

static int by_order(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *) left, b = *(const uint64_t *) right;

    return a < b ? -1 : a > b;
}

/* Bridges, then by distance, then spread over the pset: by the state from which
 * place_spread makes the node's index. */
static uint64_t node_order(const atm_node *node, uint32_t state)
{
    uint64_t hops = node->hops == ATM_HOPS_UNKNOWN ? INT_MAX : (uint64_t) node->hops;

    return (uint64_t) !node->bridge << 63 | hops << 32 | state;
}

static int ranks_on(const dealer *dealer, int node)
{
    return dealer->by_node.first[node + 1] - dealer->by_node.first[node];
}

/* The nodes that have ranks, grouped by pset. */
static void set_tables(dealer *dealer)
{
    const atm_topology *topology = dealer->topology;
    int first = 0;

    for (int i = 0; i < topology->nodes; i++)
        if (ranks_on(dealer, i) > 0)
            dealer->tables[topology->node[i].pset].count++;
    for (int i = 0; i < topology->psets; i++) {
        dealer->tables[i].first = first;
        first += dealer->tables[i].count;
        dealer->tables[i].count = 0;
    }
    for (int i = 0; i < topology->nodes; i++) {
        table *table = &dealer->tables[topology->node[i].pset];

        if (ranks_on(dealer, i) == 0)
            continue;
        dealer->nodes[table->first + table->count++] = i;
        table->bridges += topology->node[i].bridge;
    }
}

static void seat_nodes(dealer *dealer, const table *table)
{
    const int *nodes = dealer->nodes + table->first;
    uint32_t state = 0;

    for (int i = 0; i < table->count; i++) {
        int node = nodes[place_spread(table->count, &state)];

        dealer->order[i] = node_order(&dealer->topology->node[node], state - 1);
    }
    qsort(dealer->order, (size_t) table->count, sizeof(*dealer->order), by_order);
    for (int i = 0; i < table->count; i++) {
        int node;

        state = (uint32_t) dealer->order[i];
        node = nodes[place_spread(table->count, &state)];
        dealer->seats[table->first + i] = (seat){.node = node, .left = ranks_on(dealer, node)};
    }
}

/* One rank of the table's next node. */
static void deal(dealer *dealer, table *table)
{
    seat *seats = dealer->seats + table->first, *seat = &seats[table->next];
    int index = place_spread(ranks_on(dealer, seat->node), &seat->state);

    dealer->ranks[dealer->found++] =
        dealer->by_node.rank[dealer->by_node.first[seat->node] + index];
    table->dealt++;
    if (--seat->left > 0)
        seats[table->kept++] = *seat;
    if (++table->next == table->count) {
        table->count = table->kept;
        table->next = table->kept = 0;
    }
}

/* Deals a rank to every open table that has had `level` ranks; the others had more bridges and are
 * skipped no more often than that.  Tables with nothing to give in this phase are closed. */
static void deal_round(dealer *dealer, int level, bool bridges)
{
    int still = 0;

    for (int i = 0; i < dealer->opened && dealer->found < dealer->wanted; i++) {
        table *table = &dealer->tables[dealer->open[i]];

        if (table->dealt == level)
            deal(dealer, table);
        if (bridges ? table->dealt < table->bridges : table->count > 0)
            dealer->open[still++] = dealer->open[i];
    }
    dealer->opened = still;
}

static void deal_all(dealer *dealer, bool bridges)
{
    dealer->opened = 0;
    for (int i = 0; i < dealer->topology->psets; i++)
        if (bridges ? dealer->tables[i].bridges > 0 : dealer->tables[i].count > 0)
            dealer->open[dealer->opened++] = i;
    for (int level = 0; dealer->opened > 0 && dealer->found < dealer->wanted; level++)
        deal_round(dealer, level, bridges);
}

static atm_status place(const atm_topology *topology, int aggregators, int *ranks)
{
    dealer dealer = {.topology = topology, .ranks = ranks, .wanted = aggregators};
    atm_status status = place_nodes_make(topology, &dealer.by_node);

    if (status != ATM_OK)
        return status;
    dealer.nodes = malloc((size_t) topology->nodes * sizeof(*dealer.nodes));
    dealer.order = malloc((size_t) topology->nodes * sizeof(*dealer.order));
    dealer.seats = malloc((size_t) topology->nodes * sizeof(*dealer.seats));
    dealer.tables = calloc((size_t) topology->psets, sizeof(*dealer.tables));
    dealer.open = malloc((size_t) topology->psets * sizeof(*dealer.open));
    if (dealer.nodes == NULL || dealer.order == NULL || dealer.seats == NULL ||
        dealer.tables == NULL || dealer.open == NULL) {
        status = ATM_NO_MEMORY;
        goto free_all;
    }
    set_tables(&dealer);
    for (int i = 0; i < topology->psets; i++)
        seat_nodes(&dealer, &dealer.tables[i]);
    deal_all(&dealer, true);
    deal_all(&dealer, false);
free_all:
    free(dealer.open);
    free(dealer.tables);
    free(dealer.seats);
    free(dealer.order);
    free(dealer.nodes);
    place_nodes_free(&dealer.by_node);
    return status;
}

const atm_policy place_bridge_first = {
    .name = "bridge-first",
    .summary = "bridges, then evenly over psets and nodes; so is every prefix",
    .place = place};
