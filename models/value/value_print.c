/* Values: a tree as text. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locale.h"
#include "value_tree.h"

/* 15 digits keep every decimal that a person wrote, 17 every double.  "-0" read
 * as an integer would lose its sign. */
void atm_number_text(double number, char text_p[ATM_NUMBER_TEXT])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text_p, ATM_NUMBER_TEXT, "%.*g", digits, number);
        if (strtod(text_p, NULL) == number)
            break;
    }
    if (number == 0 && signbit(number))
        snprintf(text_p, ATM_NUMBER_TEXT, "-0.0");
}

/* Text that grows; after a failure it stays as it was. */
typedef struct output {
    char *text;
    size_t length, capacity;
    bool line; /* no line breaks and no spaces between values */
    bool failed;
} output;

static void put(output *output, const char *text, size_t length)
{
    size_t capacity = output->capacity ? output->capacity : 4096;
    char *grown;

    while (capacity - output->length <= length)
        capacity *= 2;
    if (capacity > output->capacity) {
        grown = realloc(output->text, capacity);
        if (!grown) {
            output->failed = true;
            return;
        }
        output->text = grown;
        output->capacity = capacity;
    }
    memcpy(output->text + output->length, text, length);
    output->length += length;
    output->text[output->length] = 0;
}

static void put_text(output *output, const char *text)
{
    put(output, text, strlen(text));
}

static void put_line(output *output, int depth)
{
    static const char spaces[2 * ATM_MAX_DEPTH + 1] =
        "                                                                ";

    put(output, "\n", 1);
    put(output, spaces, (size_t) (2 * depth));
}

static void put_quoted(output *output, const char *string)
{
    char escape[8];

    put(output, "\"", 1);
    while (*string) {
        size_t plain = 0;

        while ((unsigned char) string[plain] >= ' ' && string[plain] != '"' &&
               string[plain] != '\\')
            plain++;
        put(output, string, plain);
        string += plain;
        if (!*string)
            break;
        if (*string == '"' || *string == '\\')
            snprintf(escape, sizeof(escape), "\\%c", *string);
        else
            snprintf(escape, sizeof(escape), "\\u%04x", (unsigned) (unsigned char) *string);
        put_text(output, escape);
        string++;
    }
    put(output, "\"", 1);
}

/* Arrays of numbers and such, so rows of a matrix, stay on a line. */
static bool is_flat(const atm_value *value)
{
    if (value->type != ATM_TYPE_ARRAY)
        return value->length == 0;
    for (size_t i = 0; i < value->length; i++)
        if (value->items[i]->type == ATM_TYPE_ARRAY || value->items[i]->type == ATM_TYPE_OBJECT)
            return false;
    return true;
}

static void put_value(output *output, const atm_value *value, int depth);

static void put_items(output *output, const atm_value *value, int depth)
{
    bool object = value->type == ATM_TYPE_OBJECT, flat = output->line || is_flat(value);

    put(output, object ? "{" : "[", 1);
    for (size_t i = 0; i < value->length; i++) {
        if (i > 0)
            put(output, ", ", flat && !output->line ? 2 : 1);
        if (!flat)
            put_line(output, depth + 1);
        if (object) {
            put_quoted(output, value->items[i]->key);
            put(output, ": ", output->line ? 1 : 2);
        }
        put_value(output, value->items[i], depth + 1);
    }
    if (!flat)
        put_line(output, depth);
    put(output, object ? "}" : "]", 1);
}

static void put_value(output *output, const atm_value *value, int depth)
{
    char number[ATM_NUMBER_TEXT];

    switch (value->type) {
        case ATM_TYPE_TRUTH:
            put_text(output, value->truth ? "true" : "false");
            break;
        case ATM_TYPE_NUMBER:
            atm_number_text(value->number, number);
            put_text(output, number);
            break;
        case ATM_TYPE_STRING:
            put_quoted(output, value->string);
            break;
        case ATM_TYPE_ARRAY:
        case ATM_TYPE_OBJECT:
            put_items(output, value, depth);
            break;
    }
}

static atm_status print(const atm_value *value, bool line, char **text_p, size_t *length_p)
{
    output output = {.line = line};
    const atm_value *root = value;
    atm_locale locale;

    while (root && root->parent)
        root = root->parent;
    if (atm_value_built(root))
        return atm_value_built(root);
    locale = atm_locale_enter();
    put_value(&output, value, 0);
    atm_locale_leave(locale);
    put(&output, "\n", 1);
    if (output.failed) {
        free(output.text);
        return ATM_NO_MEMORY;
    }
    *text_p = output.text;
    *length_p = output.length;
    return ATM_OK;
}

atm_status atm_value_print(const atm_value *value, char **text_p, size_t *length_p)
{
    return print(value, false, text_p, length_p);
}

atm_status atm_value_print_line(const atm_value *value, char **text_p, size_t *length_p)
{
    return print(value, true, text_p, length_p);
}
