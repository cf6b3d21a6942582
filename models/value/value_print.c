/* Values: a tree as text.  Not by json-c, which has a line for each number of an array. */

#include <printbuf.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locale.h"
#include "value_tree.h"

typedef struct output {
    struct printbuf *text;
    bool line; /* no line breaks and no spaces between values */
    bool failed;
} output;

static void put(output *output, const char *text, size_t length)
{
    if (printbuf_memappend(output->text, text, (int) length) < 0)
        output->failed = true;
}

static void put_text(output *output, const char *text)
{
    put(output, text, strlen(text));
}

static void put_line(output *output, int depth)
{
    put(output, "\n", 1);
    if (depth > 0 && printbuf_memset(output->text, -1, ' ', 2 * depth) < 0)
        output->failed = true;
}

static void put_quoted(output *output, const char *string)
{
    char escape[8];

    put(output, "\"", 1);
    for (; *string; string++) {
        if ((unsigned char) *string < ' ') {
            snprintf(escape, sizeof(escape), "\\u%04x", (unsigned) (unsigned char) *string);
            put_text(output, escape);
            continue;
        }
        if (*string == '"' || *string == '\\')
            put(output, "\\", 1);
        put(output, string, 1);
    }
    put(output, "\"", 1);
}

/* The fewest digits that read back as the same number: 15 keep every decimal that a
 * person wrote, 17 every double.  "-0" read as an integer would lose its sign. */
static void put_number(output *output, double number)
{
    char text[32] = "-0.0";
    bool same = number == 0 && signbit(number);

    for (int digits = 15; digits <= 17 && !same; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, number);
        same = strtod(text, NULL) == number;
    }
    put_text(output, text);
}

/* Arrays of numbers and such, so rows of a matrix, stay on a line. */
static bool is_flat(json_object *value)
{
    if (json_object_get_type(value) == json_type_object)
        return json_object_object_length(value) == 0;
    for (size_t i = 0; i < (size_t) json_object_array_length(value); i++) {
        enum json_type type = json_object_get_type(json_object_array_get_idx(value, i));

        if (type == json_type_array || type == json_type_object)
            return false;
    }
    return true;
}

static void put_value(output *output, json_object *value, int depth);

static void put_item(output *output, const char *key, json_object *item, bool first, bool flat,
                     int depth)
{
    if (!first)
        put(output, ", ", flat && !output->line ? 2 : 1);
    if (!flat)
        put_line(output, depth);
    if (key) {
        put_quoted(output, key);
        put(output, ": ", output->line ? 1 : 2);
    }
    put_value(output, item, depth);
}

static void put_items(output *output, json_object *value, int depth)
{
    bool flat = output->line || is_flat(value), first = true;

    if (json_object_get_type(value) == json_type_array) {
        put(output, "[", 1);
        for (size_t i = 0; i < (size_t) json_object_array_length(value); i++)
            put_item(output, NULL, json_object_array_get_idx(value, i), i == 0, flat, depth + 1);
    } else {
        put(output, "{", 1);
        json_object_object_foreach(value, key, member)
        {
            put_item(output, key, member, first, flat, depth + 1);
            first = false;
        }
    }
    if (!flat)
        put_line(output, depth);
    put(output, json_object_get_type(value) == json_type_array ? "]" : "}", 1);
}

static void put_value(output *output, json_object *value, int depth)
{
    switch (json_object_get_type(value)) {
        case json_type_boolean:
            put_text(output, json_object_get_boolean(value) ? "true" : "false");
            break;
        default: /* a number */
            put_number(output, json_object_get_double(value));
            break;
        case json_type_string:
            put_quoted(output, json_object_get_string(value));
            break;
        case json_type_array:
        case json_type_object:
            put_items(output, value, depth);
            break;
    }
}

static atm_status print(const atm_value *value, bool line, char **text_p, size_t *length_p)
{
    atm_status status = atm_value_built(value);
    output output = {.line = line};
    atm_locale locale;

    if (status)
        return status;
    output.text = printbuf_new();
    if (!output.text)
        return ATM_NO_MEMORY;
    locale = atm_locale_enter();
    put_value(&output, (json_object *) value, 0);
    atm_locale_leave(locale);
    put(&output, "\n", 1);
    if (!output.failed) {
        *text_p = output.text->buf;
        *length_p = (size_t) output.text->bpos;
        output.text->buf = NULL; /* it is the caller's */
    }
    printbuf_free(output.text);
    return output.failed ? ATM_NO_MEMORY : ATM_OK;
}

atm_status atm_value_print(const atm_value *value, char **text_p, size_t *length_p)
{
    return print(value, false, text_p, length_p);
}

atm_status atm_value_print_line(const atm_value *value, char **text_p, size_t *length_p)
{
    return print(value, true, text_p, length_p);
}
