/* atm_value: texts that nobody vouches for, and every locale. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/value.h"

/* A copy without a 0 behind it, so that a memory checker sees what reads too far. */
static atm_status parse(const char *text, size_t length, atm_message *message)
{
    char *exact = malloc(length ? length : 1);
    atm_value *root = NULL;
    atm_status status;

    assert_non_null(exact);
    memcpy(exact, text, length);
    status = atm_value_parse(exact, length, "t.json", message, &root);
    assert_true((status == ATM_OK) == (root != NULL));
    atm_value_destroy(root);
    free(exact);
    return status;
}

static void expect(const char *text, const char *expected)
{
    atm_message message = {"good"};
    atm_status status = parse(text, strlen(text), &message);

    if (status == ATM_OK)
        assert_string_equal(expected, "good");
    else
        assert_string_equal(message.text, expected);
}

/* --- tokens */

/* What json-c of version 0.13 and of 0.16 refuse alike; their sentences differ. */
static void refused(const char *text)
{
    atm_message message = {""};

    assert_int_equal(parse(text, strlen(text), &message), ATM_BAD_FILE);
    assert_memory_equal(message.text, "t.json: line 1: ", 16);
    assert_true(strlen(message.text) > 16);
}

/* What json-c since 0.17 refuses itself. */
static void too_large(const char *text)
{
    atm_message message = {""};

    assert_int_equal(parse(text, strlen(text), &message), ATM_BAD_FILE);
    if (strncmp(message.text, "t.json: line 1: ", 16) != 0)
        assert_string_equal(message.text, "t.json: [0]: an integer is too large");
}

static void numbers(void **state)
{
    static const char *const good[] = {"0",   "-0",    "-0.0",   "10",      "1.5",
                                       "1e5", "1E+05", "1.0e-5", "1e-4000", "123456789012345678"};
    static const char *const bad[] = {"-",  "01",  "+1",  ".5",    "0x1",  "1-2",
                                      "1a", "1_0", "--1", "1.2.3", "1e5.5"};
    char text[64];

    (void) state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        snprintf(text, sizeof(text), "[%s]", good[i]);
        expect(text, "good");
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        snprintf(text, sizeof(text), "[%s]", bad[i]);
        refused(text);
    }
    expect("[1e400]", "t.json: [0]: a number is not finite");
    expect("{\"a\": [1,\n-1e400]}", "t.json: a[1]: a number is not finite");
    expect("[9223372036854775806]", "t.json: [0]: an integer is too large");
    too_large("[-9223372036854775809]");
    too_large("[123456789012345678901234567890]");
    expect("[9.3e18]", "good");
    expect("[[1, 2", "t.json: line 1: unexpected end of data");
}

static void words_and_strings(void **state)
{
    static const char invalid[] = "t.json: line 1: is not valid UTF-8";

    (void) state;
    expect("[true, false]", "good");
    expect("{\"a\": [null]}", "t.json: a: null: what has no value must be left out");
    expect("{\"a\": null}", "t.json: a: null: what has no value must be left out");
    expect("[NaN]", "t.json: [0]: a number is not finite");
    expect("[\nInfinity]", "t.json: [0]: a number is not finite");
    expect("[-Infinity]", "t.json: [0]: a number is not finite");
    expect("[True]", "t.json: line 1: boolean expected");
    expect("[truefalse]", "t.json: line 1: array value separator ',' expected");
    expect("[\"\\ud83d\\ude00\\u00e9\\/\"]", "good");
    expect("[\"\\u12g4\"]", "t.json: line 1: invalid string sequence");
    expect("[\"\\u12", "t.json: line 1: unexpected end of data");
    expect("[\"\\a\"]", "t.json: line 1: invalid string sequence");
    expect("[\"\\", "t.json: line 1: unexpected end of data");
    expect("[\"a", "t.json: line 1: unexpected end of data");
    expect("[\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"]", "good");
    expect("[\"a\\u0000b\"]", "t.json: [0]: a string has a 0 byte or is too long");
    expect("[\"\xc0\x80\"]", invalid);
    expect("[\"\xe0\x80\x80\"]", invalid);
    expect("[\"\xed\xa0\x80\"]", invalid);
    expect("[\"\xf0\x80\x80\x80\"]", invalid);
    expect("[\"\xf4\x90\x80\x80\"]", invalid);
    expect("[\"\xe2\x82\"]", invalid);
    expect("{\"a\": {\"\xff\": 1}}", "t.json: line 1: is not valid UTF-8");
    expect("[\"\\\xc3\xa9\"]", "t.json: line 1: invalid string sequence");
    expect("[\"\xc3\xa9\",\n\xc3\xa9]", "t.json: line 2: unexpected character");
}

static void structure(void **state)
{
    atm_message message;

    (void) state;
    expect("[1 2]", "t.json: line 1: array value separator ',' expected");
    expect("[[1, 2,\n 3],\n [1\n2]]", "t.json: line 4: array value separator ',' expected");
    expect("[[1, 2,\n 3],\n [1, 2], true 5]", "t.json: line 3: array value separator ',' expected");
    expect("[[1, 2, ]]", "t.json: line 1: unexpected character");
    expect("[[1][2]]", "t.json: line 1: array value separator ',' expected");
    expect("[[1]2]", "t.json: line 1: array value separator ',' expected");
    refused("[2[1]]");
    expect("{\"a\": [1][2]}", "t.json: line 1: object value separator ',' expected");
    expect("{[1]: 2}", "t.json: line 1: quoted object property name expected");
    expect("[1,]", "t.json: line 1: unexpected character");
    expect("[,1]", "t.json: line 1: unexpected character");
    expect("{\"a\" 1}", "t.json: line 1: object property name separator ':' expected");
    expect("{\"a\": 1 \"b\": 2}", "t.json: line 1: object value separator ',' expected");
    expect("{1: 2}", "t.json: line 1: quoted object property name expected");
    expect("{\"a\"}", "t.json: line 1: object property name separator ':' expected");
    expect("[:]", "t.json: line 1: unexpected character");
    expect("[}", "t.json: line 1: unexpected character");
    expect("[]]", "t.json: line 1: unexpected character");
    expect("[] // comment", "t.json: line 1: unexpected character");
    expect("\"a\"", "t.json: line 1: must be an object or an array");
    expect("null ", "t.json: line 1: must be an object or an array");
    expect("", "t.json: line 1: unexpected end of data");
    expect(" \t\r\n[ \t\r\n] \t\r\n", "good");
    assert_int_equal(parse("[]\n\0[]", 6, &message), ATM_BAD_FILE);
    assert_string_equal(message.text, "t.json: line 2: has a 0 byte");
    expect("{\"a\": {\"b\": 1}, \"c\": {\"b\": 1}, \"b\": [{\"b\": 1}, {\"b\": 1}]}", "good");
}

/* json-c's way: the last one counts. */
static void key_twice(void **state)
{
    static const char text[] = "{\"a\": 1, \"b\": 3, \"a\": 2}";
    atm_value *root;
    double number;

    (void) state;
    assert_int_equal(atm_value_parse(text, strlen(text), "t.json", NULL, &root), ATM_OK);
    assert_int_equal(atm_value_length(root), 2);
    assert_int_equal(atm_get_number(root, "a", 0, 9, NULL, &number), ATM_OK);
    assert_true(number == 2);
    atm_value_destroy(root);
}

/* --- limits */

/* prefix, count times unit, suffix; the caller frees it */
static char *repeat(const char *prefix, const char *unit, size_t count, const char *suffix)
{
    size_t unit_length = strlen(unit), length = strlen(prefix);
    char *text = malloc(length + count * unit_length + strlen(suffix) + 1);

    assert_non_null(text);
    memcpy(text, prefix, length);
    for (size_t i = 0; i < count; i++, length += unit_length)
        memcpy(text + length, unit, unit_length);
    strcpy(text + length, suffix);
    return text;
}

static void expect_repeated(const char *prefix, const char *unit, size_t count, const char *suffix,
                            const char *expected)
{
    char *text = repeat(prefix, unit, count, suffix);

    expect(text, expected);
    free(text);
}

static void limits(void **state)
{
    char *members = malloc(32 * (ATM_MAX_MEMBERS + 1)), *at = members;
    size_t members_length;

    (void) state;
    expect_repeated("", "[", ATM_MAX_DEPTH - 1, "17]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", "good");
    expect_repeated("", "[", ATM_MAX_DEPTH - 1, "{}]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", "good");
    expect_repeated("", "[", ATM_MAX_DEPTH, "1", "t.json: line 1: nesting too deep");
    expect_repeated("", "[", ATM_MAX_DEPTH + 1, "", "t.json: line 1: nesting too deep");
    expect_repeated("", "{\"a\":", ATM_MAX_DEPTH + 1, "", "t.json: line 1: nesting too deep");
    expect_repeated("[\"", "a", ATM_MAX_STRING, "\"]", "good");
    expect_repeated("[\"", "a", ATM_MAX_STRING + 1, "\"]",
                    "t.json: [0]: a string has a 0 byte or is too long");
    expect_repeated("{\"", "a", ATM_MAX_STRING + 1, "\": 1}",
                    "t.json: a string has a 0 byte or is too long");
    expect_repeated("[0.", "0", 1000, "1]", "good");
    expect_repeated("[", "[],", 200000, "[]]", "good");
    expect_repeated("[", "{},", 210000, "{}]", "t.json: line 1: takes more than 256 MiB of memory");
    expect_repeated("", "[", ATM_MAX_BYTES, "",
                    "t.json: line 1: takes more than 256 MiB of memory");
    expect_repeated("[", "1,", 1000000, "1]", "good");
    expect_repeated("[", "1,", 1020000, "1]", "t.json: line 1: takes more than 256 MiB of memory");
    expect_repeated("[", " ", ATM_MAX_BYTES - 2, "]", "good");
    expect_repeated("[", " ", ATM_MAX_BYTES - 1, "]", "t.json: line 1: larger than 10485760 bytes");
    at += sprintf(at, "{\"a\": 0");
    for (int i = 1; i < ATM_MAX_MEMBERS; i++)
        at += sprintf(at, ", \"%d\": 0", i);
    members_length = (size_t) (at - members);
    strcpy(members + members_length, "}");
    expect(members, "good");
    strcpy(members + members_length, ", \"b\": 0}");
    expect(members, "t.json: has more than 1000 members");
    free(members);
}

/* --- damage */

static const char sample[] =
    "{\"format\": \"x\\u00e9\\n\\ud83d\\ude00 \xc3\xa9\xe2\x82\xac\", \"version\": 1, \"yes\": "
    "true,\n"
    " \"no\": false, \"numbers\": [0, -1.5, 2.5e-3, 1E+20, 123456789], \"matrix\": [[1, 2], [3, "
    "4]],\n"
    " \"deep\": {\"a\": {\"b\": [{\"c\": []}, {}, \"\"]}}, \"_\": \"\\\"\\\\\\/\"}";

static void cut_at_every_byte(void **state)
{
    atm_message message;

    (void) state;
    for (size_t length = 0; length < strlen(sample); length++)
        assert_int_equal(parse(sample, length, &message), ATM_BAD_FILE);
    assert_int_equal(parse(sample, strlen(sample), &message), ATM_OK);
}

/* Not all flips do harm, but what is read can be printed and read again. */
static void every_bit_flipped(void **state)
{
    size_t length = strlen(sample), again_length, good = 0, bad = 0;
    char damaged[sizeof(sample)], *text;
    atm_value *root, *again;

    (void) state;
    for (size_t bit = 0; bit < 8 * length; bit++) {
        memcpy(damaged, sample, length);
        damaged[bit / 8] ^= (char) (1 << bit % 8);
        if (parse(damaged, length, NULL) != ATM_OK) {
            bad++;
            continue;
        }
        good++;
        assert_int_equal(atm_value_parse(damaged, length, "", NULL, &root), ATM_OK);
        assert_int_equal(atm_value_print(root, &text, &again_length), ATM_OK);
        assert_int_equal(atm_value_parse(text, again_length, "", NULL, &again), ATM_OK);
        assert_int_equal(atm_value_length(again), atm_value_length(root));
        free(text);
        atm_value_destroy(root);
        atm_value_destroy(again);
    }
    assert_true(good > length && bad > length);
}

/* --- numbers and locales */

/* xorshift64*: the same cases everywhere */
static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * UINT64_C(2685821657736338717);
}

static void numbers_survive(void **state)
{
    enum { CASES = 10000 };
    static double before[CASES];
    double *after;
    atm_value *root = atm_value_object(), *again;
    uint64_t seed = 20240229;
    size_t length;
    char *text;

    (void) state;
    for (int i = 0; i < CASES; i++) {
        do {
            uint64_t bits = next_random(&seed);

            memcpy(&before[i], &bits, sizeof(bits));
            if (i % 3 == 0) /* what people write */
                before[i] = (double) (int64_t) (bits >> 40) / 1000;
        } while (!isfinite(before[i]));
    }
    memcpy(before, (double[]){DBL_MAX, -DBL_MIN, DBL_TRUE_MIN, -0.0, 9007199254740993.0, 1e17}, 48);
    atm_put_numbers(root, "v", before, CASES);
    assert_int_equal(atm_value_print(root, &text, &length), ATM_OK);
    assert_int_equal(atm_value_parse(text, length, "t.json", NULL, &again), ATM_OK);
    assert_int_equal(
        atm_get_numbers(again, "v", CASES, CASES, -DBL_MAX, DBL_MAX, NULL, &after, &length),
        ATM_OK);
    assert_memory_equal(before, after, sizeof(before));
    free(after);
    free(text);
    atm_value_destroy(again);
    atm_value_destroy(root);
}

/* A German locale made for the occasion; false where that cannot be. */
static bool use_german(char *directory)
{
    char command[256];

    if (!mkdtemp(directory))
        return false;
    snprintf(command, sizeof(command),
             "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 > /dev/null 2>&1", directory);
    if (system(command) != 0)
        return false;
    setenv("LOCPATH", directory, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void leave_german(const char *directory)
{
    char command[64];

    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof(command), "rm -rf %s", directory);
    assert_int_equal(system(command), 0);
}

static void check_german(void)
{
    static const char text[] = "{\"x\": 1234567.25, \"y\": [0.001]}";
    atm_message message;
    atm_value *root;
    double x, y;
    char *printed, comma[8];
    size_t length;

    snprintf(comma, sizeof(comma), "%.1f", 0.5);
    assert_string_equal(comma, "0,5");
    assert_int_equal(atm_value_parse(text, strlen(text), "t.json", &message, &root), ATM_OK);
    assert_int_equal(atm_get_number(root, "x", 0, 1e9, NULL, &x), ATM_OK);
    assert_true(x == 1234567.25);
    assert_int_equal(atm_get_number(root, "x", 0.5, 1.5, &message, &y), ATM_BAD_FILE);
    assert_string_equal(message.text, "t.json: x: must be a number from 0.5 to 1.5");
    atm_complain(root, "y", &message, "is %g", 0.5);
    assert_string_equal(message.text, "t.json: y: is 0.5");
    assert_int_equal(atm_value_print(root, &printed, &length), ATM_OK);
    assert_string_equal(printed, "{\n  \"x\": 1234567.25,\n  \"y\": [0.001]\n}\n");
    free(printed);
    atm_value_destroy(root);
    assert_int_equal(parse("[0,5, 1.5]", 10, NULL), ATM_OK); /* three numbers */
    snprintf(comma, sizeof(comma), "%.1f", 0.5);
    assert_string_equal(comma, "0,5");
}

/* The locale of the process, then one of the thread. */
static void german_locale(void **state)
{
    char directory[] = "/tmp/test_json.XXXXXX";
    locale_t german;

    (void) state;
    if (!use_german(directory)) {
        leave_german(directory);
        skip();
    }
    check_german();
    numbers_survive(NULL);
    german = duplocale(LC_GLOBAL_LOCALE);
    setlocale(LC_ALL, "C");
    uselocale(german);
    check_german();
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(german);
    leave_german(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(words_and_strings),
        cmocka_unit_test(structure),
        cmocka_unit_test(key_twice),
        cmocka_unit_test(limits),
        cmocka_unit_test(cut_at_every_byte),
        cmocka_unit_test(every_bit_flipped),
        cmocka_unit_test(numbers_survive),
        cmocka_unit_test(german_locale),
    };

    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
