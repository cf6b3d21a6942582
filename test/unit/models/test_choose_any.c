/* Choice: what must hold for any request. */

#include "choose_help.h"

#include <math.h>

enum { CASES = 10000 };

static void fix_some(atm_request *request)
{
    atm_config *config = &request->defaults;

    request->fixed = (unsigned) random_below(1 << ATM_FIX_COUNT);
    if (request->fixed >> ATM_FIX_COLLECTIVE & 1) {
        config->collective = random_below(2);
        config->automatic = config->collective && random_below(2);
    }
    if (request->fixed >> ATM_FIX_AGGREGATORS & 1)
        config->aggregators = 1 + random_below(request->job.ranks);
    if (request->fixed >> ATM_FIX_BUFFER & 1)
        config->buffer = random_size(28);
    if (request->fixed >> ATM_FIX_CO_RATIO & 1)
        config->co_ratio = 1 + random_below(6);
    if (request->driver == ATM_LUSTRE && (request->fixed >> ATM_FIX_STRIPE_SIZE & 1))
        config->stripe_size = 65536 * random_size(10);
}

static void check_fixed(const atm_request *request, const atm_config *config)
{
    const atm_config *asked = &request->defaults;

    if (request->fixed >> ATM_FIX_COLLECTIVE & 1) {
        assert_int_equal(config->collective, asked->collective);
        assert_int_equal(config->automatic, asked->automatic);
    }
    if (request->fixed >> ATM_FIX_AGGREGATORS & 1)
        assert_int_equal(config->aggregators, asked->aggregators);
    if (request->fixed >> ATM_FIX_BUFFER & 1)
        assert_int_equal(config->buffer, asked->buffer);
    if (request->fixed >> ATM_FIX_CO_RATIO & 1)
        assert_int_equal(config->co_ratio, asked->co_ratio);
    if (!request->new_layout || (request->fixed >> ATM_FIX_STRIPE_SIZE & 1))
        assert_int_equal(config->stripe_size, asked->stripe_size);
    if (!request->new_layout || (request->fixed >> ATM_FIX_STRIPE_COUNT & 1))
        assert_int_equal(config->stripe_count, asked->stripe_count);
}

static void check_best(const atm_choice *choice)
{
    const atm_candidate *best = &choice->candidates[choice->best];

    assert_int_equal(best->verdict, ATM_ALLOWED);
    for (int i = 0; i < choice->count; i++) {
        const atm_candidate *candidate = &choice->candidates[i];

        if (candidate->verdict != ATM_ALLOWED)
            continue;
        assert_true(best->prediction.seconds <= candidate->prediction.seconds * (1 + ATM_TIE));
    }
}

/* Returns false where nothing is allowed. */
static bool check_choice(const atm_request *request, const atm_profile *profile)
{
    atm_request whole = *request;
    atm_choice *choice = NULL, *all = NULL;
    atm_status status = atm_choose(request, profile, &choice);

    whole.whole = true;
    assert_int_equal(atm_choose(&whole, profile, &all), status);
    if (status == ATM_NO_CHOICE) {
        assert_true(request->memory > 0);
        return false;
    }
    assert_int_equal(status, ATM_OK);
    for (int i = 0; i < choice->count; i++)
        check_fixed(request, &choice->candidates[i].config);
    assert_true(choice->memory == 0 || chosen(choice)->memory_per_node <= choice->memory);
    if (request->memory > 0)
        assert_int_equal(choice->memory, request->memory);
    if (request->mode == ATM_ENABLE)
        assert_int_equal(choice->chosen, choice->best);
    check_best(choice);
    check_best(all);
    /* leaving out what cannot win makes no difference */
    assert_int_equal(choice->count, all->count);
    assert_int_equal(choice->best, all->best);
    assert_int_equal(choice->chosen, all->chosen);
    assert_string_equal(choice->reason.text, all->reason.text);
    atm_choice_destroy(choice);
    atm_choice_destroy(all);
    return true;
}

static void random_requests(void **state)
{
    atm_profile *profile = NULL;
    int made = 0;

    (void) state;
    assert_int_equal(atm_profile_generic(NULL, &profile), ATM_OK);
    seed = 20156;
    for (int i = 0; i < CASES; i++) {
        atm_request request = random_request(profile);

        fix_some(&request);
        made += check_choice(&request, profile);
    }
    assert_true(made > CASES / 2);
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_requests),
    };

    return cmocka_run_group_tests_name("any choice", tests, NULL, NULL);
}
