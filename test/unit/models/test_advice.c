/* Advice: files that nobody vouches for, and which rule holds. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "advice/advice.h"
#include "advice/glob.h"

static const char whole[] =
    "{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": ["
    "{\"match\": {\"program\": \"vpic*\", \"user\": \"ada\", \"file\": \"*.h5\", "
    "\"operation\": \"write\", \"ranks\": [64, 127], \"bytes\": [1048576, 4194303]}, "
    "\"set\": {\"cb_nodes\": 16, \"cb_buffer_size\": 4194304, \"striping_factor\": 8, "
    "\"striping_unit\": 1048576, \"romio_lustre_co_ratio\": 2, \"romio_cb_write\": \"enable\", "
    "\"romio_cb_read\": \"automatic\", \"hdf5_alignment\": [0, 1048576], "
    "\"hdf5\": {\"chunk_bytes\": 16777216, \"chunk\": [1, 512, 256], "
    "\"metadata_block_size\": 1048576, \"sieve_buffer_size\": 65536, "
    "\"chunk_cache_bytes\": 4194304, \"collective_metadata_writes\": \"enable\", "
    "\"collective_metadata_reads\": \"disable\", \"allocation_time\": \"incremental\", "
    "\"fill_time\": \"never\", \"version_low\": \"earliest\", \"version_high\": \"v110\", "
    "\"file_space_strategy\": \"page\", \"file_space_page_size\": 65536}}, \"control\": 0.1, "
    "\"evidence\": {\"source\": \"search\", \"runs\": 60, \"seconds\": 1.9, "
    "\"interval\": [1.8, 2.1], \"default_seconds\": 4, \"when\": \"2026-11-14T08:30:00Z\"}}, "
    "{\"match\": {\"program\": \"vpic\"}, \"set\": {\"cb_nodes\": 4}}, "
    "{\"match\": {\"user\": \"*\"}, \"set\": {\"cb_nodes\": 2}}]}";

/* A copy without a 0 behind it, so that a memory checker sees what reads too far. */
static atm_status parse(const char *text, size_t length, atm_message *message,
                        atm_advice **advice_p)
{
    char *exact = malloc(length > 0 ? length : 1);
    atm_status status;

    assert_non_null(exact);
    memcpy(exact, text, length);
    status = atm_advice_parse(exact, length, "a.json", message, advice_p);
    free(exact);
    return status;
}

static atm_advice *good(const char *text)
{
    atm_message message = {""};
    atm_advice *advice = NULL;

    if (parse(text, strlen(text), &message, &advice) != ATM_OK)
        fail_msg("%s", message.text);
    return advice;
}

/* --- reading and writing */

static void all_of_a_rule(void **state)
{
    atm_advice *advice = good(whole);
    const atm_rule *rule = &advice->rules[0];

    (void) state;
    assert_int_equal(advice->count, 3);
    assert_string_equal(advice->source, "a.json");
    assert_string_equal(rule->program, "vpic*");
    assert_int_equal(rule->operation, ATM_WRITES);
    assert_int_equal(rule->ranks[1], 127);
    for (int i = 0; i < ATM_SETTING_COUNT; i++)
        assert_true(rule->set.has[i]);
    assert_int_equal(rule->set.values[ATM_SET_CB_NODES], 16);
    assert_int_equal(rule->set.values[ATM_SET_CB_WRITE], ATM_SWITCH_ENABLE);
    assert_int_equal(rule->set.values[ATM_SET_CB_READ], ATM_SWITCH_AUTOMATIC);
    assert_int_equal(rule->set.values[ATM_SET_HDF5_ALIGNMENT], 1048576);
    assert_int_equal(rule->set.threshold, 0);
    assert_int_equal(rule->set.values[ATM_SET_HDF5_CHUNK_BYTES], 16777216);
    assert_int_equal(rule->set.values[ATM_SET_HDF5_CHUNK], 3);
    assert_int_equal(rule->set.chunk[1], 512);
    assert_int_equal(rule->set.chunk[2], 256);
    assert_string_equal(
        atm_setting_word(ATM_SET_HDF5_ALLOCATION, rule->set.values[ATM_SET_HDF5_ALLOCATION]),
        "incremental");
    assert_null(atm_setting_word(ATM_SET_HDF5_FILL, 3));
    assert_null(atm_setting_word(ATM_SET_CB_NODES, 0));
    assert_string_equal(atm_setting_name(ATM_SET_HDF5_FILL), "hdf5.fill_time");
    assert_int_equal(rule->evidence.source, ATM_BY_SEARCH);
    assert_int_equal(rule->evidence.runs, 60);
    assert_true(rule->evidence.interval[1] == 2.1);
    assert_int_equal(advice->rules[1].evidence.source, ATM_BY_HAND);
    assert_true(advice->rules[1].bytes[1] == UINT64_MAX);
    atm_advice_destroy(advice);
}

static char *print(const atm_advice *advice)
{
    atm_value *root = atm_advice_value(advice);
    char *text = NULL;
    size_t length;

    assert_int_equal(atm_value_print(root, &text, &length), ATM_OK);
    atm_value_destroy(root);
    return text;
}

static void written_and_read_again(void **state)
{
    atm_advice *advice = good(whole), *again;
    char *text = print(advice), *same;

    (void) state;
    again = good(text);
    same = print(again);
    assert_string_equal(text, same);
    assert_int_equal(again->count, 3);
    free(text);
    free(same);
    atm_advice_destroy(advice);
    atm_advice_destroy(again);
}

/* --- what is refused */

/* rule: what a file's only rule is */
static void refused(const char *rule, const char *expected)
{
    static char text[65536];
    atm_message message = {""};
    atm_advice *advice = NULL;

    snprintf(text, sizeof(text),
             "{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": [%s]}", rule);
    assert_int_equal(parse(text, strlen(text), &message, &advice), ATM_BAD_FILE);
    assert_null(advice);
    if (strstr(message.text, expected) == NULL)
        fail_msg("%s, not %s", message.text, expected);
}

#define MATCH "\"match\": {\"program\": \"p\"}"

static void bad_rules(void **state)
{
    (void) state;
    refused("1", "a.json: rules[0]");
    refused("{}", "rules[0].match");
    refused("{" MATCH "}", "rules[0].set");
    refused("{" MATCH ", \"set\": {}}", "rules[0].set: sets nothing");
    refused("{" MATCH ", \"set\": {\"cb_nods\": 1}}", "rules[0].set.cb_nods: is not known");
    refused("{" MATCH ", \"set\": {\"cb_nodes\": 0}}", "rules[0].set.cb_nodes");
    refused("{" MATCH ", \"set\": {\"cb_nodes\": 1.5}}", "rules[0].set.cb_nodes");
    refused("{" MATCH ", \"set\": {\"cb_nodes\": -1}}", "rules[0].set.cb_nodes");
    refused("{" MATCH ", \"set\": {\"cb_buffer_size\": 1e15}}", "rules[0].set.cb_buffer_size");
    refused("{" MATCH ", \"set\": {\"striping_unit\": 1}}", "rules[0].set.striping_unit");
    refused("{" MATCH ", \"set\": {\"striping_unit\": 100000}}",
            "rules[0].set.striping_unit: must be a multiple of 65536");
    refused("{" MATCH ", \"set\": {\"striping_unit\": 2147483648}}", "rules[0].set.striping_unit");
    refused("{" MATCH ", \"set\": {\"striping_factor\": 100000}}", "rules[0].set.striping_factor");
    refused("{" MATCH ", \"set\": {\"romio_cb_write\": \"maybe\"}}", "rules[0].set.romio_cb_write");
    refused("{" MATCH ", \"set\": {\"hdf5_alignment\": [1]}}", "rules[0].set.hdf5_alignment");
    refused("{" MATCH ", \"set\": {\"hdf5_alignment\": [0, 0]}}", "rules[0].set.hdf5_alignment[1]");
    refused("{" MATCH ", \"set\": {\"hdf5\": 1}}", "rules[0].set.hdf5");
    refused("{" MATCH ", \"set\": {\"hdf5\": {}}}", "rules[0].set: sets nothing");
    refused("{" MATCH ", \"set\": {\"hdf5\": {\"cb_nodes\": 1}}}",
            "rules[0].set.hdf5.cb_nodes: is not known");
    refused("{" MATCH ", \"set\": {\"hdf5.fill_time\": \"never\"}}",
            "rules[0].set.hdf5.fill_time: is not known");
    refused("{" MATCH ", \"set\": {\"hdf5\": {\"fill_time\": \"soon\"}}}",
            "rules[0].set.hdf5.fill_time");
    refused("{" MATCH ", \"set\": {\"hdf5\": {\"chunk\": []}}}", "rules[0].set.hdf5.chunk");
    refused("{" MATCH ", \"set\": {\"hdf5\": {\"chunk\": [4, 0]}}}", "rules[0].set.hdf5.chunk[1]");
    refused("{" MATCH ", \"set\": {\"hdf5\": {\"chunk\": [1, 1, 1, 1, 1, 1, 1, 1, 1]}}}",
            "rules[0].set.hdf5.chunk");
    refused("{" MATCH ", \"set\": {\"hdf5\": {\"chunk_bytes\": 4294967296}}}",
            "rules[0].set.hdf5.chunk_bytes");
    refused("{" MATCH ", \"set\": {\"hdf5\": {\"file_space_page_size\": 511}}}",
            "rules[0].set.hdf5.file_space_page_size");
    refused("{" MATCH ", \"set\": {\"cb_nodes\": 1}, \"control\": 0.6}", "rules[0].control");
    refused("{" MATCH ", \"set\": {\"cb_nodes\": 1}, \"sets\": 1}", "rules[0].sets: is not known");
}

#define SET "\"set\": {\"cb_nodes\": 1}"

static void bad_matches(void **state)
{
    static char text[2 * ATM_ADVICE_PATTERN], longer[ATM_ADVICE_PATTERN + 1];

    (void) state;
    refused("{\"match\": {}, " SET "}", "rules[0].match: needs a program, a user or a file");
    refused("{\"match\": {\"ranks\": [1, 2]}, " SET "}", "needs a program, a user or a file");
    refused("{\"match\": {\"program\": \"\"}, " SET "}",
            "rules[0].match.program: must not be empty");
    refused("{\"match\": {\"file\": 1}, " SET "}", "rules[0].match.file");
    refused("{\"match\": {\"program\": \"p\", \"ranks\": [2, 1]}, " SET "}",
            "rules[0].match.ranks[1]");
    refused("{\"match\": {\"program\": \"p\", \"bytes\": [-1, 1]}, " SET "}", "match.bytes[0]");
    refused("{\"match\": {\"program\": \"p\", \"bytes\": [1]}, " SET "}", "match.bytes");
    refused("{\"match\": {\"program\": \"p\", \"operation\": \"append\"}, " SET "}",
            "rules[0].match.operation");
    memset(longer, '*', ATM_ADVICE_PATTERN);
    snprintf(text, sizeof(text), "{\"match\": {\"program\": \"%s\"}, " SET "}", longer);
    refused(text, "rules[0].match.program: is longer than 511 bytes");
}

static void bad_evidence(void **state)
{
    (void) state;
    refused("{" MATCH ", " SET ", \"evidence\": {\"source\": \"rumour\"}}", "evidence.source");
    refused("{" MATCH ", " SET ", \"evidence\": {\"runs\": -1}}", "evidence.runs");
    refused("{" MATCH ", " SET ", \"evidence\": {\"seconds\": -1}}", "evidence.seconds");
    refused("{" MATCH ", " SET ", \"evidence\": {\"interval\": [2, 1]}}", "evidence.interval[1]");
    refused("{" MATCH ", " SET ", \"evidence\": {\"when\": \"the day before yesterday, at noon\"}}",
            "evidence.when");
}

static void other_files(void **state)
{
    static const char *const texts[][2] = {
        {"{}", "format"},
        {"{\"format\": \"romio-autotune-state\", \"version\": 1}", "format"},
        {"{\"format\": \"romio-autotune-advice\", \"version\": 2}", "newer romio-autotune"},
        {"{\"format\": \"romio-autotune-advice\", \"version\": 1}", "rules"},
        {"{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": {}}", "rules"},
        {"{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": [], \"x\": 1}",
         "x: is not known"}};

    (void) state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        atm_message message = {""};
        atm_advice *advice = NULL;

        assert_int_equal(parse(texts[i][0], strlen(texts[i][0]), &message, &advice), ATM_BAD_FILE);
        assert_non_null(strstr(message.text, "a.json: "));
        assert_non_null(strstr(message.text, texts[i][1]));
    }
}

static void too_many_rules(void **state)
{
    static const char rule[] = "{\"match\": {\"program\": \"p\"}, \"set\": {\"cb_nodes\": 1}},";
    size_t size = (ATM_ADVICE_RULES + 1) * sizeof(rule) + 256;
    char *text = malloc(size), *end = text;
    atm_message message = {""};
    atm_advice *advice = NULL;

    (void) state;
    assert_non_null(text);
    end += sprintf(end, "{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": [");
    for (int i = 0; i <= ATM_ADVICE_RULES; i++)
        end += sprintf(end, "%s", rule);
    sprintf(end - 1, "]}");
    assert_int_equal(parse(text, strlen(text), &message, &advice), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "rules"));
    free(text);
}

/* Every text that is nearly one: either it is advice, or there is a message; nothing is lost. */
static void broken_texts(void **state)
{
    static const char bytes[] = "\0\"{}[]:,0-9.eE\\\xff*";
    char text[sizeof(whole)];

    (void) state;
    for (size_t i = 0; i < sizeof(whole) - 1; i++) {
        for (size_t k = 0; k < sizeof(bytes) - 1; k++) {
            atm_message message = {""};
            atm_advice *advice = NULL;
            atm_status status;

            memcpy(text, whole, sizeof(whole));
            text[i] = bytes[k];
            status = parse(text, sizeof(whole) - 1, &message, &advice);
            assert_true((status == ATM_OK) == (advice != NULL));
            assert_true(status == ATM_OK || message.text[0] != '\0');
            atm_advice_destroy(advice);
        }
        assert_int_equal(parse(whole, i, NULL, &(atm_advice *){NULL}), ATM_BAD_FILE);
    }
}

static void no_such_file(void **state)
{
    atm_message message = {""};
    atm_advice *advice = NULL;

    (void) state;
    assert_int_equal(atm_advice_load("/none/advice.json", &message, &advice), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, "/none/advice.json"));
    atm_advice_destroy(NULL);
}

/* --- which rule holds */

static void first_match_wins(void **state)
{
    atm_advice *advice = good(whole);
    atm_occasion usual = {.program = "vpic3d",
                          .user = "ada",
                          .file = "/scratch/x/field.h5",
                          .write = true,
                          .ranks = 64,
                          .bytes = 1048576,
                          .draw = 0.5};
    atm_occasion other = usual;

    (void) state;
    assert_int_equal(atm_advice_match(advice, &usual), 0);
    other.ranks = 128;
    assert_int_equal(atm_advice_match(advice, &other), 2);
    other = usual;
    other.ranks = 127;
    other.bytes = 4194303;
    assert_int_equal(atm_advice_match(advice, &other), 0);
    other.bytes = 4194304;
    assert_int_equal(atm_advice_match(advice, &other), 2);
    other = usual;
    other.write = false;
    assert_int_equal(atm_advice_match(advice, &other), 2);
    other.program = "vpic";
    assert_int_equal(atm_advice_match(advice, &other), 1);
    other.user = "";
    other.program = "";
    assert_int_equal(atm_advice_match(advice, &other), 2);
    atm_advice_destroy(advice);
}

/* A control has no advice at all, not that of the next rule. */
static void controls(void **state)
{
    atm_advice *advice = good(whole);
    atm_occasion usual = {.program = "vpic3d",
                          .user = "ada",
                          .file = "f.h5",
                          .write = true,
                          .ranks = 64,
                          .bytes = 1048576};

    (void) state;
    usual.draw = 0.0999;
    assert_int_equal(atm_advice_match(advice, &usual), -1);
    usual.draw = 0.1;
    assert_int_equal(atm_advice_match(advice, &usual), 0);
    advice->count = 0;
    assert_int_equal(atm_advice_match(advice, &usual), -1);
    advice->count = 3;
    atm_advice_destroy(advice);
}

/* What is fixed for a file: rules that ask for the bytes of a call are none. */
static void at_open(void **state)
{
    atm_advice *advice = good(whole);
    atm_occasion occasion = {.program = "vpic3d",
                             .user = "ada",
                             .file = "f.h5",
                             .write = true,
                             .ranks = 64,
                             .draw = 0.5};

    (void) state;
    assert_int_equal(atm_advice_match_file(advice, &occasion), 2);
    occasion.program = "vpic";
    assert_int_equal(atm_advice_match_file(advice, &occasion), 1);
    advice->rules[1].control = 0.6;
    assert_int_equal(atm_advice_match_file(advice, &occasion), -1);
    atm_advice_destroy(advice);
}

/* What HDF5 does is no matter of calls: the rules after one about that alone are looked at. */
static void of_hdf5_alone(void **state)
{
    atm_advice *advice =
        good("{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": ["
             "{\"match\": {\"program\": \"vpic\"}, \"set\": {\"hdf5\": {\"fill_time\": \"never\"}},"
             " \"evidence\": {\"source\": \"model\"}},"
             "{\"match\": {\"program\": \"vpic\"}, \"set\": {\"cb_nodes\": 2}}]}");
    atm_occasion occasion = {.program = "vpic", .user = "", .file = "", .write = true, .ranks = 2};

    (void) state;
    assert_int_equal(advice->rules[0].evidence.source, ATM_BY_MODEL);
    assert_int_equal(atm_advice_match(advice, &occasion), 1);
    assert_int_equal(atm_advice_match_file(advice, &occasion), 0);
    atm_advice_destroy(advice);
}

static void draws(void **state)
{
    double sum = 0;
    char job[16];

    (void) state;
    assert_true(atm_advice_draw("1234") == atm_advice_draw("1234"));
    for (int i = 0; i < 1000; i++) {
        snprintf(job, sizeof(job), "%d", i);
        assert_true(atm_advice_draw(job) >= 0 && atm_advice_draw(job) < 1);
        sum += atm_advice_draw(job);
    }
    assert_true(sum > 450 && sum < 550);
}

/* --- patterns */

static void patterns(void **state)
{
    static const char *const like[][2] = {
        {"", ""},           {"*", ""},       {"*", "a/b"},          {"a", "a"}, {"a*", "a"},
        {"*a", "ba"},       {"a*c", "abbc"}, {"a*b*c", "abxbc"},    {"?", "x"}, {"\\*", "*"},
        {"a\\\\b", "a\\b"}, {"**", "x"},     {"*.h5", "/x.h5/y.h5"}};
    static const char *const unlike[][2] = {
        {"", "a"},   {"a", ""},    {"a", "b"},       {"a*", "ba"},  {"*a", "ab"},     {"?", ""},
        {"?", "ab"}, {"\\*", "a"}, {"a*b*c", "acb"}, {"\\?", "\\"}, {"*.h5", "x.h5."}};

    (void) state;
    for (size_t i = 0; i < sizeof(like) / sizeof(like[0]); i++)
        assert_true(atm_glob_match(like[i][0], like[i][1]));
    for (size_t i = 0; i < sizeof(unlike) / sizeof(unlike[0]); i++)
        assert_false(atm_glob_match(unlike[i][0], unlike[i][1]));
}

static void patterns_of_names(void **state)
{
    char pattern[32];

    (void) state;
    assert_true(atm_glob_of("run12/out.0007", true, sizeof(pattern), pattern));
    assert_string_equal(pattern, "run*/out.*");
    assert_true(atm_glob_of("a*?\\1", true, sizeof(pattern), pattern));
    assert_string_equal(pattern, "a\\*\\?\\\\*");
    assert_true(atm_glob_match(pattern, "a*?\\1"));
    assert_true(atm_glob_match(pattern, "a*?\\23"));
    assert_false(atm_glob_match(pattern, "abc\\1"));
    assert_true(atm_glob_of("h5", false, sizeof(pattern), pattern));
    assert_string_equal(pattern, "h5");
    assert_true(atm_glob_of("", true, 1, pattern));
    assert_string_equal(pattern, "");
    assert_false(atm_glob_of("abc", true, 3, pattern));
    assert_false(atm_glob_of("abc", true, 0, pattern));
}

/* What takes other matchers longer than anybody waits. */
static void patient_patterns(void **state)
{
    char pattern[ATM_ADVICE_PATTERN], text[4096];

    (void) state;
    for (size_t i = 0; i + 2 < sizeof(pattern); i += 2)
        memcpy(pattern + i, "a*", 2);
    pattern[sizeof(pattern) - 2] = 'b';
    pattern[sizeof(pattern) - 1] = '\0';
    memset(text, 'a', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    for (int i = 0; i < 100; i++)
        assert_false(atm_glob_match(pattern, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_a_rule),    cmocka_unit_test(written_and_read_again),
        cmocka_unit_test(bad_rules),        cmocka_unit_test(bad_matches),
        cmocka_unit_test(bad_evidence),     cmocka_unit_test(other_files),
        cmocka_unit_test(too_many_rules),   cmocka_unit_test(broken_texts),
        cmocka_unit_test(no_such_file),     cmocka_unit_test(first_match_wins),
        cmocka_unit_test(controls),         cmocka_unit_test(at_open),
        cmocka_unit_test(of_hdf5_alone),    cmocka_unit_test(draws),
        cmocka_unit_test(patterns),         cmocka_unit_test(patterns_of_names),
        cmocka_unit_test(patient_patterns),
    };

    return cmocka_run_group_tests_name("advice", tests, NULL, NULL);
}
