/* Values: building a tree.  What goes wrong is kept at its root. */

#include <math.h>
#include <string.h>

#include "value_tree.h"

atm_value *atm_value_object(void)
{
    return atm_value_root(json_object_new_object(), "");
}

atm_status atm_value_built(const atm_value *root)
{
    if (!root)
        return ATM_NO_MEMORY;
    return (atm_status) (intptr_t) json_object_get_userdata(atm_value_document(root));
}

/* Whether value.h has anything in container under key */
static bool may_add(const atm_value *container, const char *key)
{
    int depth = 1;

    if (!json_object_is_type(container, key ? json_type_object : json_type_array))
        return false;
    if (key && (!atm_is_text(key, strlen(key)) || atm_value_find(container, key) ||
                json_object_object_length(container) == ATM_MAX_MEMBERS))
        return false;
    for (; container; container = atm_value_parent(container))
        depth++;
    return depth <= ATM_MAX_DEPTH;
}

/* Takes value, NULL without memory, and gives it if it is in the tree then.  valid: it
 * can be written. */
static atm_value *add(atm_value *container, const char *key, bool valid, json_object *value)
{
    atm_status status = atm_value_built(container);

    if (!status && !(valid && may_add(container, key)))
        status = ATM_BAD_ARGUMENT;
    if (!status && (!value || (key ? json_object_object_add(container, key, value)
                                   : json_object_array_add(container, value))))
        status = ATM_NO_MEMORY;
    if (!status) {
        atm_value_adopt(container, value);
        return value;
    }
    json_object_put(value);
    if (container)
        json_object_set_userdata(atm_value_document(container), (void *) (intptr_t) status, NULL);
    return NULL;
}

void atm_put_number(atm_value *container, const char *key, double number)
{
    add(container, key, isfinite(number), json_object_new_double(number));
}

void atm_put_integer(atm_value *container, const char *key, int64_t integer)
{
    bool exact = integer >= -ATM_MAX_INTEGER && integer <= ATM_MAX_INTEGER;

    add(container, key, exact, json_object_new_int64(integer));
}

void atm_put_truth(atm_value *container, const char *key, bool truth)
{
    add(container, key, true, json_object_new_boolean(truth));
}

void atm_put_string(atm_value *container, const char *key, const char *string)
{
    const char *from = string ? string : "", *end = from + strlen(from);
    char clean[3 + 3 * ATM_MAX_STRING + 1], *start = clean + 3, *to = start;
    bool cut = end - from > ATM_MAX_STRING;

    if (cut) /* perhaps within a character: what is left of it goes for the "..." */
        from = end - ATM_MAX_STRING;
    while (from < end) {
        size_t length = atm_utf8_length(from, end);

        to = length > 0 ? mempcpy(to, from, length) : mempcpy(to, "\xef\xbf\xbd", 3); /* U+FFFD */
        from += length > 0 ? length : 1;
    }
    *to = 0;
    if (cut || to - start > ATM_MAX_STRING) {
        while (to - start > ATM_MAX_STRING - 3)
            start += atm_utf8_length(start, to);
        start = memcpy(start - 3, "...", 3);
    }
    add(container, key, string != NULL, json_object_new_string(start));
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
    return add(container, key, true, json_object_new_object());
}

atm_value *atm_put_array(atm_value *container, const char *key)
{
    return add(container, key, true, json_object_new_array());
}

void atm_put_copy(atm_value *container, const char *key, const atm_value *value)
{
    atm_value *copy;

    switch (json_object_get_type(value)) {
        case json_type_boolean:
            atm_put_truth(container, key, json_object_get_boolean(value));
            break;
        default: /* a number */
            atm_put_number(container, key, json_object_get_double(value));
            break;
        case json_type_string:
            atm_put_string(container, key, json_object_get_string((json_object *) value));
            break;
        case json_type_array:
            copy = atm_put_array(container, key);
            for (size_t i = 0; i < atm_value_length(value); i++)
                atm_put_copy(copy, NULL, atm_value_item(value, i));
            break;
        case json_type_object: {
            copy = atm_put_object(container, key);
            json_object_object_foreach(value, name, member)
            {
                atm_put_copy(copy, name, member);
            }
            break;
        }
    }
}
