/*
 * Predictions allocate nothing, and a choice as often for many candidates as for
 * few.  Linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc.
 */

#include "choose_help.h"

#include <math.h>

static long allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    allocations++;
    return __real_realloc(old, size);
}

static atm_profile *generic(void)
{
    atm_profile *profile = NULL;

    assert_int_equal(atm_profile_generic(NULL, &profile), ATM_OK);
    assert_true(allocations > 0); /* they are seen */
    return profile;
}

static void predictions(void **state)
{
    atm_profile *profile = generic();
    atm_prediction prediction;
    atm_counts counts;
    long before;

    (void) state;
    seed = 1;
    for (int i = 0; i < 1000; i++) {
        atm_request request = random_request(profile);

        before = allocations;
        if (atm_count(NULL, request.driver, &request.job, &request.access, &request.defaults,
                      &counts) == ATM_OK)
            atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
        assert_int_equal(allocations, before);
    }
    atm_profile_destroy(profile);
}

/* Allocations of one choice; the number of candidates is looked at. */
static long allocations_of(atm_driver driver, const atm_profile *profile, int *candidates_p)
{
    atm_request request = request_for(driver, 64, 16, 16 * MIB, profile);
    long before = allocations;
    atm_choice *choice;

    assert_int_equal(atm_choose(&request, profile, &choice), ATM_OK);
    *candidates_p = choice->count;
    atm_choice_destroy(choice);
    return allocations - before;
}

static void choices(void **state)
{
    atm_profile *profile = generic();
    int few, many;

    (void) state;
    assert_int_equal(allocations_of(ATM_GPFS, profile, &few),
                     allocations_of(ATM_LUSTRE, profile, &many));
    assert_true(many > few);
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions),
        cmocka_unit_test(choices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
