/* Ways to store a data set of HDF5, and what they cost. */

#include "choose_help.h"
#include "hdf5/variants.h"

enum { RANKS = 8, NODES = 4 };

/* 64 x 64 x 64 doubles, in blocks of 32 x 32 x 32 */
static atm_h5_slab slabs[RANKS];

static atm_h5_question blocks(void)
{
    atm_h5_question question = {
        .set = {.dimensions = 3, .sizes = {64, 64, 64}, .element = 8, .fill = true},
        .slabs = slabs};

    for (int i = 0; i < RANKS; i++)
        for (int k = 0; k < 3; k++) {
            slabs[i].start[k] = 32 * (uint64_t) (i >> (2 - k) & 1);
            slabs[i].block[k] = slabs[i].stride[k] = 32;
            slabs[i].count[k] = 1;
        }
    return question;
}

static const atm_h5_variant *find(const atm_h5_variants *all, const char *name)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->variants[i].name, name) == 0)
            return &all->variants[i];
    return NULL;
}

static atm_h5_variants *compare(const atm_h5_question *question, atm_driver driver)
{
    atm_profile *profile = simple_profile(1e-5, 1e-9, 0.1);
    atm_request request = request_for(driver, NODES, RANKS / NODES, 1, profile);
    atm_h5_variants *all = NULL;

    request.whole = true;
    assert_int_equal(atm_h5_compare(&request, profile, question, &all), ATM_OK);
    atm_profile_destroy(profile);
    return all;
}

static void calls_are_counted(void **state)
{
    const atm_h5_question question = blocks();
    atm_h5_variants *all = compare(&question, ATM_UFS);
    const atm_h5_variant *given = &all->variants[0], *aligned = find(all, "contiguous, aligned");
    const atm_h5_variant *chunks = find(all, "chunks of a block");
    const atm_h5_variant *bare = find(all, "chunks of a block, not filled");

    (void) state;
    assert_string_equal(given->name, "as given");
    assert_null(find(all, "contiguous")); /* it is the first */
    assert_int_equal(all->unit, MIB);
    assert_int_equal(given->calls.first, 2048);
    assert_int_equal(given->calls.write.pieces, RANKS * 32 * 32);
    assert_int_equal(given->calls.write.access.block, 32 * 8);
    assert_true(given->calls.write.access.interleaved);
    assert_int_equal(given->calls.fill.access.bytes, 0);
    assert_non_null(aligned);
    assert_int_equal(aligned->calls.first, MIB);
    assert_int_equal(aligned->calls.write.pieces, given->calls.write.pieces);
    assert_non_null(chunks);
    assert_int_equal(chunks->calls.chunks, RANKS);
    assert_int_equal(chunks->calls.write.pieces, RANKS);
    assert_false(chunks->calls.write.access.interleaved);
    assert_int_equal(chunks->calls.fill.access.bytes, 64 * 64 * 64 * 8);
    assert_true(chunks->chosen.fill > 0);
    assert_non_null(bare);
    assert_int_equal(bare->calls.fill.access.bytes, 0);
    assert_true(bare->chosen.seconds < chunks->chosen.seconds);
    atm_h5_variants_destroy(all);
}

/* None is better than the best by more than a tie. */
static void the_best_is_shortest(void **state)
{
    const atm_h5_question question = blocks();

    (void) state;
    for (int driver = 0; driver < ATM_DRIVER_COUNT; driver++) {
        atm_h5_variants *all = compare(&question, (atm_driver) driver);

        assert_true(all->count > 3 && all->best < all->count);
        for (int i = 0; i < all->count; i++) {
            const atm_h5_variant *variant = &all->variants[i];

            assert_true(variant->chosen.seconds * (1 + ATM_TIE) >=
                        all->variants[all->best].chosen.seconds);
            assert_true(variant->chosen.fill <= variant->chosen.seconds);
            assert_true(variant->chosen.uncertainty > 0);
        }
        atm_h5_variants_destroy(all);
    }
}

/* Advice of a variant gives the data set that was counted. */
static void settings_make_it(void **state)
{
    const atm_h5_question question = blocks();
    atm_h5_variants *all = compare(&question, ATM_LUSTRE);

    (void) state;
    assert_non_null(find(all, "chunks of rows, aligned, not filled"));
    assert_null(find(all, "chunks of a block, aligned, not filled")); /* they are small */
    for (int i = 1; i < all->count; i++) {
        const atm_h5_variant *variant = &all->variants[i];
        const atm_settings *settings = &variant->settings;

        assert_int_equal(settings->has[ATM_SET_HDF5_ALIGNMENT], variant->file.alignment > 1);
        if (variant->file.alignment > 1) {
            assert_int_equal(settings->values[ATM_SET_HDF5_ALIGNMENT], variant->file.alignment);
            assert_int_equal(settings->threshold, variant->file.threshold);
            assert_int_equal(variant->calls.first % all->unit, 0);
        }
        assert_int_equal(settings->has[ATM_SET_HDF5_CHUNK] ||
                             settings->has[ATM_SET_HDF5_CHUNK_BYTES],
                         variant->set.chunked);
        assert_int_equal(settings->has[ATM_SET_HDF5_FILL], !variant->set.fill);
    }
    atm_h5_variants_destroy(all);
}

/* What a program chunks itself comes first, and contiguous is something else then. */
static void a_layout_is_given(void **state)
{
    atm_h5_question question = blocks();
    atm_h5_variants *all;

    (void) state;
    question.set.chunked = true;
    question.set.fill = false;
    for (int i = 0; i < 3; i++)
        question.set.chunk[i] = 32;
    all = compare(&question, ATM_UFS);
    assert_int_equal(all->variants[0].calls.chunks, RANKS);
    assert_non_null(find(all, "contiguous"));
    assert_null(find(all, "chunks of a block"));             /* it would be filled */
    assert_null(find(all, "chunks of a block, not filled")); /* it is the first */
    atm_h5_variants_destroy(all);
}

static void not_covered(void **state)
{
    atm_profile *profile = simple_profile(1e-5, 1e-9, 0.1);
    atm_request request = request_for(ATM_UFS, NODES, RANKS / NODES, 1, profile);
    atm_h5_question question = blocks();
    atm_h5_variants *all = NULL;

    (void) state;
    question.set.dimensions = 9;
    assert_int_equal(atm_h5_compare(&request, profile, &question, &all), ATM_BAD_ARGUMENT);
    question = blocks();
    slabs[3].start[0] = 60;
    assert_int_equal(atm_h5_compare(&request, profile, &question, &all), ATM_BAD_ARGUMENT);
    assert_null(all);
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_counted), cmocka_unit_test(the_best_is_shortest),
        cmocka_unit_test(settings_make_it),  cmocka_unit_test(a_layout_is_given),
        cmocka_unit_test(not_covered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
