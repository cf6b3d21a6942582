/* Aggregators near the data: affinity and order worked out by hand, and what must hold for
 * any topology and access. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "counts/counts.h"
#include "place/near.h"
#include "place/place.h"

enum { RANKS = 16, PIECE = 100 };

static atm_topology *topology_of(const char *text)
{
    atm_topology *topology = NULL;

    assert_int_equal(atm_topology_from_text(text, NULL, &topology), ATM_OK);
    return topology;
}

/* Rank r is on node r mod nodes. */
static atm_topology *cyclic(int nodes)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    atm_topology *machine = topology_of("nodes:1"), *topology = NULL;
    int node_of[RANKS];

    for (int i = 0; i < RANKS; i++)
        node_of[i] = i % nodes;
    assert_int_equal(atm_topology_for_job(machine, nodes, names, RANKS, node_of, &topology),
                     ATM_OK);
    atm_topology_destroy(machine);
    return topology;
}

static double affinity_of(const atm_topology *topology, const atm_access *access)
{
    double affinity = -1;

    assert_int_equal(atm_affinity(topology, access, &affinity), ATM_OK);
    return affinity;
}

static const atm_access in_order = {.write = true, .end = RANKS * PIECE - 1};

/* Checks the share of pairs of ranks 1, 2, 4 and 8 apart that are in different groups. */
static void check_apart(atm_topology *topology, int groups, const double expected[4])
{
    const atm_job job = atm_job_of(topology);

    assert_int_equal(job.ranks, RANKS);
    assert_int_equal(job.nodes, topology->nodes);
    assert_int_equal(job.groups, groups);
    for (int i = 0; i < 4; i++)
        assert_float_equal(job.apart[i], expected[i], 1e-12);
    assert_float_equal(job.apart[4], 1, 0);
    atm_topology_destroy(topology);
}

static void ranks_apart(void **state)
{
    (void) state;
    check_apart(topology_of("nodes:4 ranks:4"), 4,
                (const double[]){3 / 15.0, 6 / 14.0, 12 / 12.0, 8 / 8.0});
    check_apart(topology_of("psets:2 nodes:8"), 2,
                (const double[]){1 / 15.0, 2 / 14.0, 4 / 12.0, 8 / 8.0});
    check_apart(cyclic(4), 4, (const double[]){1, 1, 0, 0});
}

/* Share of ranks that are not on the node of their part's middle, with one part, two, four, ... */
static void ranks_astray(void **state)
{
    atm_topology *nodes = topology_of("nodes:4 ranks:4"), *round = cyclic(4);
    const atm_job in_turn = atm_job_of(nodes), dealt = atm_job_of(round);
    const double expected[] = {0.75, 0.5, 0, 0, 0};

    (void) state;
    for (int i = 0; i < 5; i++)
        assert_float_equal(in_turn.astray.node[i], expected[i], 0);
    assert_float_equal(dealt.astray.node[0], 0.75, 0);
    assert_float_equal(dealt.astray.node[2], 0.75, 0);
    assert_float_equal(dealt.astray.node[3], 0.5, 0);
    atm_topology_destroy(round);
    atm_topology_destroy(nodes);
}

static int64_t link_messages(const atm_topology *topology, const int *aggregators, int count,
                             int fan)
{
    int64_t messages = -1;

    assert_int_equal(atm_link_messages(topology, aggregators, count, fan, false, &messages),
                     ATM_OK);
    return messages;
}

static int64_t uplink_messages(const atm_topology *topology, const int *aggregators, int count,
                               int fan)
{
    int64_t messages = -1;

    assert_int_equal(atm_link_messages(topology, aggregators, count, fan, true, &messages), ATM_OK);
    return messages;
}

/* Counted one by one: four nodes of four ranks. */
static void messages_of_a_link(void **state)
{
    atm_topology *topology = topology_of("nodes:4 ranks:4");
    const int near[] = {2, 6, 10, 14}, other[] = {14, 10, 6, 2}, two[] = {4, 12};

    (void) state;
    assert_int_equal(link_messages(topology, near, 4, 1), 0);
    assert_int_equal(link_messages(topology, near, 4, 2), 4);
    assert_int_equal(link_messages(topology, near, 4, 4), 12);
    assert_int_equal(link_messages(topology, other, 4, 1), 4);
    assert_int_equal(link_messages(topology, two, 2, 1), 4);  /* from the node beside it */
    assert_int_equal(link_messages(topology, two, 2, 2), 12); /* from all others */
    assert_int_equal(link_messages(topology, two, 1, 1), 12);
    assert_int_equal(uplink_messages(topology, two, 2, 2), 0); /* there are no psets */
    atm_topology_destroy(topology);
    topology = topology_of("psets:2 nodes:2 ranks:4");
    assert_int_equal(uplink_messages(topology, near, 4, 1), 0);
    assert_int_equal(uplink_messages(topology, near, 4, 2), 4);
    assert_int_equal(uplink_messages(topology, near, 4, 4), 16);
    assert_int_equal(uplink_messages(topology, other, 4, 1), 8);
    assert_int_equal(uplink_messages(topology, two, 1, 1), 8);
    atm_topology_destroy(topology);
}

static int64_t most_at(const atm_topology *topology, const int *ranks, int count, bool of_psets)
{
    int64_t most = -1;

    assert_int_equal(atm_most_at(topology, ranks, count, of_psets, &most), ATM_OK);
    return most;
}

static void ranks_at_a_place(void **state)
{
    atm_topology *topology = topology_of("nodes:4 ranks:4");
    const int near[] = {2, 6, 10, 14}, together[] = {0, 1, 2, 5};

    (void) state;
    assert_int_equal(most_at(topology, near, 4, false), 1);
    assert_int_equal(most_at(topology, together, 4, false), 3);
    assert_int_equal(most_at(topology, together, 4, true), 1); /* there are no psets */
    atm_topology_destroy(topology);
    topology = topology_of("psets:2 nodes:2 ranks:4");
    assert_int_equal(most_at(topology, near, 4, true), 2);
    assert_int_equal(most_at(topology, near, 3, true), 2);
    assert_int_equal(most_at(topology, together, 4, true), 4);
    atm_topology_destroy(topology);
}

/* Each rank is a run of its own: all have [0, end], those of a node its fourth of the file,
 * or they are in the reverse order. */
typedef enum pattern { EVERYWHERE, BY_NODE, REVERSED } pattern;

static atm_access interleaved(pattern pattern)
{
    atm_access access = in_order;

    access.interleaved = true;
    access.holders.count = ATM_HOLDERS;
    for (int i = 0; i < ATM_HOLDERS; i++) {
        uint64_t from = pattern == BY_NODE    ? (uint64_t) (i / 4) * 4 * PIECE
                        : pattern == REVERSED ? (uint64_t) (RANKS - 1 - i) * PIECE
                                              : 0;
        uint64_t length = pattern == BY_NODE    ? 4 * PIECE
                          : pattern == REVERSED ? PIECE
                                                : RANKS * PIECE;

        access.holders.from[i] = from;
        access.holders.to[i] = from + length - 1;
    }
    return access;
}

static void ranks_that_interleave(void **state)
{
    atm_topology *topology = topology_of("nodes:4 ranks:4");
    atm_access everywhere = interleaved(EVERYWHERE), by_node = interleaved(BY_NODE);
    atm_access reversed = interleaved(REVERSED), unknown = interleaved(EVERYWHERE);

    (void) state;
    unknown.holders.count = 0;
    assert_float_equal(affinity_of(topology, &everywhere), 0.25, 1e-12);
    assert_float_equal(affinity_of(topology, &by_node), 1, 0);
    assert_float_equal(affinity_of(topology, &reversed), 1, 0);
    assert_float_equal(affinity_of(topology, &unknown), 0, 0);
    atm_topology_destroy(topology);
}

static void check_order(const atm_topology *topology, const atm_access *access, int count,
                        const int *expected)
{
    int ranks[RANKS];

    assert_int_equal(atm_place_near(topology, access, 0, count, ranks), ATM_OK);
    for (int i = 0; i < count; i++)
        assert_int_equal(ranks[i], expected[i]);
}

static void order_of_the_data(void **state)
{
    atm_topology *topology = topology_of("nodes:4 ranks:4");
    atm_access reversed = interleaved(REVERSED), everywhere = interleaved(EVERYWHERE);

    (void) state;
    check_order(topology, &in_order, 4, (const int[]){0, 4, 8, 12});
    check_order(topology, &reversed, 4, (const int[]){12, 8, 4, 0});
    check_order(topology, &everywhere, 4, (const int[]){0, 4, 8, 12});
    assert_int_equal(atm_place_near(topology, &reversed, 0, RANKS + 1, NULL), ATM_BAD_ARGUMENT);
    atm_topology_destroy(topology);
}

static void check_nodes(const atm_topology *topology, uint64_t block, int count,
                        const int *expected)
{
    bool seen[RANKS] = {false};
    int ranks[RANKS];

    assert_int_equal(atm_place_near(topology, &in_order, block, count, ranks), ATM_OK);
    for (int i = 0; i < count; i++) {
        assert_false(seen[ranks[i]]);
        seen[ranks[i]] = true;
        if (expected[i] >= 0)
            assert_int_equal(topology->node_of[ranks[i]], expected[i]);
    }
}

/* GPFS: the first parts are a block larger, or the last ones have none.  Who finds no
 * aggregator on the node of its data gets one that is left. */
static void parts_of_whole_blocks(void **state)
{
    atm_topology *topology = topology_of("nodes:4 ranks:4");

    (void) state;
    check_nodes(topology, 0, 12, (const int[]){0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3});
    check_nodes(topology, PIECE, 12, (const int[]){0, 0, 1, 1, 2, 2, 2, 0, 3, 3, 3, 1});
    check_nodes(topology, 2 * PIECE, 16,
                (const int[]){0, 0, 1, 1, 2, 2, 3, 3, -1, -1, -1, -1, -1, -1, -1, -1});
    check_nodes(topology, 2 * RANKS * PIECE, 4, (const int[]){2, -1, -1, -1});
    atm_topology_destroy(topology);
}

/* A bridge has one more than other nodes of its pset: the order is still that of the data. */
static void nodes_with_one_more(void **state)
{
    atm_topology *topology = topology_of("psets:2 nodes:4 bridges:1 ranks:2");

    (void) state;
    check_nodes(topology, 2 * PIECE, 10, (const int[]){0, 1, 2, 3, 4, 5, 6, 7, -1, -1});
    atm_topology_destroy(topology);
}

/* Psets of every other node: the aggregators of a part are in its pset, each used once. */
static void groups_that_alternate(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    const char *text = "{\"format\": \"romio-autotune-topology\", \"version\": 1, \"psets\": ["
                       "{\"nodes\": [{\"name\": \"a\"}, {\"name\": \"c\"}]},"
                       "{\"nodes\": [{\"name\": \"b\"}, {\"name\": \"d\"}]}]}";
    atm_topology *machine = NULL, *topology = NULL;
    atm_value *document = NULL;
    int node_of[RANKS];

    (void) state;
    for (int i = 0; i < RANKS; i++)
        node_of[i] = i / 4;
    assert_int_equal(atm_value_parse(text, strlen(text), "text", NULL, &document), ATM_OK);
    assert_int_equal(atm_topology_from_value(document, NULL, &machine), ATM_OK);
    assert_int_equal(atm_topology_for_job(machine, 4, names, RANKS, node_of, &topology), ATM_OK);
    check_order(topology, &in_order, 4, (const int[]){0, 4, 8, 12});
    /* both middles are in b and d, but c is as near to the second part */
    check_order(topology, &in_order, 2, (const int[]){4, 11});
    assert_float_equal(atm_job_of(topology).apart[2], 1, 0);
    assert_float_equal(atm_job_of(topology).apart[3], 0, 0);
    atm_topology_destroy(topology);
    atm_topology_destroy(machine);
    atm_value_destroy(document);
}

static int by_value(const void *a, const void *b)
{
    return *(const int *) a - *(const int *) b;
}

/* In the middle of their parts, unless most could be on bridges; as blocks make them. */
static void few_in_the_middle(void **state)
{
    atm_topology *plain = topology_of("nodes:8 ranks:2");
    atm_topology *bridged = topology_of("nodes:16 bridges:1");
    atm_access reversed = interleaved(REVERSED);

    (void) state;
    check_order(plain, &in_order, 3, (const int[]){2, 8, 13});
    check_order(plain, &reversed, 3, (const int[]){13, 8, 2});
    check_nodes(plain, 6 * PIECE, 3, (const int[]){1, 4, 7});
    check_order(bridged, &in_order, 5, (const int[]){1, 4, 8, 11, 14});
    check_order(bridged, &in_order, 4, (const int[]){0, 4, 8, 12});
    atm_topology_destroy(bridged);
    atm_topology_destroy(plain);
}

/* Psets that take turns, every so many nodes. */
static void few_and_even(void **state)
{
    enum { PSETS = 4, NODES = 64, PER_NODE = 4, ALL = NODES * PER_NODE };
    atm_topology *topology = topology_of("psets:4 nodes:16 ranks:4");

    (void) state;
    for (int run = 1; run <= 16; run *= 2)
        for (int count = PSETS; count < NODES; count++) {
            int ranks[ALL], in[PSETS] = {0};
            bool seen[NODES] = {false};

            for (int i = 0; i < NODES; i++)
                topology->node[i].pset = i / run % PSETS;
            assert_int_equal(atm_place_near(topology, &in_order, 0, count, ranks), ATM_OK);
            for (int i = 0; i < count; i++) {
                int node = topology->node_of[ranks[i]];

                assert_false(seen[node]);
                seen[node] = true;
                in[topology->node[node].pset]++;
            }
            for (int i = 0; i < PSETS; i++)
                assert_in_range(in[i], 0, (count + PSETS - 1) / PSETS + 1);
        }
    atm_topology_destroy(topology);
}

/* Where bridges count, only the order differs from bridge-first. */
static void the_same_ranks(void **state)
{
    atm_topology *topology = topology_of("psets:2 nodes:4 bridges:1 ranks:2");
    atm_access reversed = interleaved(REVERSED);
    int near[RANKS], first[RANKS];

    (void) state;
    for (int count = 1; count <= RANKS; count++) {
        assert_int_equal(atm_place_near(topology, &reversed, 0, count, near), ATM_OK);
        assert_int_equal(atm_place(topology, atm_policy_at(0), count, first), ATM_OK);
        qsort(near, (size_t) count, sizeof(int), by_value);
        qsort(first, (size_t) count, sizeof(int), by_value);
        assert_memory_equal(near, first, (size_t) count * sizeof(int));
    }
    atm_topology_destroy(topology);
}

/* --- what the counts make of it */

static void shares_by_hand(void **state)
{
    const atm_job alone = {.ranks = 16, .nodes = 1, .groups = 1};
    atm_job job = {.ranks = 16, .nodes = 4, .groups = 4, .apart = {0.25, 0.5, 1, 1, 1}};

    (void) state;
    for (int i = 5; i < ATM_APART; i++)
        job.apart[i] = 1;
    assert_float_equal(atm_far_in_order(&alone, 4, 1, ATM_BY_PSET), 0, 0);
    assert_float_equal(atm_far_in_order(&job, 8, 1, ATM_BY_PSET), 0.75, 0);
    assert_float_equal(atm_far_in_order(&job, 8, 1, ATM_BY_DATA), 0.125, 0); /* half a rank */
    assert_float_equal(atm_far_in_order(&job, 2, 1, ATM_BY_DATA), 0.5, 0);   /* two ranks */
    assert_float_equal(atm_far_in_order(&job, 8, 4, ATM_BY_DATA), 1, 0);     /* four */
    assert_float_equal(atm_far_in_order(&job, 1, 8, ATM_BY_DATA), 1, 0);
    assert_float_equal(atm_far_domains(&job, 8, ATM_BY_DATA), 0.5, 0);
    assert_float_equal(atm_far_domains(&job, 8, ATM_BY_PSET), 1, 0);
    assert_float_equal(atm_far_domains(&job, 1, ATM_BY_PSET), 0, 0);
    assert_float_equal(atm_far_domains(&alone, 9, ATM_BY_PSET), 0, 0);
}

static double feature_of(const atm_job *job, const atm_config *config, atm_operation operation,
                         atm_feature feature)
{
    atm_access access = {.write = true,
                         .active_ranks = 16,
                         .bytes_min = 1 << 20,
                         .bytes_max = 1 << 20,
                         .bytes = 16 << 20,
                         .end = (16 << 20) - 1,
                         .block = 1 << 20};
    atm_counts counts;

    assert_int_equal(atm_count(NULL, ATM_GPFS, job, &access, config, &counts), ATM_OK);
    for (int i = 0; i < counts.item_count; i++)
        if (counts.items[i].operation == operation)
            return counts.items[i].features[feature];
    return 0;
}

static double far_of(const atm_job *job, const atm_config *config, atm_operation operation)
{
    return feature_of(job, config, operation, ATM_FAR);
}

static void counted(void **state)
{
    const atm_job unknown = {.ranks = 16, .nodes = 4};
    const atm_job known = {.ranks = 16, .nodes = 4, .groups = 4, .apart = {0.25, 0.5, 1, 1, 1}};
    atm_config config = {.collective = true,
                         .aggregators = 8,
                         .buffer = 1 << 20,
                         .stripe_count = 1,
                         .co_ratio = 1,
                         .block = 1 << 20};

    (void) state;
    assert_float_equal(far_of(&known, &config, ATM_EXCHANGE), 1.125, 0);
    assert_float_equal(far_of(&known, &config, ATM_WRITE_FULL), 1.5, 0);
    assert_float_equal(far_of(&known, &config, ATM_ALLREDUCE), 1, 0);
    config.order = ATM_BY_PSET;
    assert_float_equal(far_of(&known, &config, ATM_EXCHANGE), 1.75, 0);
    assert_float_equal(far_of(&known, &config, ATM_WRITE_FULL), 2, 0);
    assert_float_equal(far_of(&unknown, &config, ATM_EXCHANGE), 1, 0);
}

static double link_of_strided(const atm_job *job, const atm_config *config, double affinity)
{
    atm_access access = {.write = true,
                         .strided = true,
                         .interleaved = true,
                         .active_ranks = 16,
                         .bytes_min = 1 << 20,
                         .bytes_max = 1 << 20,
                         .bytes = 16 << 20,
                         .end = (16 << 20) - 1,
                         .block = 1 << 10,
                         .stride = 16 << 10,
                         .affinity = affinity};
    atm_counts counts;
    double link = 0;

    assert_int_equal(atm_count(NULL, ATM_UFS, job, &access, config, &counts), ATM_OK);
    for (int i = 0; i < counts.item_count; i++)
        if (counts.items[i].operation == ATM_EXCHANGE && counts.items[i].part == ATM_SHUFFLE)
            link = counts.items[i].features[ATM_LINK];
    return link;
}

static double link_of_contiguous(const atm_job *job, const atm_config *config)
{
    return feature_of(job, config, ATM_EXCHANGE, ATM_LINK);
}

/* Links at the busiest place are counted as calibration counts them. */
static void accesses_counted(void **state)
{
    atm_topology *topology = topology_of("psets:2 nodes:4 ranks:2");
    const atm_job job = atm_job_of(topology);
    atm_config config = {
        .collective = true, .buffer = 1 << 20, .stripe_count = 1, .co_ratio = 1, .block = 1 << 20};
    int near[16];

    (void) state;
    for (int count = 1; count <= 16; count++) {
        config.aggregators = count;
        assert_int_equal(atm_place(topology, atm_policy_by_name("near"), count, near), ATM_OK);
        assert_float_equal(feature_of(&job, &config, ATM_WRITE_FULL, ATM_LINK),
                           (double) most_at(topology, near, count, false), 0);
        assert_float_equal(feature_of(&job, &config, ATM_WRITE_FULL, ATM_UPLINK),
                           (double) most_at(topology, near, count, true), 0);
    }
    atm_topology_destroy(topology);
}

/* Links of few and many aggregators near the data are counted as calibration counts the same
 * messages: a MiB of each rank, for one aggregator or for every one. */
static void links_counted(void **state)
{
    atm_topology *topology = topology_of("nodes:4 ranks:4");
    const atm_job job = atm_job_of(topology), unknown = {.ranks = 16, .nodes = 4};
    atm_config config = {.collective = true, .buffer = 64 << 20, .stripe_count = 1, .co_ratio = 1};
    int near[16];

    (void) state;
    for (int count = 1; count <= 16; count *= 2) {
        config.aggregators = count;
        assert_int_equal(atm_place(topology, atm_policy_by_name("near"), count, near), ATM_OK);
        assert_float_equal(link_of_contiguous(&job, &config),
                           1 + (double) link_messages(topology, near, count, 1), 0);
        assert_float_equal(link_of_strided(&job, &config, 0),
                           1 + (double) link_messages(topology, near, count, count), 1e-9);
    }
    assert_float_equal(feature_of(&job, &config, ATM_ALLREDUCE, ATM_LINK), 1, 0);
    assert_float_equal(link_of_strided(&job, &config, 1), 1, 0); /* each node holds its part */
    config.aggregators = 2; /* from the node beside it, known or not */
    assert_float_equal(link_of_contiguous(&job, &config), 5, 0);
    assert_float_equal(link_of_contiguous(&unknown, &config), 5, 0);
    assert_true(link_of_strided(&job, &config, 1) > 1);
    config.aggregators = 4;
    config.order = ATM_BY_PSET; /* three of four leave a node */
    assert_float_equal(link_of_contiguous(&job, &config), 4, 0);
    atm_topology_destroy(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_apart),
        cmocka_unit_test(ranks_astray),
        cmocka_unit_test(messages_of_a_link),
        cmocka_unit_test(ranks_at_a_place),
        cmocka_unit_test(accesses_counted),
        cmocka_unit_test(ranks_that_interleave),
        cmocka_unit_test(groups_that_alternate),
        cmocka_unit_test(order_of_the_data),
        cmocka_unit_test(parts_of_whole_blocks),
        cmocka_unit_test(nodes_with_one_more),
        cmocka_unit_test(few_in_the_middle),
        cmocka_unit_test(few_and_even),
        cmocka_unit_test(the_same_ranks),
        cmocka_unit_test(shares_by_hand),
        cmocka_unit_test(counted),
        cmocka_unit_test(links_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
