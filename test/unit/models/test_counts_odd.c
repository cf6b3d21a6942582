/* Operation counts of accesses that are empty, irregular or impossible. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "counts_help.h"
#include "summarise.h"

static void nothing_to_do(void **state)
{
    const atm_job job = {.ranks = 4, .nodes = 1};
    const atm_access access = {.write = true};
    atm_config config = two_phase(2, 64);
    atm_counts counts;

    (void) state;
    config.stripe_size = 64;
    config.co_ratio = 1;
    for (int driver = 0; driver < ATM_DRIVER_COUNT; driver++) {
        assert_int_equal(atm_count(NULL, (atm_driver) driver, &job, &access, &config, &counts),
                         ATM_OK);
        assert_true(counts.exact_accesses && counts.exact_messages);
        assert_int_equal(counts.rounds, 0);
        assert_int_equal(counts.accesses, 0);
        assert_int_equal(counts.access_min, 0);
        assert_int_equal(counts.request_messages, 0);
    }
}

/* A byte on the first byte of a block: GPFS takes it for the end of the block
 * before. */
static void one_byte(void **state)
{
    const atm_job job = {.ranks = 4, .nodes = 1};
    atm_access access = ior(1, 1);
    atm_config config = two_phase(3, 64);
    atm_counts counts;

    (void) state;
    config.stripe_size = 64;
    config.co_ratio = 1;
    config.block = 512;
    for (int driver = 0; driver < ATM_DRIVER_COUNT; driver++)
        for (uint64_t at = 0; at <= 1024; at += 256) {
            access.start = access.end = at;
            assert_int_equal(atm_count(NULL, (atm_driver) driver, &job, &access, &config, &counts),
                             ATM_OK);
            assert_int_equal(counts.rounds, 1);
            assert_int_equal(counts.accesses, 1);
            assert_int_equal(counts.domains, 1);
            assert_int_equal(counts.access_bytes, 1);
            assert_int_equal(counts.data_messages, 1);
        }
}

static void bad_arguments(void **state)
{
    const atm_job job = {.ranks = 4, .nodes = 1};
    const atm_access good = ior(4, 100);
    const atm_config config = two_phase(2, 64);
    atm_counts counts;

    (void) state;
#define REFUSED(j, a, c)                                                                           \
    assert_int_equal(atm_count(NULL, ATM_UFS, &(j), &(a), &(c), &counts), ATM_BAD_ARGUMENT)
#define REFUSED_JOB(...) REFUSED(((const atm_job){__VA_ARGS__}), good, config)
#define REFUSED_ACCESS(change)                                                                     \
    do {                                                                                           \
        atm_access access = good;                                                                  \
        change;                                                                                    \
        REFUSED(job, access, config);                                                              \
    } while (0)
#define REFUSED_CONFIG(change)                                                                     \
    do {                                                                                           \
        atm_config other = config;                                                                 \
        change;                                                                                    \
        REFUSED(job, good, other);                                                                 \
    } while (0)
    REFUSED_JOB(.ranks = 0, .nodes = 1);
    REFUSED_JOB(.ranks = 4, .nodes = 5);
    REFUSED_JOB(.ranks = INT32_MAX, .nodes = 1);
    REFUSED_ACCESS(access.active_ranks = 5);
    REFUSED_ACCESS(access.active_ranks = -1);
    REFUSED_ACCESS(access.bytes = 0);
    REFUSED_ACCESS(access.bytes = 399);
    REFUSED_ACCESS(access.bytes = 401);
    REFUSED_ACCESS(access.bytes_min = 101);
    REFUSED_ACCESS(access.bytes_max = 401);
    REFUSED_ACCESS(access.end = 400);
    REFUSED_ACCESS(access.start = access.end + 1);
    REFUSED_ACCESS(access.end = UINT64_MAX);
    REFUSED_ACCESS((access.strided = true, access.block = 0));
    REFUSED_ACCESS((access.strided = true, access.block = 101));
    REFUSED_CONFIG(other.aggregators = 0);
    REFUSED_CONFIG(other.aggregators = 5);
    REFUSED_CONFIG(other.buffer = 0);
    REFUSED_CONFIG(other.buffer = UINT64_C(1) << 31);
    REFUSED_CONFIG(other.stripe_count = 0);
    assert_int_equal(atm_count(NULL, ATM_DRIVER_COUNT, &job, &good, &config, &counts),
                     ATM_BAD_ARGUMENT);
    assert_int_equal(atm_count(NULL, ATM_LUSTRE, &job, &good, &config, &counts), ATM_BAD_ARGUMENT);
    assert_int_equal(
        atm_count(atm_count_model_by_name("gpfs"), ATM_UFS, &job, &good, &config, &counts),
        ATM_BAD_ARGUMENT);
}

/* A stride that contradicts the blocks is as good as none; a wide or far access is
 * counted like one nearer. */
static void irregular_accesses(void **state)
{
    static const uint64_t strides[] = {0, 1, 9, 400, UINT64_MAX};
    const atm_job job = {.ranks = 4, .nodes = 1};
    const atm_config config = {.stripe_count = 1}, both = two_phase(2, 64);
    atm_access access = ior(4, 100);
    atm_counts unknown, counts;

    (void) state;
    access.strided = true;
    access.block = 10;
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &unknown), ATM_OK);
    for (int i = 0; i < 5; i++) {
        access.stride = strides[i];
        assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_OK);
        assert_memory_equal(&counts, &unknown, sizeof counts);
    }
    access = ior(4, 100);
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &both, &unknown), ATM_OK);
    access.start += UINT64_C(1) << 62;
    access.end += UINT64_C(1) << 62;
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &both, &counts), ATM_OK);
    assert_memory_equal(&counts, &unknown, sizeof counts);
    access.start = 0;
    access.holes = true;
    access.end = UINT64_MAX;
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &both, &counts), ATM_OK);
    assert_true(counts.access_bytes >= UINT64_C(1) << 59);
}

static void bad_pieces(void **state)
{
    const atm_job job = {.ranks = 2, .nodes = 1};
    const atm_config config = two_phase(1, 64);
    atm_piece pieces[] = {{0, 10, 1}, {10, 5, 0}, {20, 5, 1}};
    atm_access access;
    atm_counts counts;

    (void) state;
    assert_int_equal(access_summarise(pieces, 3, &access), ATM_OK);
    assert_true(access.strided && access.holes && access.interleaved);
    assert_int_equal(access.bytes, 20);
    assert_int_equal(access.bytes_min, 5);
    assert_int_equal(access.bytes_max, 15);
    assert_int_equal(access.end, 24);
    assert_int_equal(access.stride, 0);
    access.write = true;
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.accesses, 1);
    assert_int_equal(counts.sieve_accesses, 1);
    assert_int_equal(counts.sieve_bytes, 25);
    pieces[2] = (atm_piece){16, 5, 1}; /* a hole of a byte */
    assert_int_equal(access_summarise(pieces, 3, &access), ATM_OK);
    assert_true(access.holes);
    access.write = true;
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.sieve_bytes, 21);

    assert_int_equal(access_summarise(NULL, 0, &access), ATM_BAD_ARGUMENT);
    assert_int_equal(access_summarise(pieces, 0, &access), ATM_BAD_ARGUMENT);
    pieces[1].rank = 2; /* of a job of two */
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_BAD_ARGUMENT);
    pieces[1] = (atm_piece){10, 4, 0}; /* fewer bytes than the summary says */
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_BAD_ARGUMENT);
    pieces[1] = (atm_piece){10, 0, 0};
    assert_int_equal(access_summarise(pieces, 3, &access), ATM_BAD_ARGUMENT);
    pieces[1] = (atm_piece){30, 5, 0};
    assert_int_equal(access_summarise(pieces, 3, &access), ATM_BAD_ARGUMENT);
    pieces[1] = (atm_piece){10, UINT64_MAX, 0};
    assert_int_equal(access_summarise(pieces, 3, &access), ATM_BAD_ARGUMENT);
}

/* Two pieces of 10 bytes, 1,000 apart, in one domain: 101 rounds of 10, in two of
 * which something is written. */
static void empty_windows(void **state)
{
    const atm_job job = {.ranks = 2, .nodes = 1};
    const atm_config config = two_phase(1, 10);
    const atm_piece pieces[] = {{0, 10, 0}, {1000, 10, 1}};
    atm_access access;
    atm_counts counts;

    (void) state;
    assert_int_equal(access_summarise(pieces, 2, &access), ATM_OK);
    access.write = true;
    assert_int_equal(atm_count(NULL, ATM_UFS, &job, &access, &config, &counts), ATM_OK);
    assert_int_equal(counts.rounds, 101);
    assert_int_equal(counts.accesses, 2);
    assert_int_equal(counts.access_bytes, 20);
    assert_int_equal(counts.bytes_per_aggregator, 20);
    assert_int_equal(counts.sieve_accesses, 0);
    assert_int_equal(counts.data_messages, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_do), cmocka_unit_test(one_byte),
        cmocka_unit_test(bad_arguments), cmocka_unit_test(irregular_accesses),
        cmocka_unit_test(bad_pieces),    cmocka_unit_test(empty_windows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
