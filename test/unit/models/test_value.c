/* atm_value: what accessors accept and say, building, printing, files. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "value/value.h"

static atm_value *parse(const char *text)
{
    atm_message message = {"no message"};
    atm_value *root = NULL;

    if (atm_value_parse(text, strlen(text), "t.json", &message, &root))
        fail_msg("%s", message.text);
    return root;
}

static const char sample[] =
    "{\"n\": 2.5, \"i\": -7, \"yes\": true, \"s\": \"text\", \"none\": [], \"v\": [1, 2.5, -3],"
    " \"m\": [[1, 2, 3], [4, 5, 6]], \"ragged\": [[1, 2], [3]], \"o\": {\"deep\": [{\"x\": "
    "\"y\"}]},"
    " \"_note\": 1, \"big\": 1e300, \"mixed\": [1, \"2\"]}";

/* --- asking */

static void accepts(void **state)
{
    static const char *const names[] = {"word", "text"};
    atm_value *root = parse(sample);
    double number, row[3], *numbers;
    size_t index, rows, columns;
    const atm_value *value;
    const char *string;
    int64_t integer;
    bool truth;

    (void) state;
    assert_int_equal(atm_get_number(root, "n", 2.5, 2.5, NULL, &number), ATM_OK);
    assert_true(number == 2.5);
    assert_int_equal(atm_get_integer(root, "i", -7, -7, NULL, &integer), ATM_OK);
    assert_int_equal(integer, -7);
    assert_int_equal(atm_get_truth(root, "yes", NULL, &truth), ATM_OK);
    assert_true(truth);
    assert_int_equal(atm_get_string(root, "s", NULL, &string), ATM_OK);
    assert_string_equal(string, "text");
    assert_int_equal(atm_get_choice(root, "s", names, 2, NULL, &index), ATM_OK);
    assert_int_equal(index, 1);
    assert_int_equal(atm_get_object(root, "o", NULL, &value), ATM_OK);
    assert_string_equal(atm_value_key(value), "o");
    assert_int_equal(atm_get_array(value, "deep", 1, 1, NULL, &value), ATM_OK);
    assert_null(atm_value_key(atm_value_item(value, 0)));
    assert_int_equal(atm_get_numbers(root, "v", 3, 3, -3, 2.5, NULL, &numbers, &rows), ATM_OK);
    assert_true(rows == 3 && numbers[0] == 1 && numbers[1] == 2.5 && numbers[2] == -3);
    free(numbers);
    assert_int_equal(atm_get_row(root, "v", 3, -3, 2.5, NULL, row), ATM_OK);
    assert_true(row[0] == 1 && row[1] == 2.5 && row[2] == -3);
    assert_int_equal(atm_get_row(root, "v", 2, -3, 2.5, NULL, row), ATM_BAD_FILE);
    assert_int_equal(atm_get_numbers(root, "none", 0, 9, 0, 0, NULL, &numbers, &rows), ATM_OK);
    assert_true(rows == 0 && numbers);
    free(numbers);
    assert_int_equal(atm_get_matrix(root, "m", 2, 2, 3, 3, 1, 6, NULL, &numbers, &rows, &columns),
                     ATM_OK);
    assert_true(rows == 2 && columns == 3);
    for (int i = 0; i < 6; i++)
        assert_true(numbers[i] == i + 1);
    free(numbers);
    atm_value_destroy(root);
}

static void missing_keeps_the_default(void **state)
{
    static const char *const names[] = {"a", "b"};
    atm_value *root = parse("{}");
    const char *string = "kept";
    int64_t integer = 5;
    size_t index = 1;
    double number = 0.25;
    bool truth = true;

    (void) state;
    assert_int_equal(atm_opt_number(root, "x", 0, 0, NULL, &number), ATM_OK);
    assert_int_equal(atm_opt_integer(root, "x", 0, 0, NULL, &integer), ATM_OK);
    assert_int_equal(atm_opt_truth(root, "x", NULL, &truth), ATM_OK);
    assert_int_equal(atm_opt_string(root, "x", NULL, &string), ATM_OK);
    assert_int_equal(atm_opt_choice(root, "x", names, 2, NULL, &index), ATM_OK);
    assert_true(number == 0.25 && integer == 5 && truth && index == 1);
    assert_string_equal(string, "kept");
    atm_value_destroy(root);
}

#define COMPLAINS(call, expected)                                                                  \
    do {                                                                                           \
        atm_message message = {""};                                                                \
        assert_int_equal(call, ATM_BAD_FILE);                                                      \
        assert_string_equal(message.text, "t.json: " expected);                                    \
    } while (0)

static void complains_about_scalars(void **state)
{
    static const char *const names[] = {"word", "other"};
    atm_value *root = parse(sample);
    const char *string = NULL;
    double number = 99;
    int64_t integer = 99;
    size_t index = 99;
    bool truth;

    (void) state;
    COMPLAINS(atm_get_number(root, "q", 0, 1, &message, &number), "q: is missing");
    COMPLAINS(atm_get_number(root, "s", ATM_ABOVE_ZERO, DBL_MAX, &message, &number),
              "s: must be a number greater than 0");
    COMPLAINS(atm_get_number(root, "n", ATM_ABOVE_ZERO, 1, &message, &number),
              "n: must be a number greater than 0 and at most 1");
    COMPLAINS(atm_get_number(root, "s", -DBL_MAX, DBL_MAX, &message, &number),
              "s: must be a number");
    COMPLAINS(atm_get_number(root, "n", 0.1, 2.25, &message, &number),
              "n: must be a number from 0.1 to 2.25");
    COMPLAINS(atm_get_number(root, "n", -DBL_MAX, 1, &message, &number),
              "n: must be a number of at most 1");
    COMPLAINS(atm_opt_number(root, "n", 3, DBL_MAX, &message, &number),
              "n: must be a number of at least 3");
    COMPLAINS(atm_get_integer(root, "n", INT64_MIN, INT64_MAX, &message, &integer),
              "n: must be an integer");
    COMPLAINS(atm_get_integer(root, "big", 0, INT64_MAX, &message, &integer),
              "big: must be an integer from 0 to 9007199254740992");
    COMPLAINS(atm_opt_integer(root, "i", -6, 0, &message, &integer),
              "i: must be an integer from -6 to 0");
    COMPLAINS(atm_get_truth(root, "i", &message, &truth), "i: must be true or false");
    COMPLAINS(atm_get_string(root, "i", &message, &string), "i: must be a string");
    COMPLAINS(atm_get_choice(root, "s", names, 2, &message, &index),
              "s: must be one of \"word\", \"other\"");
    COMPLAINS(atm_get_choice(root, "i", names, 1, &message, &index), "i: must be \"word\"");
    COMPLAINS(atm_opt_string(atm_value_find(root, "v"), "x", &message, &string),
              "v: must be an object");
    assert_true(number == 99 && integer == 99 && index == 99 && !string);
    atm_value_destroy(root);
}

static void complains_about_containers(void **state)
{
    static const char *const known[] = {"n", "i", "yes", NULL};
    atm_value *root = parse(sample);
    const atm_value *value = NULL;
    double *numbers = NULL;
    size_t rows, columns;

    (void) state;
    COMPLAINS(atm_get_object(root, "v", &message, &value), "v: must be an object");
    COMPLAINS(atm_get_array(root, "o", 0, 9, &message, &value), "o: must be an array");
    COMPLAINS(atm_get_array(root, "v", 4, 4, &message, &value),
              "v: must be an array of length 4, not 3");
    COMPLAINS(atm_get_array(root, "v", 4, 5, &message, &value),
              "v: must be an array of length 4 or more, not 3");
    COMPLAINS(atm_get_array(root, "v", 0, 2, &message, &value),
              "v: must be an array of length 2 or less, not 3");
    COMPLAINS(atm_get_numbers(root, "mixed", 0, 9, 0, DBL_MAX, &message, &numbers, &rows),
              "mixed[1]: must be a number of at least 0");
    COMPLAINS(atm_get_numbers(root, "v", 0, 9, 0, 9, &message, &numbers, &rows),
              "v[2]: must be a number from 0 to 9");
    COMPLAINS(atm_get_matrix(root, "v", 0, 9, 0, 9, 0, 9, &message, &numbers, &rows, &columns),
              "v[0]: must be an array of numbers");
    COMPLAINS(atm_get_matrix(root, "ragged", 0, 9, 0, 9, 0, 9, &message, &numbers, &rows, &columns),
              "ragged[1]: must be an array of numbers of length 2, not 1");
    COMPLAINS(atm_get_matrix(root, "m", 0, 9, 3, 9, 0, 5, &message, &numbers, &rows, &columns),
              "m[1][2]: must be a number from 0 to 5");
    COMPLAINS(atm_get_matrix(root, "m", 0, 9, 4, 9, 0, 9, &message, &numbers, &rows, &columns),
              "m[0]: must be an array of numbers of length 4 or more, not 3");
    COMPLAINS(atm_check_keys(root, known, &message), "s: is not known");
    COMPLAINS(atm_complain(root, NULL, &message, "is %d", 3), "is 3");
    value = atm_value_find(atm_value_find(root, "o"), "deep");
    COMPLAINS(atm_complain(atm_value_item(value, 0), "z", &message, "odd"), "o.deep[0].z: odd");
    assert_null(numbers);
    atm_value_destroy(root);
}

/* Long names and paths lose their beginnings, not the problem; control
 * characters do not reach a terminal; no character is cut in half. */
static void messages_stay_readable(void **state)
{
    char text[3000], name[300], *at = text;
    atm_message message;
    atm_value *root;
    double number;

    (void) state;
    memset(name, 'f', sizeof(name) - 1);
    strcpy(name + sizeof(name) - 10, "last.json");
    for (int i = 0; i < 30; i++)
        at += sprintf(at, "{\"\\u001b[31m\u00e9key%d\": ", i);
    at += sprintf(at, "{}");
    for (int i = 0; i < 30; i++)
        at += sprintf(at, "}");
    assert_int_equal(atm_value_parse(text, strlen(text), name, &message, &root), ATM_OK);
    const atm_value *value = root;
    while (atm_value_length(value) > 0)
        value = atm_value_item(value, 0);
    assert_int_equal(atm_get_number(value, "x", 0, 1, &message, &number), ATM_BAD_FILE);
    assert_memory_equal(message.text, "...", 3);
    assert_non_null(strstr(message.text, "last.json: ..."));
    assert_non_null(strstr(message.text, ".?[31m\u00e9key29.x: is missing"));
    assert_null(strchr(message.text, 27));
    atm_complain(value, NULL, &message, "%0300d", 0);
    assert_int_equal(strlen(message.text), sizeof(message.text) - 1);
    atm_value_destroy(root);
}

static void comments_are_known(void **state)
{
    static const char *const known[] = {"a", NULL};
    atm_value *root = parse("{\"_\": 1, \"a\": 2, \"_b\": 3}");

    (void) state;
    assert_int_equal(atm_check_keys(root, known, NULL), ATM_OK);
    atm_value_destroy(root);
}

/* --- building and printing */

static void prints_what_was_built(void **state)
{
    static const double matrix[] = {1, 0.1, -0.0, 1e21, 5e-324, 123456789};
    static const char expected[] = "{\n"
                                   "  \"z\": 3,\n"
                                   "  \"a\": \"q\\\"\\\\\\u000a\u00e9/\",\n"
                                   "  \"m\": [\n"
                                   "    [1, 0.1, -0.0],\n"
                                   "    [1e+21, 4.94065645841247e-324, 123456789]\n"
                                   "  ],\n"
                                   "  \"t\": true,\n"
                                   "  \"o\": {},\n"
                                   "  \"l\": [\n"
                                   "    {\n"
                                   "      \"f\": false\n"
                                   "    },\n"
                                   "    -5\n"
                                   "  ]\n"
                                   "}\n";
    atm_value *root = atm_value_object(), *list, *copy = atm_value_object();
    size_t length;
    char *text;

    (void) state;
    atm_put_number(root, "z", 3);
    atm_put_string(root, "a", "q\"\\\n\u00e9/");
    atm_put_matrix(root, "m", matrix, 2, 3);
    atm_put_truth(root, "t", true);
    atm_put_object(root, "o");
    list = atm_put_array(root, "l");
    atm_put_truth(atm_put_object(list, NULL), "f", false);
    atm_put_integer(list, NULL, -5);
    assert_int_equal(atm_value_print(root, &text, &length), ATM_OK);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    free(text);

    atm_put_copy(copy, "c", root);
    assert_int_equal(atm_value_print(atm_value_find(copy, "c"), &text, &length), ATM_OK);
    assert_string_equal(text, expected);
    free(text);
    atm_value_destroy(copy);
    atm_value_destroy(root);
}

/* Whatever breaks a tree keeps it from being printed; later additions are ignored. */
#define BREAKS(addition)                                                                           \
    do {                                                                                           \
        atm_value *root = atm_value_object(), *list = atm_put_array(root, "l");                    \
        char *text = NULL;                                                                         \
        size_t length;                                                                             \
        (void) list;                                                                               \
        atm_put_number(root, "x", 1);                                                              \
        assert_int_equal(atm_value_built(root), ATM_OK);                                           \
        addition;                                                                                  \
        atm_put_number(root, "later", 1);                                                          \
        assert_int_equal(atm_value_built(root), ATM_BAD_ARGUMENT);                                 \
        assert_int_equal(atm_value_print(list, &text, &length), ATM_BAD_ARGUMENT);                 \
        assert_null(text);                                                                         \
        assert_null(atm_value_find(root, "later"));                                                \
        atm_value_destroy(root);                                                                   \
    } while (0)

static void nest(atm_value *container)
{
    for (int i = 0; i < ATM_MAX_DEPTH - 1; i++)
        container = atm_put_array(container, NULL);
}

static void broken_trees(void **state)
{
    char key[16];

    (void) state;
    BREAKS(atm_put_number(root, "y", NAN));
    BREAKS(atm_put_number(root, "y", -INFINITY));
    BREAKS(atm_put_integer(root, "y", ATM_MAX_INTEGER + 1));
    BREAKS(atm_put_number(root, "x", 2));
    BREAKS(atm_put_number(root, NULL, 2));
    BREAKS(atm_put_number(list, "k", 2));
    BREAKS(atm_put_string(root, "y", NULL));
    BREAKS(atm_put_truth(root, "\xed\xa0\x80", true));
    BREAKS(atm_put_truth((atm_value *) atm_value_find(root, "x"), "k", true));
    BREAKS(nest(list));
    BREAKS(for (int i = 0; i < ATM_MAX_MEMBERS; i++) {
        snprintf(key, sizeof(key), "%d", i);
        atm_put_truth(root, key, true);
    });
    assert_int_equal(atm_value_built(NULL), ATM_NO_MEMORY);
    assert_null(atm_put_object(NULL, "a"));
    atm_value_destroy(NULL);
}

static void check_text(const char *text, const char *expected)
{
    atm_value *root = atm_value_object();
    const char *put;

    atm_put_string(root, "t", text);
    assert_int_equal(atm_get_string(root, "t", NULL, &put), ATM_OK);
    assert_string_equal(put, expected);
    atm_value_destroy(root);
}

/* Any bytes can be put; of too many the end is. */
static void any_text(void **state)
{
    static char text[3 * ATM_MAX_STRING + 1], expected[ATM_MAX_STRING + 1];
    const int rest = (ATM_MAX_STRING - 3) / 3;

    (void) state;
    check_text("", "");
    check_text("a\xff\u20ac\xe2\x82", "a\xef\xbf\xbd\u20ac\xef\xbf\xbd\xef\xbf\xbd");
    memset(text, 'a', ATM_MAX_STRING);
    check_text(text, text);
    memset(text, 'a', ATM_MAX_STRING + 1);
    memcpy(text + ATM_MAX_STRING - 3, "tail", 4);
    memset(expected, 'a', ATM_MAX_STRING);
    memcpy(expected, "...", 3);
    memcpy(expected + ATM_MAX_STRING - 4, "tail", 4);
    check_text(text, expected);
    for (int i = 0; i < ATM_MAX_STRING; i++)
        memcpy(text + 3 * i, "\u20ac", 3);
    memset(expected, 0, sizeof(expected));
    memcpy(expected, "...", 3);
    for (int i = 0; i < rest; i++)
        memcpy(expected + 3 + 3 * i, "\u20ac", 3);
    check_text(text, expected);
    memset(text, 0xe2, sizeof(text) - 1);
    for (int i = 0; i < rest; i++)
        memcpy(expected + 3 + 3 * i, "\xef\xbf\xbd", 3);
    check_text(text, expected);
    text[ATM_MAX_STRING / 2] = 0; /* longer only when it is clean */
    check_text(text, expected);
}

/* --- files */

static void files(void **state)
{
    char directory[] = "/tmp/test_value.XXXXXX", path[64], other[96];
    atm_value *root = atm_value_object(), *again = NULL;
    atm_message message;

    (void) state;
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof(path), "%s/v.json", directory);
    atm_put_number(root, "x", 0.1);
    for (int i = 0; i < 2; i++) { /* made, then replaced */
        assert_int_equal(atm_value_write(root, path, &message), ATM_OK);
        assert_int_equal(atm_value_read(path, &message, &again), ATM_OK);
        atm_value_destroy(again);
    }
    assert_int_equal(atm_value_read(directory, &message, &again), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, ": is not a file"));
    snprintf(other, sizeof(other), "%s/none/v.json", directory);
    assert_int_equal(atm_value_read(other, &message, &again), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, ": cannot be opened: No such file or directory"));
    assert_int_equal(atm_value_write(root, other, &message), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, ": cannot be created: No such file or directory"));
    snprintf(other, sizeof(other), "%s/pipe", directory);
    assert_int_equal(mkfifo(other, 0600), 0);
    assert_int_equal(atm_value_read(other, &message, &again), ATM_NO_ACCESS);
    unlink(other);
    assert_int_equal(mkdir(other, 0700), 0);
    assert_int_equal(atm_value_write(root, other, &message), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, ": cannot be opened: Is a directory"));
    assert_int_equal(rmdir(other), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0); /* nothing was left behind */
    atm_value_destroy(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts),
        cmocka_unit_test(missing_keeps_the_default),
        cmocka_unit_test(complains_about_scalars),
        cmocka_unit_test(complains_about_containers),
        cmocka_unit_test(messages_stay_readable),
        cmocka_unit_test(comments_are_known),
        cmocka_unit_test(prints_what_was_built),
        cmocka_unit_test(broken_trees),
        cmocka_unit_test(any_text),
        cmocka_unit_test(files),
    };

    return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
