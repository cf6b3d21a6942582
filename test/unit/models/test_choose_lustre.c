/* Choice of layouts on Lustre, and of who writes. */

#include "choose_help.h"

/* A write without two-phase may fill a buffer of a whole stripe in every call. */
static void no_sieving_on_lustre(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_LUSTRE, 16, 4, 64 * MIB, profile);
    atm_choice *choice;

    (void) state;
    request.new_layout = true;
    request.access.block = 4096;
    request.access.strided = true;
    for (int fixed = 0; fixed < 2; fixed++) {
        request.fixed = fixed ? 1u << ATM_FIX_COLLECTIVE : 0;
        request.defaults.collective = !fixed;
        request.defaults.automatic = false;
        choice = choose(&request, profile);
        assert_true(choice->count > 1);
        for (int i = 1; i < choice->count; i++) {
            const atm_config *config = &choice->candidates[i].config;

            assert_int_equal(config->collective, !fixed);
            assert_true(!fixed || config->stripe_size <= request.defaults.stripe_size);
        }
        atm_choice_destroy(choice);
    }
    atm_profile_destroy(profile);
}

static int count_independent(const atm_request *request, const atm_profile *profile)
{
    atm_choice *choice = choose(request, profile);
    int count = 0;

    for (int i = 0; i < choice->count; i++)
        count += !choice->candidates[i].config.collective;
    atm_choice_destroy(choice);
    return count;
}

/* Large writes of disjoint ranks need not be aggregated on Lustre. */
static void large_on_lustre(void **state)
{
    atm_profile *profile = simple_profile(1, 0, 0.1);
    atm_request request = request_for(ATM_LUSTRE, 16, 4, 64 * MIB, profile);

    (void) state;
    request.new_layout = true;
    assert_true(count_independent(&request, profile) > 1);
    request.access.interleaved = true;
    assert_int_equal(count_independent(&request, profile), 0);
    request.access = contiguous(64, 32768);
    assert_int_equal(count_independent(&request, profile), 0);
    request.access = contiguous(64, UINT64_C(1) << 31);
    assert_int_equal(count_independent(&request, profile), 0);
    request.access = contiguous(64, 65536);
    assert_true(count_independent(&request, profile) > 1);
    request.fixed = 1u << ATM_FIX_COLLECTIVE;
    assert_int_equal(count_independent(&request, profile), 0);
    atm_profile_destroy(profile);
}

static void striping_at_create(void **state)
{
    atm_profile *profile = simple_profile(1e-3, 0, 0.1); /* fewer rounds are faster */
    atm_request request = request_for(ATM_LUSTRE, 16, 4, 64 * MIB, profile);
    atm_choice *choice;

    (void) state;
    request.fixed = 1u << ATM_FIX_COLLECTIVE;
    choice = choose(&request, profile);
    assert_true(chosen(choice)->config.stripe_count > 1);
    assert_true(chosen(choice)->config.stripe_count <= 16); /* servers of the profile */
    assert_int_equal(chosen(choice)->config.stripe_size % 65536, 0);
    atm_choice_destroy(choice);

    for (request.servers = 2; request.servers <= 48; request.servers *= 24) {
        int most = 0;

        choice = choose(&request, profile);
        for (int i = 0; i < choice->count; i++)
            if (choice->candidates[i].config.stripe_count > most)
                most = choice->candidates[i].config.stripe_count;
        assert_int_equal(most, request.servers); /* of the file system at hand */
        atm_choice_destroy(choice);
    }

    request.new_layout = false;
    request.defaults.stripe_count = 4;
    choice = choose(&request, profile);
    for (int i = 0; i < choice->count; i++) {
        assert_int_equal(choice->candidates[i].config.stripe_count, 4);
        assert_int_equal(choice->candidates[i].config.stripe_size, MIB);
    }
    assert_int_equal(chosen(choice)->config.aggregators, 32); /* co_ratio 8 */
    assert_int_equal(chosen(choice)->config.co_ratio, 8);
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_sieving_on_lustre),
        cmocka_unit_test(large_on_lustre),
        cmocka_unit_test(striping_at_create),
    };

    return cmocka_run_group_tests_name("choice on Lustre", tests, NULL, NULL);
}
