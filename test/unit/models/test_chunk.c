/* Shapes of chunks. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "advice/chunk.h"
#include "random.h"

static atm_settings of_bytes(uint64_t bytes)
{
    atm_settings settings = {.threshold = 0};

    settings.has[ATM_SET_HDF5_CHUNK_BYTES] = true;
    settings.values[ATM_SET_HDF5_CHUNK_BYTES] = bytes;
    return settings;
}

static atm_settings of_shape(uint64_t rank, uint64_t first, uint64_t second)
{
    atm_settings settings = {.chunk = {first, second}};

    settings.has[ATM_SET_HDF5_CHUNK] = true;
    settings.values[ATM_SET_HDF5_CHUNK] = rank;
    return settings;
}

static void whole_rows(void **state)
{
    static const struct {
        uint64_t bytes, element, sizes[3], shape[3];
    } cases[] = {
        {4096, 8, {10, 20, 30}, {1, 17, 30}},  {4800, 8, {10, 20, 30}, {1, 20, 30}},
        {9700, 8, {10, 20, 30}, {2, 20, 30}},  {80, 8, {10, 20, 30}, {1, 1, 10}},
        {8, 8, {10, 20, 30}, {1, 1, 1}},       {1000, 8, {10, 1, 30}, {4, 1, 30}},
        {47999, 8, {10, 20, 30}, {9, 20, 30}}, {4096, 8, {2, 1, 4096}, {1, 1, 512}},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        atm_settings settings = of_bytes(cases[i].bytes);
        uint64_t shape[3] = {0};

        assert_true(atm_chunk_shape(&settings, cases[i].sizes, 3, cases[i].element, shape));
        assert_memory_equal(shape, cases[i].shape, sizeof(shape));
    }
}

static void shapes(void **state)
{
    atm_settings settings = of_shape(2, 4, 100);
    uint64_t sizes[2] = {10, 20}, shape[2];

    (void) state;
    assert_true(atm_chunk_shape(&settings, sizes, 2, 8, shape));
    assert_int_equal(shape[0], 4);
    assert_int_equal(shape[1], 20);
    assert_false(atm_chunk_shape(&settings, sizes, 1, 8, shape)); /* of another rank */
    settings.has[ATM_SET_HDF5_CHUNK_BYTES] = true;
    settings.values[ATM_SET_HDF5_CHUNK_BYTES] = 16;
    assert_true(atm_chunk_shape(&settings, sizes, 1, 8, shape));
    assert_int_equal(shape[0], 2);
}

static void none(void **state)
{
    const atm_settings nothing = {.threshold = 0}, small = of_bytes(7), large = of_bytes(1600),
                       tiny = of_bytes(8), huge = of_shape(2, 70000, 70000);
    const uint64_t sizes[2] = {10, 20}, empty[2] = {10, 0}, many[2] = {1 << 11, 1 << 11},
                   vast[2] = {UINT64_C(1) << 33, UINT64_C(1) << 33};
    uint64_t shape[2] = {7, 7};

    (void) state;
    assert_false(atm_chunk_shape(&nothing, sizes, 2, 8, shape));
    assert_false(atm_chunk_shape(&small, sizes, 2, 8, shape)); /* less than an element */
    assert_false(atm_chunk_shape(&large, sizes, 2, 8, shape)); /* one chunk */
    assert_false(atm_chunk_shape(&tiny, many, 2, 8, shape));   /* too many */
    assert_false(atm_chunk_shape(&tiny, vast, 2, 8, shape));   /* the same, beyond numbers */
    assert_false(atm_chunk_shape(&huge, vast, 2, 8, shape));   /* too large for HDF5 */
    assert_false(atm_chunk_shape(&tiny, empty, 2, 8, shape));
    assert_false(atm_chunk_shape(&tiny, sizes, 0, 8, shape));
    assert_false(atm_chunk_shape(&tiny, sizes, ATM_CHUNK_RANK + 1, 8, shape));
    assert_false(atm_chunk_shape(&tiny, sizes, 2, 0, shape));
    assert_int_equal(shape[0], 7);
}

/* A chunk is never larger than asked for, and one row more would be. */
static void any(void **state)
{
    uint64_t rng = 16;

    (void) state;
    for (int i = 0; i < 10000; i++) {
        uint64_t sizes[4], shape[4], element = atm_random(&rng) % 16 + 1, elements = 1;
        int rank = (int) (atm_random(&rng) % 4) + 1, cut = -1;
        atm_settings settings = of_bytes(atm_random(&rng) % 5000 + 16);

        for (int j = 0; j < rank; j++)
            sizes[j] = atm_random(&rng) % 40 + 1;
        if (!atm_chunk_shape(&settings, sizes, rank, element, shape))
            continue;
        for (int j = 0; j < rank; j++) {
            assert_in_range(shape[j], 1, sizes[j]);
            elements *= shape[j];
            if (shape[j] < sizes[j])
                cut = j;
        }
        assert_true(elements * element <= settings.values[ATM_SET_HDF5_CHUNK_BYTES]);
        assert_true(cut >= 0);
        for (int j = 0; j < cut; j++)
            assert_int_equal(shape[j], 1);
        assert_true(elements / shape[cut] * (shape[cut] + 1) * element >
                    settings.values[ATM_SET_HDF5_CHUNK_BYTES]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_rows), cmocka_unit_test(shapes),
                                       cmocka_unit_test(none), cmocka_unit_test(any)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
