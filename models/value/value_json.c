/*
 * Values: json-c, in this file alone.  Functions that both MPICH's copy (older
 * than 0.14) and 0.16 have, so that one source does inside and outside libmpi.
 */

#include <json.h>

#include "locale.h"
#include "value_scan.h"

/* json-c keeps the members of an object in the order of the text, so numbers
 * are met in the order in which the scan found them. */
typedef struct conversion {
    const double *number;
    const size_t *array;
} conversion;

static atm_status convert(json_object *from, atm_value *parent, const char *key,
                          conversion *conversion, atm_value **value_p);

static atm_status convert_array(json_object *from, conversion *conversion, atm_value *array)
{
    size_t length = (size_t) json_object_array_length(from);
    atm_status status = ATM_OK;
    atm_value *item;

    if (!atm_tree_reserve(array, length))
        return ATM_NO_MEMORY;
    for (size_t i = 0; i < length && !status; i++)
        status = convert(json_object_array_get_idx(from, i), array, NULL, conversion, &item);
    return status;
}

static atm_status convert_object(json_object *from, conversion *conversion, atm_value *object)
{
    atm_status status = ATM_OK;
    atm_value *item;

    if (!atm_tree_reserve(object, (size_t) json_object_object_length(from)))
        return ATM_NO_MEMORY;
    json_object_object_foreach(from, key, member)
    {
        if (!status)
            status = convert(member, object, key, conversion, &item);
    }
    return status;
}

/* What value/value_scan.h put in the place of a number or of an array of them. */
static atm_value *convert_numbers(json_object *from, atm_value *parent, const char *key,
                                  conversion *conversion)
{
    const double *numbers = conversion->number;
    atm_value *value;

    if (json_object_get_int(from) == 1) {
        conversion->number += *conversion->array;
        return atm_tree_add_numbers(parent, key, numbers, *conversion->array++);
    }
    value = atm_tree_add(parent, ATM_TYPE_NUMBER, key, NULL);
    if (value)
        value->number = *conversion->number++;
    return value;
}

/* As deep as the text: ATM_MAX_DEPTH at most.  On failure the parent owns what
 * there is of the value already, and *value_p is set for a root. */
static atm_status convert(json_object *from, atm_value *parent, const char *key,
                          conversion *conversion, atm_value **value_p)
{
    switch (json_object_get_type(from)) {
        case json_type_array:
            *value_p = atm_tree_add(parent, ATM_TYPE_ARRAY, key, NULL);
            return *value_p ? convert_array(from, conversion, *value_p) : ATM_NO_MEMORY;
        case json_type_object:
            *value_p = atm_tree_add(parent, ATM_TYPE_OBJECT, key, NULL);
            return *value_p ? convert_object(from, conversion, *value_p) : ATM_NO_MEMORY;
        case json_type_string:
            *value_p = atm_tree_add(parent, ATM_TYPE_STRING, key, json_object_get_string(from));
            break;
        case json_type_boolean:
            *value_p = atm_tree_add(parent, ATM_TYPE_TRUTH, key, NULL);
            if (*value_p)
                (*value_p)->truth = json_object_get_boolean(from);
            break;
        default:
            *value_p = convert_numbers(from, parent, key, conversion);
    }
    return *value_p ? ATM_OK : ATM_NO_MEMORY;
}

static size_t count_members(json_object *from)
{
    size_t members = 0;

    if (json_object_get_type(from) == json_type_array) {
        for (size_t i = 0; i < (size_t) json_object_array_length(from); i++)
            members += count_members(json_object_array_get_idx(from, i));
    } else if (json_object_get_type(from) == json_type_object) {
        json_object_object_foreach(from, key, member)
        {
            (void) key;
            members += 1 + count_members(member);
        }
    }
    return members;
}

/* Where tokens come in the wrong order; the caller puts the result. */
static atm_status tokenize(const atm_scan *scan, json_object **json_p)
{
    struct json_tokener *tokener = json_tokener_new_ex(ATM_MAX_DEPTH + 1);
    enum json_tokener_error error;
    atm_status status = ATM_OK;

    if (!tokener)
        return ATM_NO_MEMORY;
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    *json_p = json_tokener_parse_ex(tokener, scan->rest, (int) scan->rest_length);
    error = json_tokener_get_error(tokener);
    if (error != json_tokener_success)
        status = atm_scan_complain(scan->rest, json_tokener_get_parse_end(tokener), scan->name,
                                   scan->message, "%s", json_tokener_error_desc(error));
    else if (!*json_p)
        status = ATM_NO_MEMORY;
    json_tokener_free(tokener);
    return status;
}

/* Sets *root_p also on failure, to what there is. */
static atm_status build(const atm_scan *scan, atm_value **root_p)
{
    conversion conversion = {scan->numbers, scan->arrays};
    json_object *json = NULL;
    atm_status status = tokenize(scan, &json);

    if (!status && count_members(json) != scan->members)
        status = atm_scan_twice(scan->text, (size_t) (scan->end - scan->text), scan->members,
                                scan->name, scan->message);
    if (!status)
        status = convert(json, NULL, scan->name, &conversion, root_p);
    json_object_put(json);
    return status;
}

atm_status atm_value_parse(const char *text, size_t length, const char *name, atm_message *message,
                           atm_value **root_p)
{
    atm_locale locale = atm_locale_enter();
    atm_value *root = NULL;
    atm_scan scan;
    atm_status status = atm_scan_text(text, length, name, message, &scan);

    if (!status)
        status = build(&scan, &root);
    atm_scan_free(&scan);
    atm_locale_leave(locale);
    if (status)
        atm_value_destroy(root);
    else
        *root_p = root;
    return status;
}
