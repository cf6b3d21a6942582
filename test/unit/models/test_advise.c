/* Advice in requests: what a rule fixes, what it leaves alone, and how that is told. */

#include "choose_help.h"

#include <locale.h>

#include "choose/advise.h"
#include "choose/explain.h"

static atm_advice *advice_of(const char *match, const char *set, const char *more)
{
    char text[4096];
    atm_message message = {""};
    atm_advice *advice = NULL;

    snprintf(text, sizeof(text),
             "{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": ["
             "{\"match\": {\"user\": \"nobody\"}, \"set\": {\"cb_nodes\": 1}},"
             "{\"match\": {%s}, \"set\": {%s}%s}]}",
             match, set, more);
    if (atm_advice_parse(text, strlen(text), "a.json", &message, &advice) != ATM_OK)
        fail_msg("%s", message.text);
    return advice;
}

static const atm_occasion ada = {
    .program = "vpic", .user = "ada", .file = "/scratch/field.1.h5", .draw = 0.5};

/* What the second rule of such a file makes of the request. */
static atm_advised advise(const char *set, atm_request *request)
{
    atm_advice *advice = advice_of("\"user\": \"ada\"", set, "");
    atm_advised advised = atm_advise(advice, &ada, request);

    assert_int_equal(advised.rule, 1);
    assert_false(advised.left_out);
    atm_advice_destroy(advice);
    return advised;
}

#define ALL                                                                                        \
    "\"cb_nodes\": 3, \"cb_buffer_size\": 4194304, \"striping_factor\": 5, "                       \
    "\"striping_unit\": 2097152, \"romio_lustre_co_ratio\": 2, \"romio_cb_write\": \"enable\", "   \
    "\"romio_cb_read\": \"disable\", \"hdf5_alignment\": [0, 1048576]"

enum { ALL_FIXED = (1 << ATM_FIX_COUNT) - 1 };

static void all_of_a_rule(void **state)
{
    atm_profile *profile = simple_profile(0.25, 0x1p-30, 0.25);
    atm_request request = request_for(ATM_LUSTRE, 4, 2, 8 * MIB, profile);

    (void) state;
    assert_int_equal(advise(ALL, &request).fixed, ALL_FIXED);
    assert_int_equal(request.fixed, ALL_FIXED);
    assert_int_equal(request.defaults.aggregators, 3);
    assert_int_equal(request.defaults.buffer, 4 * MIB);
    assert_int_equal(request.defaults.stripe_count, 5);
    assert_int_equal(request.defaults.stripe_size, 2 * MIB);
    assert_int_equal(request.defaults.co_ratio, 2);
    assert_true(request.defaults.collective);
    assert_false(request.defaults.automatic);
    atm_profile_destroy(profile);
}

static void the_user_first(void **state)
{
    atm_profile *profile = simple_profile(0.25, 0x1p-30, 0.25);

    (void) state;
    for (int fix = 0; fix < ATM_FIX_COUNT; fix++) {
        atm_request request = request_for(ATM_LUSTRE, 4, 2, 8 * MIB, profile);
        atm_config before = request.defaults;

        request.fixed = 1u << fix;
        assert_int_equal(advise(ALL, &request).fixed, ALL_FIXED & ~(1 << fix));
        assert_int_equal(request.fixed, ALL_FIXED);
        assert_true(fix != ATM_FIX_COLLECTIVE || request.defaults.automatic == before.automatic);
        assert_true(fix != ATM_FIX_AGGREGATORS ||
                    request.defaults.aggregators == before.aggregators);
        assert_true(fix != ATM_FIX_BUFFER || request.defaults.buffer == before.buffer);
        assert_true(fix != ATM_FIX_STRIPE_SIZE ||
                    request.defaults.stripe_size == before.stripe_size);
        assert_true(fix != ATM_FIX_STRIPE_COUNT ||
                    request.defaults.stripe_count == before.stripe_count);
        assert_true(fix != ATM_FIX_CO_RATIO || request.defaults.co_ratio == before.co_ratio);
    }
    atm_profile_destroy(profile);
}

static void what_does_not_apply(void **state)
{
    const unsigned stripes = 1u << ATM_FIX_STRIPE_COUNT | 1u << ATM_FIX_STRIPE_SIZE;
    atm_profile *profile = simple_profile(0.25, 0x1p-30, 0.25);
    atm_request request = request_for(ATM_LUSTRE, 4, 2, 8 * MIB, profile);

    (void) state;
    request.new_layout = false;
    assert_int_equal(advise(ALL, &request).fixed, ALL_FIXED & ~stripes);
    request = request_for(ATM_LUSTRE, 4, 2, 8 * MIB, profile);
    request.access.write = false;
    assert_int_equal(advise(ALL, &request).fixed, ALL_FIXED & ~stripes);
    assert_false(request.defaults.collective); /* romio_cb_read */
    request = request_for(ATM_GPFS, 4, 2, 8 * MIB, profile);
    assert_int_equal(advise(ALL, &request).fixed, ALL_FIXED & ~stripes & ~(1u << ATM_FIX_CO_RATIO));
    request = request_for(ATM_UFS, 4, 2, 8 * MIB, profile);
    assert_int_equal(
        advise("\"hdf5_alignment\": [0, 1048576], \"romio_cb_read\": \"enable\"", &request).fixed,
        0);
    assert_int_equal(request.fixed, 0);
    assert_int_equal(advise("\"cb_nodes\": 9999", &request).fixed, 1u << ATM_FIX_AGGREGATORS);
    assert_int_equal(request.defaults.aggregators, 8);
    atm_profile_destroy(profile);
}

/* The access is the request's, whatever the occasion says of it. */
static void who_is_meant(void **state)
{
    atm_profile *profile = simple_profile(0.25, 0x1p-30, 0.25);
    atm_advice *advice =
        advice_of("\"program\": \"vpic\", \"operation\": \"write\", \"ranks\": [8, 8], "
                  "\"bytes\": [67108864, 67108864]",
                  "\"cb_nodes\": 2", ", \"control\": 0.25");
    atm_request plain = request_for(ATM_UFS, 4, 2, 8 * MIB, profile), request = plain;
    atm_occasion occasion = ada;
    atm_advised advised = atm_advise(advice, &occasion, &request);

    (void) state;
    assert_int_equal(advised.rule, 1);
    assert_int_equal(advised.fixed, 1u << ATM_FIX_AGGREGATORS);
    occasion.draw = 0.2;
    request = plain;
    advised = atm_advise(advice, &occasion, &request);
    assert_int_equal(advised.rule, 1);
    assert_true(advised.left_out);
    assert_int_equal(advised.fixed, 0);
    assert_memory_equal(&request, &plain, sizeof(plain));
    request.access.bytes--;
    advised = atm_advise(advice, &ada, &request);
    assert_int_equal(advised.rule, -1);
    assert_false(advised.left_out);
    assert_int_equal(request.fixed, 0);
    atm_advice_destroy(advice);
    atm_profile_destroy(profile);
}

/* The model chooses the rest, and nothing but the rest. */
static void any_request(void **state)
{
    atm_profile *profile = simple_profile(1e-5, 0x1p-30, 0.25);
    atm_advice *advice = advice_of("\"user\": \"ada\"", ALL, "");

    (void) state;
    seed = 20261117;
    for (int i = 0; i < 300; i++) {
        atm_request request = random_request(profile);
        atm_choice *choice = NULL;
        atm_advised advised;
        atm_status status;

        request.memory = 0;
        request.defaults.automatic = true;
        request.access.active_ranks = request.job.ranks;
        advised = atm_advise(advice, &ada, &request);
        request.advised = &advised;
        status = atm_choose(&request, profile, &choice);
        assert_true(status == ATM_OK || status == ATM_NO_CHOICE);
        for (int k = 0; status == ATM_OK && k < choice->count; k++) {
            const atm_config *config = &choice->candidates[k].config;

            assert_int_equal(config->aggregators, request.defaults.aggregators);
            assert_int_equal(config->buffer, request.defaults.buffer);
            assert_int_equal(config->stripe_count, request.defaults.stripe_count);
            assert_int_equal(config->collective, request.access.write);
        }
        atm_choice_destroy(choice);
    }
    atm_advice_destroy(advice);
    atm_profile_destroy(profile);
}

/* --- how it is told */

#define EVIDENCE                                                                                   \
    ", \"evidence\": {\"source\": \"history\", \"runs\": 60, \"seconds\": 1.9, "                   \
    "\"interval\": [1.8, 2.1], \"default_seconds\": 4}"

static void said(const char *more, const char *expected)
{
    atm_advice *advice = advice_of("\"user\": \"ada\"", "\"cb_nodes\": 2", more);
    atm_advised advised = {.advice = advice, .rule = 1};
    char text[ATM_ADVISED];

    atm_advised_say(&advised, sizeof(text), text);
    assert_string_equal(text, expected);
    atm_advice_destroy(advice);
}

static void words(void **state)
{
    (void) state;
    for (int i = 0; i < 2; i++) {
        said("", "rules[1] (by hand)");
        said(EVIDENCE, "rules[1] (history: 60 runs, 1.9 s instead of 4 s)");
        said(", \"evidence\": {\"source\": \"search\", \"runs\": 1, \"seconds\": 0.25}",
             "rules[1] (search: 1 run, 0.25 s)");
        said(", \"evidence\": {\"source\": \"search\", \"runs\": 2}", "rules[1] (search: 2 runs)");
        said(", \"evidence\": {\"source\": \"history\", \"runs\": 1000000000000, "
             "\"seconds\": 123456789, \"default_seconds\": 987654321}",
             "rules[1] (history: 1000000000000 runs, 1.23e+08 s instead of 9.88e+08 s)");
        setlocale(LC_ALL, "de_DE.UTF-8"); /* a decimal comma, where it is installed */
    }
    setlocale(LC_ALL, "C");
}

typedef struct explanation {
    char *text, *brief, *json;
} explanation;

static explanation explain(const atm_request *request, const atm_profile *profile)
{
    explanation explanation = {NULL, NULL, NULL};
    atm_choice *choice = NULL;
    atm_value *document = NULL;
    size_t length;

    assert_int_equal(atm_choose(request, profile, &choice), ATM_OK);
    assert_int_equal(atm_explain_text(request, profile, choice, 1, &explanation.text), ATM_OK);
    assert_int_equal(atm_explain_brief(request, choice, &explanation.brief), ATM_OK);
    assert_int_equal(atm_explain_value(request, profile, choice, &document), ATM_OK);
    assert_int_equal(atm_value_print_line(document, &explanation.json, &length), ATM_OK);
    atm_value_destroy(document);
    atm_choice_destroy(choice);
    return explanation;
}

static void has(const char *text, const char *expected)
{
    if (strstr(text, expected) == NULL)
        fail_msg("%s\nhas no %s", text, expected);
}

static void explained(const atm_request *request, const atm_profile *profile, const char *text,
                      const char *brief, const char *json)
{
    explanation explanation = explain(request, profile);

    has(explanation.text, text);
    has(explanation.brief, brief);
    has(explanation.json, json);
    free(explanation.text);
    free(explanation.brief);
    free(explanation.json);
}

static void explanations(void **state)
{
    atm_profile *profile = simple_profile(0.25, 0x1p-30, 0.25);
    atm_advice *advice =
        advice_of("\"user\": \"ada\"", "\"cb_nodes\": 2", ", \"control\": 0.1" EVIDENCE);
    atm_request plain = request_for(ATM_GPFS, 4, 4, 32 * MIB, profile), request;
    atm_occasion occasion = ada;
    atm_advised advised;

    (void) state;
    plain.fixed = 1u << ATM_FIX_BUFFER;
    request = plain;
    advised = atm_advise(advice, &occasion, &request);
    request.advised = &advised;
    explained(&request, profile,
              "  fixed by the user: cb_buffer_size\n"
              "  advice: a.json, rules[1] (history: 60 runs, 1.9 s instead of 4 s)\n"
              "  fixed by it: cb_nodes\n",
              ", advised by rules[1] (history: 60 runs, 1.9 s instead of 4 s)\n",
              "\"fixed\":[\"cb_buffer_size\"],\"advice\":{\"file\":\"a.json\",\"rule\":1,"
              "\"left_out\":false,\"set\":[\"cb_nodes\"],\"evidence\":{\"source\":\"history\"");
    occasion.draw = 0;
    request = plain;
    advised = atm_advise(advice, &occasion, &request);
    request.advised = &advised;
    explained(&request, profile, "1.9 s instead of 4 s), left out of this job for comparison\n\n",
              ", without rules[1] (", "\"left_out\":true,\"set\":[]");
    occasion.user = "eve";
    advised = atm_advise(advice, &occasion, &request);
    explained(&request, profile, "  advice: a.json, of which no rule matches\n", " predicted\n",
              "\"advice\":{\"file\":\"a.json\"},");
    atm_advice_destroy(advice);
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_a_rule),       cmocka_unit_test(the_user_first),
        cmocka_unit_test(what_does_not_apply), cmocka_unit_test(who_is_meant),
        cmocka_unit_test(any_request),         cmocka_unit_test(words),
        cmocka_unit_test(explanations),
    };

    return cmocka_run_group_tests_name("advise", tests, NULL, NULL);
}
