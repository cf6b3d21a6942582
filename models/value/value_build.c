/* Values: building a tree.  What goes wrong is kept at its root. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "value_tree.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

static atm_value *root_of(atm_value *value)
{
    while (value->parent)
        value = value->parent;
    return value;
}

static bool is_text(const char *text)
{
    const char *end = text + strlen(text);

    if (end - text > ATM_MAX_STRING)
        return false;
    while (text < end) {
        size_t length = atm_utf8_length(text, end);

        if (length == 0)
            return false;
        text += length;
    }
    return true;
}

/* ATM_OK if a value of the type may be added to container under key */
static atm_status may_add(const atm_value *container, const char *key, atm_type type)
{
    int depth = type == ATM_TYPE_ARRAY || type == ATM_TYPE_OBJECT;

    if (container->type != ATM_TYPE_ARRAY && container->type != ATM_TYPE_OBJECT)
        return ATM_BAD_ARGUMENT;
    if (!key != (container->type == ATM_TYPE_ARRAY))
        return ATM_BAD_ARGUMENT;
    if (key &&
        (!is_text(key) || container->length == ATM_MAX_MEMBERS || atm_value_find(container, key)))
        return ATM_BAD_ARGUMENT;
    for (; container; container = container->parent)
        depth++;
    return depth > ATM_MAX_DEPTH ? ATM_BAD_ARGUMENT : ATM_OK;
}

/* NULL if the tree is or gets broken */
static atm_value *add(atm_value *container, const char *key, atm_type type, const char *string)
{
    atm_value *root, *value = NULL;

    if (!container)
        return NULL;
    root = root_of(container);
    if (!root->broken)
        root->broken = may_add(container, key, type);
    if (!root->broken && type == ATM_TYPE_STRING && (!string || !is_text(string)))
        root->broken = ATM_BAD_ARGUMENT;
    if (!root->broken) {
        value = atm_tree_add(container, type, key, string);
        if (!value)
            root->broken = ATM_NO_MEMORY;
    }
    return value;
}

atm_value *atm_value_object(void)
{
    return atm_tree_add(NULL, ATM_TYPE_OBJECT, NULL, NULL);
}

atm_value *atm_value_array(void)
{
    return atm_tree_add(NULL, ATM_TYPE_ARRAY, NULL, NULL);
}

void atm_put_number(atm_value *container, const char *key, double number)
{
    atm_value *value = add(container, key, ATM_TYPE_NUMBER, NULL);

    if (!value)
        return;
    if (!isfinite(number))
        root_of(value)->broken = ATM_BAD_ARGUMENT;
    value->number = number;
}

void atm_put_integer(atm_value *container, const char *key, int64_t integer)
{
    bool exact = integer >= -ATM_MAX_INTEGER && integer <= ATM_MAX_INTEGER;

    atm_put_number(container, key, exact ? (double) integer : NAN);
}

void atm_put_truth(atm_value *container, const char *key, bool truth)
{
    atm_value *value = add(container, key, ATM_TYPE_TRUTH, NULL);

    if (value)
        value->truth = truth;
}

void atm_put_string(atm_value *container, const char *key, const char *string)
{
    add(container, key, ATM_TYPE_STRING, string);
}

/* The character at text, which is not empty: its bytes, and those written for
 * it (put_quoted in value/value_print.c). */
static size_t next_character(const char *text, const char *end, size_t *written_p)
{
    size_t length = atm_utf8_length(text, end);

    if ((unsigned char) *text < ' ')
        *written_p = 6;
    else if (*text == '"' || *text == '\\')
        *written_p = 2;
    else
        *written_p = length > 0 ? length : sizeof(replacement) - 1;
    return length > 0 ? length : 1;
}

/* Where the last characters begin that fit into room bytes as written. */
static const char *last_part(const char *text, const char *end, size_t room)
{
    size_t all = 0, written;

    for (const char *at = text; at < end; all += written)
        at += next_character(at, end, &written);
    for (; all > room; all -= written)
        text += next_character(text, end, &written);
    return text;
}

void atm_put_text(atm_value *container, const char *key, const char *text)
{
    const char *end = text + strlen(text), *from = last_part(text, end, ATM_MAX_STRING);
    char clean[ATM_MAX_STRING + 1], *to = clean;
    size_t written;

    if (from > text) {
        from = last_part(from, end, ATM_MAX_STRING - 3);
        to = mempcpy(to, "...", 3);
    }
    while (from < end) {
        size_t length = next_character(from, end, &written);

        if (atm_utf8_length(from, end) > 0)
            to = mempcpy(to, from, length);
        else
            to = mempcpy(to, replacement, sizeof(replacement) - 1);
        from += length;
    }
    *to = 0;
    atm_put_string(container, key, clean);
}

void atm_put_numbers(atm_value *container, const char *key, const double *numbers, size_t length)
{
    atm_value *array = atm_put_array(container, key);

    for (size_t i = 0; i < length; i++)
        atm_put_number(array, NULL, numbers[i]);
}

void atm_put_matrix(atm_value *container, const char *key, const double *numbers, size_t rows,
                    size_t columns)
{
    atm_value *array = atm_put_array(container, key);

    for (size_t i = 0; i < rows; i++)
        atm_put_numbers(array, NULL, numbers + i * columns, columns);
}

atm_value *atm_put_object(atm_value *container, const char *key)
{
    return add(container, key, ATM_TYPE_OBJECT, NULL);
}

atm_value *atm_put_array(atm_value *container, const char *key)
{
    return add(container, key, ATM_TYPE_ARRAY, NULL);
}

void atm_put_copy(atm_value *container, const char *key, const atm_value *value)
{
    const char *string = value->type == ATM_TYPE_STRING ? value->string : NULL;
    atm_value *copy = add(container, key, value->type, string);

    if (!copy)
        return;
    if (value->type == ATM_TYPE_TRUTH)
        copy->truth = value->truth;
    else if (value->type == ATM_TYPE_NUMBER)
        copy->number = value->number;
    for (size_t i = 0; i < atm_value_length(value); i++)
        atm_put_copy(copy, atm_value_key(value->items[i]), value->items[i]);
}

atm_status atm_value_built(const atm_value *root)
{
    return root ? root->broken : ATM_NO_MEMORY;
}
