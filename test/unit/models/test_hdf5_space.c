/* Where HDF5 puts data sets in a file. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hdf5/set.h"
#include "random.h"

static uint64_t state = 16;

static uint64_t draw(uint64_t below)
{
    return atm_random(&state) % below;
}

typedef struct area {
    uint64_t at, size;
} area;

/* Areas are apart and, from the threshold on, aligned. */
static void allocations(void **unused)
{
    (void) unused;
    for (int round = 0; round < 200; round++) {
        atm_h5_file file = {.threshold = draw(5000)};
        atm_h5_space *space;
        area areas[200];
        int count = 1 + (int) draw(200);

        file.alignment = draw(2);
        file.alignment <<= draw(14);
        file.metadata_block = draw(3) * 3000;
        assert_int_equal(atm_h5_space_create(&file, &space), ATM_OK);
        for (int i = 0; i < count; i++) {
            atm_h5_kind kind = draw(2) > 0 ? ATM_H5_RAW : ATM_H5_METADATA;
            uint64_t size = 1 + draw(UINT64_C(1) << (1 + draw(16))), at = 0;

            assert_int_equal(atm_h5_allocate(space, kind, size, &at), ATM_OK);
            if (file.alignment > 1 && size >= file.threshold)
                assert_int_equal(at % file.alignment, 0);
            assert_true(at >= 96 && at + size <= atm_h5_space_end(space));
            for (int k = 0; k < i; k++)
                assert_true(areas[k].at + areas[k].size <= at || at + size <= areas[k].at);
            areas[i] = (area){at, size};
        }
        atm_h5_space_destroy(space);
    }
}

/* As files have it that HDF5 1.10.8 writes (trace/hdf5.sh compares many). */
static void addresses(void **unused)
{
    static const struct {
        atm_h5_file file;
        uint64_t at[4];
    } cases[] = {
        {{0, 0, 0}, {2048, 10048, 18048, 28096}},
        {{1024, 4096, 0}, {4096, 12288, 20480, 32768}},
        {{0, 0, 65536}, {65536, 73536, 81536, 89536}},
    };
    const atm_h5_set set = {.dimensions = 1, .sizes = {1000}, .element = 8};

    (void) unused;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        atm_h5_space *space;

        assert_int_equal(atm_h5_space_create(&cases[i].file, &space), ATM_OK);
        for (int k = 0; k < 4; k++) {
            atm_h5_placed *placed;

            assert_int_equal(atm_h5_set_place(space, &set, &placed), ATM_OK);
            assert_int_equal(placed->at[0], cases[i].at[k]);
            atm_h5_placed_destroy(placed);
        }
        atm_h5_space_destroy(space);
    }
}

/* The 65th chunk needs a second node and moves the first. */
static void index_grows(void **unused)
{
    const atm_h5_set set = {
        .dimensions = 1, .sizes = {200}, .element = 4096, .chunked = true, .chunk = {1}};
    const atm_h5_file file = {.alignment = 0};
    atm_h5_space *space;
    atm_h5_placed *placed;

    (void) unused;
    assert_int_equal(atm_h5_space_create(&file, &space), ATM_OK);
    assert_int_equal(atm_h5_set_place(space, &set, &placed), ATM_OK);
    assert_int_equal(placed->chunks, 200);
    for (int i = 1; i < 200; i++) {
        uint64_t distance = placed->at[i] - placed->at[i - 1];

        /* a node has 2096 bytes */
        if (i == 65)
            assert_int_equal(distance, 4096 + 2 * 2096);
        else if (i == 65 + 57 || i == 65 + 2 * 57)
            assert_int_equal(distance, 4096 + 2096);
        else
            assert_int_equal(distance, 4096);
    }
    atm_h5_placed_destroy(placed);
    atm_h5_space_destroy(space);
}

/* Names of a ninth data set do not fit into the group as it was created. */
static void ninth(void **unused)
{
    const atm_h5_set set = {.dimensions = 1, .sizes = {10}, .element = 8};
    const atm_h5_file file = {.alignment = 0};
    atm_h5_space *space;

    (void) unused;
    assert_int_equal(atm_h5_space_create(&file, &space), ATM_OK);
    for (int i = 0; i < 9; i++) {
        atm_h5_placed *placed = NULL;

        assert_int_equal(atm_h5_set_place(space, &set, &placed), i < 8 ? ATM_OK : ATM_BAD_ARGUMENT);
        atm_h5_placed_destroy(placed);
    }
    atm_h5_space_destroy(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations),
        cmocka_unit_test(addresses),
        cmocka_unit_test(index_grows),
        cmocka_unit_test(ninth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
