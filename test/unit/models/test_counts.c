/* Operation counts: the paper's numbers and numbers worked out by hand.
 * test/unit/models/trace compares with real runs. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "counts_help.h"

#define MB UINT64_C(1048576)

static const atm_cost_item *item_of(const atm_counts *counts, atm_operation operation)
{
    for (int i = 0; i < counts->item_count; i++)
        if (counts->items[i].operation == operation)
            return &counts->items[i];
    fail_msg("no %s", atm_operation_name(operation));
    return NULL;
}

/* --- the paper */

static void check_item(const atm_cost_item *item, atm_operation operation, double count,
                       double senders, double receivers, double bytes)
{
    assert_int_equal(item->operation, operation);
    assert_float_equal(item->count, count, 0);
    assert_float_equal(item->features[ATM_SENDERS], senders, 0);
    assert_float_equal(item->features[ATM_RECEIVERS], receivers, 1e-9 * receivers);
    assert_float_equal(item->features[ATM_BYTES], bytes, 0);
}

/* 128 nodes, 520 aggregators of 32 MB: a round has 16,640 MB.  With 256 MB of each
 * rank there are 31 such rounds and one with 8,448 MB. */
static void final_equation(void **state)
{
    const atm_count_model *model = atm_count_model_by_name("isaila");
    const atm_job job = {.ranks = 2048, .nodes = 128};
    const atm_access access = ior(2048, 256 * MB);
    const atm_config config = two_phase(520, 32 * MB);
    const double n_c = 2048, n_a = 520, s_cb = 32.0 * MB, s_i = 8448.0 * MB;
    atm_counts counts;

    (void) state;
    assert_int_equal(atm_count(model, ATM_GPFS, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.full_rounds, 31);
    assert_int_equal(counts.partial_rounds, 1);
    assert_int_equal(counts.item_count, 11);
    check_item(&counts.items[0], ATM_ALLREDUCE, 1, n_c, n_c, 16 * n_c);
    check_item(&counts.items[1], ATM_ALLREDUCE, 1, n_c, n_c, 4);
    check_item(&counts.items[2], ATM_ALLTOALL, 1, n_c, n_c, 4);
    check_item(&counts.items[3], ATM_ALLTOALL, 32, n_c, n_c, 4);
    check_item(&counts.items[4], ATM_EXCHANGE, 1, n_c, n_a, 4);
    check_item(&counts.items[5], ATM_EXCHANGE, 1, n_c, n_a, 8);
    check_item(&counts.items[6], ATM_EXCHANGE, 31, n_a, n_a, s_cb);
    check_item(&counts.items[7], ATM_EXCHANGE, 1, s_i / s_cb, s_i / s_cb, s_cb);
    check_item(&counts.items[8], ATM_WRITE_FIRST, 1, n_c, n_a, s_cb);
    check_item(&counts.items[9], ATM_WRITE_FULL, 30, n_c, n_a, s_cb);
    check_item(&counts.items[10], ATM_WRITE_PARTIAL, 1, n_c, s_i / s_cb, s_cb);
    assert_float_equal(counts.items[9].features[ATM_RECEIVERS] *
                           counts.items[9].features[ATM_BYTES],
                       16640.0 * MB, 0);
    assert_float_equal(counts.items[8].features[ATM_PER_NODE], 520.0 / 128, 0);
}

/* 544 writers of 16 MB on 512 nodes; r_c = 0 leaves the first round only. */
static void worked_numbers(void **state)
{
    const atm_count_model *model = atm_count_model_by_name("isaila");
    const atm_job job = {.ranks = 8192, .nodes = 512};
    const int n_a =
        (16 + 1) * 8 * 512 / 128; /* equation 2: 16 more for each of 8 bridges of 128 nodes */
    const atm_config config = two_phase(n_a, 16 * MB);
    atm_access access = ior(8192, MB);
    atm_counts counts;

    (void) state;
    assert_int_equal(n_a, 544);
    assert_int_equal(atm_count(model, ATM_GPFS, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.full_rounds, 0);
    assert_int_equal(counts.partial_rounds, 1);
    assert_float_equal(item_of(&counts, ATM_WRITE_FIRST)->features[ATM_RECEIVERS], 544, 0);
    assert_float_equal(item_of(&counts, ATM_WRITE_PARTIAL)->features[ATM_RECEIVERS], 512, 1e-9);

    /* The rounds of the equations are those of the code where n_a divides all. */
    access = ior(8192, 17 * MB);
    assert_int_equal(atm_count(model, ATM_GPFS, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.rounds, 16);
    assert_int_equal(counts.partial_rounds, 0);
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.rounds, 16);
    assert_int_equal(counts.partial_rounds, 0);
    assert_int_equal(counts.accesses, 16 * 544);
}

/* --- by hand */

/* 4 ranks x 100 bytes, 2 aggregators of 64: windows 0 64 128 192 | 200 264 328 392.
 * Rank 0 is in windows 1 and 2, rank 1 in 2, 3 and 4, and so on. */
static void generic_by_hand(void **state)
{
    const atm_job job = {.ranks = 4, .nodes = 2};
    const atm_access access = ior(4, 100);
    const atm_config config = two_phase(2, 64);
    atm_counts counts;

    (void) state;
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_OK);
    assert_true(counts.exact_accesses && counts.exact_messages);
    assert_int_equal(counts.rounds, 4);
    assert_int_equal(counts.full_rounds, 3);
    assert_int_equal(counts.domains, 2);
    assert_int_equal(counts.bytes_per_aggregator, 200);
    assert_int_equal(counts.accesses, 8);
    assert_int_equal(counts.access_bytes, 400);
    assert_int_equal(counts.access_min, 8);
    assert_int_equal(counts.access_max, 64);
    assert_int_equal(counts.allgathers, 2);
    assert_int_equal(counts.alltoalls, 5);
    assert_int_equal(counts.allreduces, 2);
    assert_int_equal(counts.bcasts, 0);
    assert_int_equal(counts.request_messages, 4);
    assert_int_equal(counts.request_bytes, 64);
    assert_int_equal(counts.data_messages, 10);
    assert_int_equal(counts.memory_per_node, 64);
    assert_float_equal(item_of(&counts, ATM_WRITE_FIRST)->features[ATM_BYTES], 64, 0);
    assert_float_equal(item_of(&counts, ATM_WRITE_FULL)->count, 2, 0);
    assert_float_equal(item_of(&counts, ATM_WRITE_PARTIAL)->features[ATM_BYTES], 8, 0);
}

/* Each of 16 ranks on 4 nodes fills a buffer: in a round one of them sends to each of the
 * 2 aggregators, and the others have no part in the exchange. */
static void few_have_messages(void **state)
{
    const atm_job job = {.ranks = 16, .nodes = 4};
    const atm_access access = ior(16, MB);
    const atm_config config = two_phase(2, MB);
    const atm_cost_item *shuffle = NULL;
    atm_counts counts;

    (void) state;
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_OK);
    for (int i = 0; i < counts.item_count; i++)
        if (counts.items[i].operation == ATM_EXCHANGE && counts.items[i].part == ATM_SHUFFLE)
            shuffle = &counts.items[i];
    assert_non_null(shuffle);
    check_item(shuffle, ATM_EXCHANGE, 8, 2, 2, (double) MB);
    assert_float_equal(shuffle->features[ATM_MESSAGES], 2, 0);
    assert_float_equal(shuffle->features[ATM_NODES], 2, 0);
    assert_float_equal(shuffle->features[ATM_PER_NODE], 1, 0);
    assert_float_equal(item_of(&counts, ATM_ALLGATHER)->features[ATM_PER_NODE], 4, 0);
}

static void lustre_by_hand(void **state)
{
    static const int expected[][4] = {
        {6, 7, 1, 1},  {16, 17, 1, 1}, {12, 16, 1, 8},  {15, 16, 1, 8}, {64, 72, 1, 36},
        {16, 8, 1, 8}, {16, 8, 2, 16}, {42, 20, 3, 40}, {8, 60, 1, 6},  {1, 1, 1, 1},
        {2, 8, 1, 2},  {8, 16, 1, 8},  {3, 9, 1, 3},    {4, 0, 1, 0}};
    const atm_job job = {.ranks = 4, .nodes = 1};
    atm_config config = two_phase(4, 1000);
    atm_access access = ior(4, 100);
    atm_counts counts;

    (void) state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(atm_lustre_writers(expected[i][0], expected[i][1], expected[i][2]),
                         expected[i][3]);

    /* 400 bytes from 50: stripes of 64 from 0 to 7, the first with 14, the last
     * with 2 bytes, in turn to 2 writers. */
    config.stripe_size = 64;
    config.stripe_count = 2;
    config.co_ratio = 1;
    access.start += 50;
    access.end += 50;
    assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.rounds, 4);
    assert_int_equal(counts.domains, 2);
    assert_int_equal(counts.accesses, 8);
    assert_int_equal(counts.access_min, 2);
    assert_int_equal(counts.bytes_per_aggregator, 14 + 3 * 64);
    assert_int_equal(counts.alltoalls, 1);
    assert_int_equal(counts.allreduces, 6);
    assert_int_equal(counts.memory_per_node, 4 * 1000 + 2 * 64);
}

static void check_round(const atm_counts *counts, atm_operation operation, double receivers,
                        double bytes, double moved)
{
    const atm_cost_item *item = item_of(counts, operation);

    assert_float_equal(item->count, 1, 0);
    assert_float_equal(item->features[ATM_RECEIVERS], receivers, 0);
    assert_float_equal(item->features[ATM_BYTES], bytes, 0);
    assert_float_equal(item->moved, moved, 1e-9);
}

/* 168 bytes from 50: of stripes of 64 the first has 14, then 64, 64 and 26.  In a round of three
 * stripes all wait for one with 64, of two stripes of 128 for one with 90; by the summary as well
 * as by the pieces. */
static void lustre_waits_for_the_largest(void **state)
{
    const atm_job job = {.ranks = 4, .nodes = 1};
    const atm_piece pieces[] = {{50, 42, 0}, {92, 42, 1}, {134, 42, 2}, {176, 42, 3}};
    atm_config config = two_phase(4, 1000);
    atm_access access = ior(4, 42);
    atm_counts counts;

    (void) state;
    config.co_ratio = 1;
    config.stripe_size = 64;
    access.new_file = false;
    access.start += 50;
    access.end += 50;
    for (int i = 0; i < 2; i++) {
        config.stripe_count = 3;
        assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &access, &config, &counts), ATM_OK);
        check_round(&counts, ATM_WRITE_FULL, 3, 64, 14 + 64 + 64);
        check_round(&counts, ATM_WRITE_PARTIAL, 1, 26, 26);
        config.stripe_count = 4;
        assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &access, &config, &counts), ATM_OK);
        check_round(&counts, ATM_WRITE_FULL, 4, 64, 168);
        config.stripe_size = 128;
        assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &access, &config, &counts), ATM_OK);
        check_round(&counts, ATM_WRITE_PARTIAL, 2, 90, 168);
        config.stripe_size = 64;
        access.pieces = pieces;
        access.piece_count = 4;
    }
}

/* 17 blocks for 3 aggregators: 6, 6, 5 (ad_gpfs_aggrs.c:265 has them the other way
 * round). */
static void gpfs_by_hand(void **state)
{
    const atm_job job = {.ranks = 17, .nodes = 1};
    const atm_access access = ior(17, 8 * MB);
    atm_config config = two_phase(3, 8 * MB);
    atm_counts counts;

    (void) state;
    config.block = 8 * MB;
    assert_int_equal(atm_count(NULL, ATM_GPFS, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.rounds, 6);
    assert_int_equal(counts.accesses, 17);
    assert_int_equal(counts.data_messages, 17);
    assert_int_equal(counts.alltoallvs, 7);
    assert_int_equal(counts.alltoalls, 7);
    assert_int_equal(counts.allreduces, 2);
    assert_int_equal(counts.bytes_per_aggregator, 48 * MB);
}

/* Ends on the first byte of a block: ad_gpfs_aggrs.c:233 does not count that
 * block, and leaves the byte to the last domain. */
static void gpfs_last_byte(void **state)
{
    const atm_job job = {.ranks = 4, .nodes = 1};
    const atm_access access = ior(1, 1025);
    atm_config config = two_phase(2, 4096);
    atm_counts counts;

    (void) state;
    config.block = 512;
    assert_int_equal(atm_count(NULL, ATM_GPFS, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.domains, 2);
    assert_int_equal(counts.access_min, 512);
    assert_int_equal(counts.access_max, 513);
}

/* Bytes that a rank tells in all calls of an operation. */
static double told(const atm_counts *counts, atm_operation operation)
{
    double bytes = 0;

    for (int i = 0; i < counts->item_count; i++)
        if (counts->items[i].operation == operation)
            bytes += counts->items[i].count * counts->items[i].features[ATM_BYTES];
    return bytes;
}

/* An alltoall tells counts and nothing else.  Allreduces of Lustre tell 16 bytes for each of 4
 * ranks, 8 and the number of requests, 2 x 8, and 4 at the end. */
static void counts_grow(void **state)
{
    static const struct {
        int mpich;
        double count;
    } versions[] = {{0, 4}, {40002, 4}, {40201, 4}, {40202, 8}, {50001, 8}};
    const atm_access access = ior(4, 100);
    atm_config config = two_phase(2, 64);
    atm_counts counts;

    (void) state;
    config.stripe_size = config.block = 64;
    config.co_ratio = 1;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        const atm_job job = {.ranks = 4, .nodes = 2, .mpich = versions[i].mpich};
        const double count = versions[i].count;

        for (int driver = 0; driver < ATM_LUSTRE; driver++) {
            assert_int_equal(atm_count(NULL, (atm_driver) driver, &job, &access, &config, &counts),
                             ATM_OK);
            assert_float_equal(told(&counts, ATM_ALLTOALL), (double) counts.alltoalls * count, 0);
        }
        assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &access, &config, &counts), ATM_OK);
        assert_float_equal(told(&counts, ATM_ALLTOALL), count, 0);
        assert_float_equal(told(&counts, ATM_ALLREDUCE), 64 + 8 + count + 16 + 4, 0);
    }
}

/* 4 ranks read 100 pieces of 4 bytes each, dealt out: of 2 aggregators, each has 200 in a domain of
 * 800 bytes and 13 windows of 64. */
static void requests_are_compared(void **state)
{
    static const struct {
        int mpich;
        atm_driver driver;
        bool write;
        double compared;
    } cases[] = {{0, ATM_UFS, false, 0},        {40099, ATM_UFS, false, 0},
                 {40100, ATM_UFS, false, 1400}, {50001, ATM_LUSTRE, false, 1400},
                 {50001, ATM_GPFS, false, 0},   {50001, ATM_UFS, true, 0}};
    atm_config config = two_phase(2, 64);
    atm_counts counts, calls;

    (void) state;
    config.stripe_size = config.block = 64;
    config.co_ratio = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const atm_job job = {.ranks = 4, .nodes = 2, .mpich = cases[i].mpich};
        atm_access access = ior(4, 400);

        access.strided = access.interleaved = true;
        access.block = 4;
        access.stride = 16;
        access.write = cases[i].write;
        assert_int_equal(atm_count(NULL, cases[i].driver, &job, &access, &config, &counts), ATM_OK);
        assert_float_equal(counts.compared, cases[i].compared, 0);
        assert_int_equal(atm_count_calls(NULL, cases[i].driver, &job, &access, &config, 3, &calls),
                         ATM_OK);
        assert_float_equal(calls.compared, 3 * cases[i].compared, 0);
    }
}

static void independent_by_hand(void **state)
{
    const atm_job job = {.ranks = 4, .nodes = 2};
    atm_access access = ior(4, 100);
    atm_config config = {.stripe_count = 1, .aggregators = 3, .buffer = 10};
    atm_counts counts;

    (void) state;
    assert_int_equal(atm_count(NULL, ATM_NFS, &job, &access, &config, &counts), ATM_OK);
    assert_true(counts.exact_accesses);
    assert_int_equal(counts.accesses, 4);
    assert_int_equal(counts.item_count, 1);
    assert_int_equal(counts.memory_per_node, 20);

    /* What ROMIO does by default with ranks that are not interleaved. */
    config = two_phase(2, 64);
    config.automatic = true;
    assert_string_equal(atm_count_model_for(ATM_UFS, &access, &config)->name, "independent");
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.allgathers, 2);
    assert_int_equal(counts.accesses, 4);
    assert_string_equal(atm_count_model_for(ATM_LUSTRE, &access, &config)->name, "lustre");
    access.interleaved = true;
    assert_string_equal(atm_count_model_for(ATM_UFS, &access, &config)->name, "generic");

    /* Pieces of 10 at 40: a window of the sieve for each rank, read and written. */
    access.strided = true;
    access.block = 10;
    access.stride = 40;
    config = (atm_config){.stripe_count = 1};
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_OK);
    assert_false(counts.exact_accesses);
    assert_int_equal(counts.accesses, 4);
    assert_int_equal(counts.access_bytes, 4 * 370);
    assert_int_equal(counts.sieve_accesses, 4);
}

static void models_by_name(void **state)
{
    int count = 0;

    (void) state;
    for (const atm_count_model *model; (model = atm_count_model_at(count)) != NULL; count++) {
        assert_ptr_equal(atm_count_model_by_name(model->name), model);
        assert_true(model->write || model->read);
    }
    assert_int_equal(count, 6);
    assert_null(atm_count_model_by_name("none"));
    assert_null(atm_count_model_at(-1));
    assert_int_equal(atm_count_model_by_name("isaila")->drivers, 0);
}

/* 10 stripes on 12 servers have one each; of 16, four servers have two, and all wait for these. */
static void servers_of_stripes(void **state)
{
    const uint64_t mib = 1 << 20;

    (void) state;
    assert_float_equal(atm_servers_of_stripes(10 * mib, mib, 12), 10, 0);
    assert_float_equal(atm_servers_of_stripes(12 * mib, mib, 12), 12, 0);
    assert_float_equal(atm_servers_of_stripes(16 * mib, mib, 12), 8, 0);
    assert_float_equal(atm_servers_of_stripes(32 * mib, mib, 12), 32 / 3.0, 1e-12);
    assert_float_equal(atm_servers_of_stripes(32768, mib, 12), 1, 0);
    assert_float_equal(atm_servers_of_stripes(32 * mib, mib, 1), 1, 0);
    assert_float_equal(atm_servers_of_stripes(0, mib, 12), 1, 0);
}

/* A writer has one stripe in a round: 6 writers access 6 of 12 servers, 24 all of them.
 * Aggregators, servers in a round and, if it has fewer of the 30 stripes, in the last; of 5
 * aggregators 4 write. */
static void servers_of_writers(void **state)
{
    static const double expected[][3] = {{1, 1, 0}, {5, 4, 2}, {6, 6, 0}, {12, 12, 6}, {24, 12, 6}};
    const atm_job job = {.ranks = 30, .nodes = 1};
    const atm_access access = ior(30, MB);
    atm_counts counts;

    (void) state;
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        atm_config config = two_phase((int) expected[i][0], 16 * MB);

        config.stripe_size = MB;
        config.stripe_count = 12;
        config.co_ratio = config.aggregators > 12 ? 2 : 1;
        assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &access, &config, &counts), ATM_OK);
        assert_float_equal(item_of(&counts, ATM_WRITE_FIRST)->features[ATM_STRIPES], expected[i][1],
                           1e-12);
        if (expected[i][2] > 0)
            assert_float_equal(item_of(&counts, ATM_WRITE_PARTIAL)->features[ATM_STRIPES],
                               expected[i][2], 1e-12);
    }
}

/* Each rank is in the middle of a part of its own. */
static atm_access in_segments(int ranks, uint64_t bytes, uint64_t part)
{
    atm_access access = ior(ranks, bytes);

    access.holes = true;
    access.end = part * (uint64_t) (ranks - 1) + bytes - 1;
    return access;
}

static double storage_feature(const atm_counts *counts, atm_feature feature)
{
    for (int i = 0; i < counts->item_count; i++)
        if (counts->items[i].part == ATM_STORAGE)
            return counts->items[i].features[feature];
    return 0;
}

/* Parts that are a multiple of all stripes: in each call every rank is at the same target. */
static void segments_meet_targets(void **state)
{
    const atm_job job = {.ranks = 8, .nodes = 4};
    const atm_access access = in_segments(8, MB, 8 * MB);
    atm_config config = {
        .aggregators = 8, .buffer = 16 * MB, .stripe_size = MB, .stripe_count = 8, .co_ratio = 1};
    atm_counts counts;

    (void) state;
    assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &access, &config, &counts), ATM_OK);
    assert_true(storage_feature(&counts, ATM_STRIPES) == 1);
    config.stripe_size = 8 * MB;
    assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &access, &config, &counts), ATM_OK);
    assert_true(storage_feature(&counts, ATM_STRIPES) == 8);
    config.stripe_size = MB;
    config.stripe_count = 7;
    assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &access, &config, &counts), ATM_OK);
    assert_true(storage_feature(&counts, ATM_STRIPES) == 4); /* one has two */

    config.collective = true; /* all stripes are one writer's, one after the other */
    config.stripe_count = 8;
    assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.accesses, 8);
    assert_int_equal(counts.domains, 1);
    assert_true(storage_feature(&counts, ATM_RECEIVERS) == 1);
    assert_true(storage_feature(&counts, ATM_STRIPES) == 1);
    assert_false(counts.exact_accesses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_meet_targets), cmocka_unit_test(final_equation),
        cmocka_unit_test(worked_numbers),        cmocka_unit_test(generic_by_hand),
        cmocka_unit_test(few_have_messages),     cmocka_unit_test(lustre_waits_for_the_largest),
        cmocka_unit_test(lustre_by_hand),        cmocka_unit_test(gpfs_by_hand),
        cmocka_unit_test(gpfs_last_byte),        cmocka_unit_test(counts_grow),
        cmocka_unit_test(requests_are_compared), cmocka_unit_test(independent_by_hand),
        cmocka_unit_test(models_by_name),        cmocka_unit_test(servers_of_stripes),
        cmocka_unit_test(servers_of_writers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
