/* Placement: lists worked out by hand, the paper's numbers, and what must hold
 * for any topology. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "place/place.h"

enum { CASES = 10000, MAX_PSETS = 5, MAX_NODES = 12, MAX_RANKS = 60 };

static atm_topology *topology_of(const char *text)
{
    atm_topology *topology = NULL;

    assert_int_equal(atm_topology_from_text(text, NULL, &topology), ATM_OK);
    return topology;
}

static void check_list(const char *text, const char *policy, const int *expected, int count)
{
    atm_topology *topology = topology_of(text);
    int ranks[64];

    assert_int_equal(atm_place(topology, atm_policy_by_name(policy), count, ranks), ATM_OK);
    for (int i = 0; i < count; i++)
        assert_int_equal(ranks[i], expected[i]);
    atm_topology_destroy(topology);
}

#define CHECK_LIST(text, policy, ...)                                                              \
    do {                                                                                           \
        static const int expected[] = {__VA_ARGS__};                                               \
        check_list(text, policy, expected, (int) (sizeof(expected) / sizeof(expected[0])));        \
    } while (0)

/* nodes 0 and 4 are bridges; ranks of node i are 4i ... 4i + 3 */
static void bridge_first_by_hand(void **state)
{
    (void) state;
    CHECK_LIST("psets:2 nodes:4 bridges:1 ranks:4", "bridge-first",
               /* bridges */ 0, 16,
               /* the other nodes, spread: 2, 1, 3 of each pset */ 8, 24, 4, 20, 12, 28,
               /* again all nodes, their third ranks */ 2, 18, 10, 26, 6, 22, 14, 30);
    CHECK_LIST("nodes:4", "bridge-first", 0, 2, 1, 3);
    CHECK_LIST("nodes:1 ranks:6", "bridge-first", 0, 4, 2, 1, 5, 3);
}

static void uniform_by_hand(void **state)
{
    (void) state;
    CHECK_LIST("nodes:4 ranks:4", "uniform", 0, 4, 8, 12);
    CHECK_LIST("nodes:10", "uniform", 0, 3, 6, 9);
    CHECK_LIST("nodes:10", "uniform", 0, 2, 4, 6, 8, 1); /* the steps end at five */
    CHECK_LIST("nodes:3", "uniform", 0, 1, 2);
}

/* As ad_bg_aggrs.c:345-400 would: two bridges with eight ranks each, from the
 * last; every (8/2)-th rank, and the last one for the bridge itself. */
static void bluegene_by_hand(void **state)
{
    (void) state;
    CHECK_LIST("nodes:4 bridges:2 ranks:4", "bluegene", 8, 0, 15, 12, 7, 4);
    CHECK_LIST("nodes:4 bridges:2 ranks:4", "bluegene", 8);
    CHECK_LIST("psets:2 nodes:3 bridges:1", "bluegene", 3, 0, 5, 4, 2, 1);
    CHECK_LIST("nodes:3 ranks:2", "bluegene", 0, 5, 2, 4);
}

static void bad_numbers(void **state)
{
    atm_topology *topology = topology_of("nodes:4");
    int ranks[5] = {-7};

    (void) state;
    assert_int_equal(atm_place(topology, atm_policy_at(0), 0, ranks), ATM_BAD_ARGUMENT);
    assert_int_equal(atm_place(topology, atm_policy_at(0), 5, ranks), ATM_BAD_ARGUMENT);
    assert_int_equal(ranks[0], -7);
    atm_topology_destroy(topology);
    assert_null(atm_policy_by_name("nearest"));
    assert_null(atm_policy_at(-1));
    assert_null(atm_policy_at(4));
    assert_string_equal(atm_policy_at(0)->name, "bridge-first");
}

/* --- equation 2 for all of Table I */

static void check_equation_2(int nodes, int per_pset, const char *policy, int *ranks)
{
    int aggregators = (per_pset + 1) * 8 * nodes / 128, in_pset[16] = {0};
    atm_topology *topology;
    char text[64];

    snprintf(text, sizeof(text), "psets:%d nodes:32 bridges:2 ranks:16", nodes / 32);
    topology = topology_of(text);
    assert_int_equal(topology->bridges, 8 * nodes / 128);
    assert_int_equal(atm_place(topology, atm_policy_by_name(policy), aggregators, ranks), ATM_OK);
    for (int i = 0; i < aggregators; i++) {
        const atm_node *node = &topology->node[topology->node_of[ranks[i]]];

        if (i < topology->bridges)
            assert_true(node->bridge);
        in_pset[node->pset]++;
    }
    for (int i = 0; i < topology->psets; i++)
        assert_int_equal(in_pset[i], 2 * (per_pset + 1));
    atm_topology_destroy(topology);
}

static void equation_2(void **state)
{
    static const int nodes[] = {128, 256, 512}, per_pset[] = {4, 16, 64};
    int *ranks = malloc(8192 * sizeof(*ranks));

    (void) state;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            check_equation_2(nodes[i], per_pset[k], "bridge-first", ranks);
            check_equation_2(nodes[i], per_pset[k], "bluegene", ranks);
        }
    free(ranks);
}

/* --- any topology */

typedef struct random_topology {
    atm_topology topology;
    atm_node node[MAX_NODES];
    int node_of[MAX_RANKS];
} random_topology;

static uint64_t seed;

static int random_below(int limit)
{
    seed ^= seed << 13; /* xorshift64 */
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int) (seed % (uint64_t) limit);
}

static void random_make(random_topology *random)
{
    atm_topology *topology = &random->topology;
    int known = random_below(3);

    *topology = (atm_topology){.node = random->node, .node_of = random->node_of};
    topology->psets = 1 + random_below(MAX_PSETS);
    topology->nodes = 1 + random_below(MAX_NODES);
    topology->ranks = 1 + random_below(MAX_RANKS);
    for (int i = 0; i < topology->nodes; i++) {
        bool unknown;
        random->node[i] = (atm_node){.pset = random_below(topology->psets)};
        unknown = known == 0 || (known == 1 && random_below(2));
        random->node[i].hops = unknown ? ATM_HOPS_UNKNOWN : random_below(4);
        random->node[i].bridge = random_below(4) == 0;
    }
    for (int i = 0; i < topology->ranks; i++)
        random->node_of[i] = random_below(topology->nodes);
}

/* What of a topology has not been listed yet. */
typedef struct tally {
    int left[MAX_NODES], taken[MAX_NODES];
    int pset_left[MAX_PSETS], pset_taken[MAX_PSETS];
    int bridges_left[MAX_PSETS], all_bridges_left;
} tally;

static tally tally_start(const atm_topology *topology)
{
    tally tally = {.all_bridges_left = 0};

    for (int i = 0; i < topology->ranks; i++) {
        tally.left[topology->node_of[i]]++;
        tally.pset_left[topology->node[topology->node_of[i]].pset]++;
    }
    for (int i = 0; i < topology->nodes; i++)
        if (tally.left[i] > 0 && topology->node[i].bridge) {
            tally.bridges_left[topology->node[i].pset]++;
            tally.all_bridges_left++;
        }
    return tally;
}

/* Smaller goes first among the nodes of a pset. */
static long precedence(const atm_topology *topology, const tally *tally, int node)
{
    int hops = topology->node[node].hops;

    return tally->taken[node] * 1000L + (topology->node[node].bridge ? 0 : 100) +
           (hops == ATM_HOPS_UNKNOWN ? 50 : hops);
}

/* The list could not have gone on with a pset or a node that had fewer. */
static void check_next(const atm_topology *topology, const tally *tally, int rank)
{
    int node = topology->node_of[rank], pset = topology->node[node].pset;
    bool bridges = tally->all_bridges_left > 0;

    if (bridges)
        assert_true(topology->node[node].bridge && tally->taken[node] == 0);
    for (int i = 0; i < topology->psets; i++)
        if ((bridges ? tally->bridges_left[i] : tally->pset_left[i]) > 0)
            assert_true(tally->pset_taken[pset] <= tally->pset_taken[i]);
    for (int i = 0; i < topology->nodes; i++)
        if (topology->node[i].pset == pset && tally->left[i] > 0)
            assert_true(precedence(topology, tally, node) <= precedence(topology, tally, i));
}

static void tally_take(const atm_topology *topology, tally *tally, int rank)
{
    int node = topology->node_of[rank], pset = topology->node[node].pset;

    if (tally->all_bridges_left > 0) {
        tally->all_bridges_left--;
        tally->bridges_left[pset]--;
    }
    tally->left[node]--;
    tally->taken[node]++;
    tally->pset_left[pset]--;
    tally->pset_taken[pset]++;
}

static void check_distinct(const atm_topology *topology, const int *ranks, int count)
{
    bool seen[MAX_RANKS] = {false};

    for (int i = 0; i < count; i++) {
        assert_in_range(ranks[i], 0, topology->ranks - 1);
        assert_false(seen[ranks[i]]);
        seen[ranks[i]] = true;
    }
}

static void random_any_policy(void **state)
{
    (void) state;
    seed = 20151;
    for (int i = 0; i < CASES; i++) {
        random_topology random;
        int ranks[MAX_RANKS + 1], count;

        random_make(&random);
        count = 1 + random_below(random.topology.ranks);
        for (int k = 0; atm_policy_at(k) != NULL; k++) {
            ranks[count] = -7;
            assert_int_equal(atm_place(&random.topology, atm_policy_at(k), count, ranks), ATM_OK);
            check_distinct(&random.topology, ranks, count);
            assert_int_equal(ranks[count], -7);
        }
    }
}

static void random_balanced_prefixes(void **state)
{
    const atm_policy *policy = atm_policy_by_name("bridge-first");

    (void) state;
    seed = 20152;
    for (int i = 0; i < CASES; i++) {
        random_topology random;
        int all[MAX_RANKS], some[MAX_RANKS], count;
        tally tally;

        random_make(&random);
        assert_int_equal(atm_place(&random.topology, policy, random.topology.ranks, all), ATM_OK);
        tally = tally_start(&random.topology);
        for (int k = 0; k < random.topology.ranks; k++) {
            check_next(&random.topology, &tally, all[k]);
            tally_take(&random.topology, &tally, all[k]);
        }
        count = 1 + random_below(random.topology.ranks);
        assert_int_equal(atm_place(&random.topology, policy, count, some), ATM_OK);
        assert_memory_equal(some, all, (size_t) count * sizeof(*some));
    }
}

/* On a regular machine bridge g serves ranks [g size, (g + 1) size), and ROMIO
 * lists for it rank g size + i floor(size / share), the last one for i = 0. */
static void random_bluegene(void **state)
{
    (void) state;
    seed = 20153;
    for (int i = 0; i < CASES; i++) {
        int bridges = 1 + random_below(4), size = 3 + random_below(MAX_RANKS / 4 - 3);
        int share = 2 + random_below(size - 2), ranks[MAX_RANKS], *next = ranks;
        atm_topology *topology;
        char text[64];

        snprintf(text, sizeof(text), "nodes:%d bridges:%d", bridges * size, bridges);
        topology = topology_of(text);
        assert_int_equal(
            atm_place(topology, atm_policy_by_name("bluegene"), bridges * (share + 1), ranks),
            ATM_OK);
        for (int g = bridges - 1; g >= 0; g--)
            assert_int_equal(*next++, g * size);
        for (int g = bridges - 1; g >= 0; g--)
            for (int k = 0; k < share; k++)
                assert_int_equal(*next++, g * size + (k > 0 ? k * (size / share) : size - 1));
        atm_topology_destroy(topology);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bridge_first_by_hand),
        cmocka_unit_test(uniform_by_hand),
        cmocka_unit_test(bluegene_by_hand),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(equation_2),
        cmocka_unit_test(random_any_policy),
        cmocka_unit_test(random_balanced_prefixes),
        cmocka_unit_test(random_bluegene),
    };

    return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
