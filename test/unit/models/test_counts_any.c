/* What must hold of the operation counts of every access, by random ones. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "common/rng.h"
#include "counts_help.h"
#include "summarise.h"

#define CASES 10000
#define MANY_RANKS 400
#define MAX_PIECES (9 * MANY_RANKS)

static uint64_t draw(uint64_t *state, uint64_t below)
{
    return rng_next(state) % below;
}

/* below one or the other */
static uint64_t draw_either(uint64_t *state, uint64_t one, uint64_t other)
{
    uint64_t below = draw(state, 2) ? one : other;

    return draw(state, below);
}

/* below 2^n, n below `bits` */
static uint64_t draw_bits(uint64_t *state, uint64_t bits)
{
    uint64_t n = draw(state, bits);

    return draw(state, UINT64_C(1) << n);
}

static atm_config random_config(uint64_t *random, atm_driver driver, int ranks)
{
    int aggregators = 1 + (int) draw(random, (uint64_t) ranks);
    uint64_t buffer = 1 + draw_either(random, 50, 3000);
    atm_config config = two_phase(aggregators, buffer);

    if (driver == ATM_GPFS)
        config.block = 1 + draw(random, 300);
    else if (driver == ATM_LUSTRE || draw(random, 2))
        config.stripe_size = 1 + draw_either(random, 40, 600);
    config.stripe_count = driver == ATM_LUSTRE ? 1 + (int) draw(random, 12) : 1;
    config.co_ratio = 1 + (int) draw(random, 3);
    return config;
}

/* Blocks of one size in turn to the ranks; once, or several times. */
static atm_access random_blocks(uint64_t *random, int ranks, atm_piece *pieces)
{
    uint64_t block = 1 + draw_either(random, 8, 300);
    uint64_t at = draw(random, 1000);
    int times = draw(random, 2) && ranks > 1 ? 2 + (int) draw(random, 8) : 1;
    size_t count = 0;
    atm_access access;

    for (int i = 0; i < times; i++)
        for (int rank = 0; rank < ranks; rank++, at += block)
            pieces[count++] = (atm_piece){at, block, rank};
    assert_int_equal(access_summarise(pieces, count, &access), ATM_OK);
    access.write = draw(random, 2);
    access.new_file = draw(random, 2);
    return access;
}

/* Messages counted from the summary are estimates, but good ones. */
static void take_messages(atm_counts *counts, const atm_counts *exact)
{
    assert_float_equal((double) counts->data_messages, (double) exact->data_messages,
                       0.25 * (double) exact->data_messages);
    counts->exact_messages = true;
    counts->request_messages = exact->request_messages;
    counts->request_bytes = exact->request_bytes;
    counts->data_messages = exact->data_messages;
    for (int i = 0; i < counts->item_count; i++)
        if (counts->items[i].part != ATM_STORAGE)
            counts->items[i] = exact->items[i];
}

/* The list of pieces and their summary give the same numbers and items. */
static void summary_like_pieces(void **state)
{
    atm_piece pieces[MAX_PIECES];
    uint64_t random = 1;
    int exact = 0;

    (void) state;
    for (int i = 0; i < CASES; i++) {
        atm_driver driver = (atm_driver) draw(&random, ATM_DRIVER_COUNT);
        const uint64_t most = draw(&random, 8) ? 40 : MANY_RANKS;
        const atm_job job = {.ranks = 1 + (int) draw(&random, most), .nodes = 1};
        atm_access access = random_blocks(&random, job.ranks, pieces);
        const atm_config config = random_config(&random, driver, job.ranks);
        atm_counts by_pieces, by_summary;

        assert_int_equal(atm_count(NULL, driver, &job, &access, &config, &by_pieces), ATM_OK);
        assert_true(by_pieces.exact_accesses && by_pieces.exact_messages);
        access.pieces = NULL;
        assert_int_equal(atm_count(NULL, driver, &job, &access, &config, &by_summary), ATM_OK);
        assert_true(by_summary.exact_accesses);
        exact += by_summary.exact_messages;
        if (!by_summary.exact_messages) {
            assert_true(config.stripe_size != 0);
            assert_true(driver == ATM_LUSTRE && access.write ? access.strided
                                                             : config.aggregators > 32);
            take_messages(&by_summary, &by_pieces);
        }
        for (int k = 0; k < by_summary.item_count; k++) { /* shares are rounded down */
            atm_cost_item *a = &by_summary.items[k], *b = &by_pieces.items[k];
            assert_float_equal(a->features[ATM_BYTES], b->features[ATM_BYTES], 1);
            a->features[ATM_BYTES] = b->features[ATM_BYTES];
        }
        assert_memory_equal(&by_summary, &by_pieces, sizeof by_summary);
    }
    assert_true(exact > CASES / 2);
}

static bool is_write(atm_operation operation)
{
    return operation == ATM_WRITE_FIRST || operation == ATM_WRITE_FULL ||
           operation == ATM_WRITE_PARTIAL || operation == ATM_WRITE_INDEPENDENT;
}

/* Items are finite and positive, and their sums are those of the fields. */
static void check_items(const atm_access *access, const atm_counts *counts, bool sums)
{
    double rounds = 0, written = 0, accesses = 0, moved = 0;
    bool in_turn = false; /* ranks that lock what others want */

    assert_in_range(counts->item_count, 1, ATM_MAX_COST_ITEMS);
    for (int i = 0; i < counts->item_count; i++) {
        const atm_cost_item *item = &counts->items[i];
        assert_true(isfinite(item->count) && item->count > 0);
        for (int k = 0; k < ATM_FEATURE_COUNT; k++)
            assert_true(isfinite(item->features[k]) && item->features[k] > 0);
        if (is_write(item->operation)) {
            in_turn =
                item->operation == ATM_WRITE_INDEPENDENT && access->strided && access->interleaved;
            rounds += item->count;
            accesses += item->count * item->features[ATM_RECEIVERS];
            written += item->count * item->moved;
            assert_true(item->moved <=
                        (1 + 1e-9) * item->features[ATM_RECEIVERS] * item->features[ATM_BYTES]);
        }
        if (item->operation == ATM_EXCHANGE && item->part == ATM_SHUFFLE)
            moved += item->count;
    }
    if (!access->write || !sums)
        return;
    if (access->holes) /* some rounds may have no data */
        assert_true(rounds <= (1 + 1e-9) * (double) (in_turn ? counts->accesses : counts->rounds));
    else
        assert_float_equal(rounds, (double) (in_turn ? counts->accesses : counts->rounds),
                           1e-9 * rounds);
    assert_float_equal(accesses, (double) counts->accesses, 1e-9 * accesses);
    assert_float_equal(written, (double) counts->access_bytes, 1e-9 * written);
    assert_true(moved == 0 || moved == (double) counts->rounds ||
                (access->holes && moved < (double) counts->rounds));
}

/* A job of any size; bytes, blocks and buffers of any size. */
static void large_summaries(void **state)
{
    uint64_t random = 2;

    (void) state;
    for (int i = 0; i < CASES; i++) {
        atm_driver driver = (atm_driver) draw(&random, ATM_DRIVER_COUNT);
        const int ranks = 1 + (int) draw_bits(&random, 21);
        const int nodes = 1 + (int) draw(&random, (uint64_t) ranks);
        const atm_job job = {.ranks = ranks, .nodes = nodes};
        atm_access access = ior(ranks, 1 + draw_bits(&random, 36));
        atm_config config = random_config(&random, driver, ranks);
        atm_counts counts, again;

        config.collective = draw(&random, 4) != 0;
        config.buffer = 1 + draw_bits(&random, 30);
        if (config.stripe_size != 0)
            config.stripe_size = 1 + draw_bits(&random, 30);
        uint64_t start = draw(&random, UINT64_C(1) << 40);
        access.start += start;
        access.end += start;
        if (draw(&random, 3) == 0 && ranks > 1) {
            access.strided = access.interleaved = true;
            access.block = 1 + draw(&random, access.bytes_max);
            access.stride = access.block * (uint64_t) ranks;
            access.stride = access.stride > access.end ? 0 : access.stride;
        }
        if (draw(&random, 3) == 0) {
            access.holes = true;
            access.end += draw(&random, access.bytes);
        }
        assert_int_equal(atm_count(NULL, driver, &job, &access, &config, &counts), ATM_OK);
        check_items(&access, &counts, true);
        assert_int_equal(counts.rounds, counts.full_rounds + counts.partial_rounds);
        assert_true(counts.domains <= ranks);
        assert_true(counts.access_min <= counts.access_max);
        assert_true(counts.bytes_per_aggregator <= counts.access_bytes);
        if (config.collective) {
            uint64_t window =
                driver == ATM_LUSTRE && access.write ? config.stripe_size : config.buffer;
            assert_true(counts.access_max <= window);
            if (access.holes)
                assert_in_range(counts.access_bytes, access.bytes, access.end - access.start + 1);
            else
                assert_int_equal(counts.access_bytes, access.end - access.start + 1);
            assert_true(counts.data_messages >= counts.accesses);
        }
        assert_int_equal(atm_count(NULL, driver, &job, &access, &config, &again), ATM_OK);
        assert_memory_equal(&counts, &again, sizeof counts);
    }
}

static uint64_t draw_any(uint64_t *state)
{
    uint64_t bits = draw(state, UINT64_MAX);

    return bits >> draw(state, 64);
}

/* One assignment for each draw: initialisers are evaluated in any order. */
static atm_job any_job(uint64_t *random)
{
    atm_job job = {0};

    job.ranks = (int) draw_any(random);
    job.nodes = (int) draw_any(random);
    return job;
}

static atm_access any_access(uint64_t *random)
{
    atm_access access = {0};

    access.write = draw_any(random) & 1;
    access.strided = draw_any(random) & 1;
    access.interleaved = draw_any(random) & 1;
    access.holes = draw_any(random) & 1;
    access.new_file = draw_any(random) & 1;
    access.active_ranks = (int) draw_any(random);
    access.bytes_min = draw_any(random);
    access.bytes_max = draw_any(random);
    access.bytes = draw_any(random);
    access.start = draw_any(random);
    access.end = draw_any(random);
    access.block = draw_any(random);
    access.stride = draw_any(random);
    return access;
}

static atm_config any_config(uint64_t *random)
{
    atm_config config = {0};

    config.collective = draw_any(random) & 1;
    config.automatic = draw_any(random) & 1;
    config.aggregators = (int) draw_any(random);
    config.buffer = draw_any(random);
    config.stripe_size = draw_any(random);
    config.stripe_count = (int) draw_any(random);
    config.co_ratio = (int) draw_any(random);
    config.block = draw_any(random);
    return config;
}

/* Anything at all is refused or counted. */
static void hostile_input(void **state)
{
    uint64_t random = 3;
    int counted = 0;

    (void) state;
    for (int i = 0; i < CASES; i++) {
        const atm_job job = any_job(&random);
        atm_access access = any_access(&random);
        const atm_config config = any_config(&random);
        const atm_count_model *model = atm_count_model_at((int) draw(&random, 8));
        const atm_driver driver = (atm_driver) draw(&random, 5);
        atm_counts counts;

        if (draw(&random, 2)) { /* likelier to be taken */
            access.active_ranks = job.ranks;
            access.bytes = access.bytes_max = access.bytes_min;
            access.holes = true;
            access.active_ranks = 1;
        }
        atm_status status = atm_count(model, driver, &job, &access, &config, &counts);
        if (status == ATM_OK) {
            counted++;
            if (counts.item_count > 0 && access.bytes > 0)
                check_items(&access, &counts, false);
        } else {
            assert_int_equal(status, ATM_BAD_ARGUMENT);
        }
    }
    assert_true(counted > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_like_pieces),
        cmocka_unit_test(large_summaries),
        cmocka_unit_test(hostile_input),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
