/* Several calls: their sum, what a change costs before them, and caches that fill up over them. */

#include "choose_help.h"

#include <math.h>

static atm_request request_of(double calls)
{
    const atm_job job = {.ranks = 32, .nodes = 4};
    atm_request request = {.driver = ATM_UFS,
                           .mode = ATM_ENABLE,
                           .job = job,
                           .access = {.write = true,
                                      .interleaved = true,
                                      .strided = true,
                                      .new_file = true,
                                      .active_ranks = 32,
                                      .bytes_min = MIB,
                                      .bytes_max = MIB,
                                      .bytes = 32 * MIB,
                                      .end = 32 * MIB - 1,
                                      .block = MIB / 16,
                                      .stride = 2 * MIB},
                           .life = {.calls = calls}};

    request.defaults = (atm_config){.collective = true,
                                    .automatic = true,
                                    .aggregators = 4,
                                    .buffer = 4 * MIB,
                                    .stripe_count = 1,
                                    .co_ratio = 1};
    return request;
}

typedef struct cost {
    const char *operation, *seconds;
} cost;

/* Operations that always cost the same; rest: more members. */
static atm_profile *profile_with(const cost *costs, const char *rest)
{
    char text[4096], *end = text;

    end += sprintf(end, "{\"format\": \"romio-autotune-profile\", \"version\": 1,"
                        " \"machine\": {}, \"operations\": {");
    for (const cost *cost = costs; cost->operation != NULL; cost++)
        end += sprintf(end,
                       "%s\"%s\": {\"model\": \"const\", \"features\": [\"bytes\"],"
                       " \"min\": [0], \"max\": [1e12], \"error\": 0.1,"
                       " \"parameters\": {\"output\": %s}}",
                       cost == costs ? "" : ", ", cost->operation, cost->seconds);
    sprintf(end, "}%s}", rest);
    return profile_of(text);
}

static atm_prediction predict(const atm_profile *profile, const atm_request *request,
                              const atm_config *config)
{
    atm_prediction prediction;
    atm_counts counts;

    assert_int_equal(atm_count_request(request, config, &counts), ATM_OK);
    atm_predict_counts(profile, &counts, NULL, INFINITY, &prediction);
    return prediction;
}

static double seconds_of(const atm_profile *profile, const atm_request *request,
                         const atm_config *config)
{
    return predict(profile, request, config).seconds;
}

/* The first call with locks to take, the others without. */
static void sum_of_all(void **state)
{
    atm_profile *profile = simple_profile(0.01, 1e-9, 0.1);
    atm_request one = request_of(0), later = one, many = request_of(12);
    double first, other;

    (void) state;
    later.access.new_file = false;
    first = seconds_of(profile, &one, &one.defaults);
    other = seconds_of(profile, &later, &one.defaults);
    assert_float_equal(seconds_of(profile, &many, &one.defaults), first + 11 * other, 1e-9);
    many.life.idle = 5; /* without caches, time in between changes nothing */
    assert_float_equal(seconds_of(profile, &many, &one.defaults), first + 11 * other, 1e-9);
    atm_profile_destroy(profile);
}

/* The default's buffer takes two rounds for each domain, another one takes one. */
static void changes_if_worth_it(void **state)
{
    atm_profile *profile = simple_profile(0.01, 1e-9, 0.01);
    atm_request request = request_of(1);
    atm_config other = request.defaults;
    double now, then;

    (void) state;
    request.access.new_file = false;
    request.life.begun = true;
    request.life.current = request.defaults;
    other.aggregators = 8;
    now = seconds_of(profile, &request, &request.defaults);
    then = seconds_of(profile, &request, &other);
    assert_true(then < now);
    request.life.change = 2 * (now - then);
    for (double calls = 1; calls <= 8; calls *= 2) {
        request.life.calls = calls;
        now = seconds_of(profile, &request, &request.defaults);
        then = seconds_of(profile, &request, &other);
        assert_int_equal(then<now, calls> 2);
    }
    /* fewer aggregators have the file open, and a buffer needs no open at all */
    other.aggregators = 2;
    request.life.calls = 1;
    now = seconds_of(profile, &request, &other);
    request.life.change = 0;
    assert_true(seconds_of(profile, &request, &other) == now);
    atm_profile_destroy(profile);
}

/* The choice itself: one call keeps what is in effect, many change it. */
static void chosen_by_the_number(void **state)
{
    atm_profile *profile = simple_profile(0.01, 1e-9, 0.001);
    atm_request request = request_of(1);
    atm_choice *choice;

    (void) state;
    request.access.new_file = false;
    request.fixed = 1u << ATM_FIX_BUFFER;
    request.life.begun = true;
    request.life.current = request.defaults;
    request.life.change = 0.1;
    assert_int_equal(atm_choose(&request, profile, &choice), ATM_OK);
    assert_true(choice->candidates[choice->chosen].config.aggregators <= 4);
    atm_choice_destroy(choice);
    request.life.calls = 1000;
    assert_int_equal(atm_choose(&request, profile, &choice), ATM_OK);
    assert_true(choice->candidates[choice->chosen].config.aggregators > 4);
    atm_choice_destroy(choice);
    atm_profile_destroy(profile);
}

/* 64 MB of cache that drains 32 MB a second: calls of 33 MB in 0.1 s, one after the other, fill
 * it with the second; with two seconds in between it is empty again each time. */
static void caches_drain_in_between(void **state)
{
    static const cost costs[] = {{"write_first", "0.1"},
                                 {"write_full", "0.1"},
                                 {"write_partial", "0.1"},
                                 {"write_drained", "1.048576"},
                                 {NULL, NULL}};
    atm_profile *profile =
        profile_with(costs, ", \"write_cache\": {\"bytes\": 64e6, \"nodes\": 0, \"writers\": 0,"
                            " \"round\": 0, \"servers\": 0, \"error\": 0.1}");
    atm_request request = request_of(100);
    atm_config config = request.defaults;
    double at_once, with_pauses;

    (void) state;
    config.buffer = 8 * MIB; /* a round a call */
    at_once = seconds_of(profile, &request, &config);
    assert_true(at_once > 95 && at_once < 105);
    request.life.idle = 2;
    with_pauses = seconds_of(profile, &request, &config);
    assert_float_equal(with_pauses, 10, 0.5);
    atm_profile_destroy(profile);
}

static double read_seconds(const atm_profile *profile, const atm_request *request)
{
    return predict(profile, request, &request->defaults).parts[ATM_STORAGE];
}

/* Half of the access is cached: by the same aggregators, or, of others, on one of four nodes. */
static void reads_from_caches(void **state)
{
    static const cost costs[] = {{"read_first", "1"},
                                 {"read_full", "1"},
                                 {"read_partial", "1"},
                                 {"read_cached", "0.01"},
                                 {NULL, NULL}};
    atm_profile *profile = profile_with(costs, ""), *old = simple_profile(0.01, 1e-9, 0.1);
    atm_request request = request_of(1);
    double cold, warm;

    (void) state;
    request.access.write = request.access.new_file = false;
    request.written = request.defaults;
    cold = read_seconds(profile, &request);
    request.access.cached = request.access.bytes / 2;
    warm = read_seconds(profile, &request);
    assert_float_equal(warm, cold * (0.5 + 0.5 * 0.01), 1e-9);
    request.written.aggregators = 3;
    warm = read_seconds(profile, &request);
    assert_float_equal(warm, cold * (0.875 + 0.125 * 0.01), 1e-9);
    request.access.write = true;
    request.access.cached = 0;
    cold = read_seconds(old, &request);
    request.access.cached = request.access.bytes;
    assert_true(read_seconds(old, &request) == cold);
    atm_profile_destroy(profile);
    atm_profile_destroy(old);
}

/* Buffers of a new file, unless there is memory for them; not on later calls, nor where it is part
 * of the first round. */
static void new_memory(void **state)
{
    static const cost costs[] = {{"touch", "7"}, {NULL, NULL}};
    atm_profile *profile = profile_with(costs, ""), *old = simple_profile(0.01, 1e-9, 0.1);
    atm_request request = request_of(3);
    double cold, warm;

    (void) state;
    cold = predict(profile, &request, &request.defaults).parts[ATM_SHUFFLE];
    request.access.warm = request.defaults.buffer;
    warm = predict(profile, &request, &request.defaults).parts[ATM_SHUFFLE];
    assert_float_equal(cold, warm + 7, 1e-9);
    request.access.warm = request.defaults.buffer - 1;
    assert_float_equal(predict(profile, &request, &request.defaults).parts[ATM_SHUFFLE], cold,
                       1e-9);
    request.access.new_file = false;
    assert_float_equal(predict(profile, &request, &request.defaults).parts[ATM_SHUFFLE], warm,
                       1e-9);
    request.access.new_file = true;
    cold = predict(old, &request, &request.defaults).seconds;
    request.access.warm = request.defaults.buffer;
    assert_true(predict(old, &request, &request.defaults).seconds == cold);
    atm_profile_destroy(profile);
    atm_profile_destroy(old);
}

/* No access needs more room than there is. */
static void any_access(void **state)
{
    atm_profile *profile = simple_profile(0.01, 1e-9, 0.1);

    (void) state;
    seed = 21;
    for (int i = 0; i < 10000; i++) {
        atm_request request = random_request(profile);
        atm_counts counts;

        request.life.calls = 1 + random_below(1000);
        request.life.begun = random_below(2);
        request.life.current = request.defaults;
        request.life.current.aggregators = 1 + random_below(request.job.ranks);
        assert_int_equal(atm_count_request(&request, &request.defaults, &counts), ATM_OK);
        assert_true(counts.item_count <= ATM_MAX_COST_ITEMS);
    }
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sum_of_all),           cmocka_unit_test(changes_if_worth_it),
        cmocka_unit_test(chosen_by_the_number), cmocka_unit_test(caches_drain_in_between),
        cmocka_unit_test(reads_from_caches),    cmocka_unit_test(new_memory),
        cmocka_unit_test(any_access),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
