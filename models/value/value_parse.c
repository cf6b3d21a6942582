/* Values: a text as a tree.  json-c parses it; what it takes and value.h does not
 * have is refused before or behind it. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locale.h"
#include "value_tree.h"

/* "name: line n: sentence", n of the byte at offset; ATM_BAD_FILE */
__attribute__((format(printf, 5, 6))) static atm_status
complain_line(const char *text, size_t offset, const char *name, atm_message *message,
              const char *format, ...)
{
    char where[32];
    size_t line = 1;
    va_list arguments;

    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    snprintf(where, sizeof(where), "line %zu", line);
    va_start(arguments, format);
    atm_message_set(message, name, where, format, arguments);
    va_end(arguments);
    return ATM_BAD_FILE;
}

static size_t count_of(char character, const char *text, size_t length)
{
    const char *end = text + length;
    size_t count = 0;

    while ((text = memchr(text, character, (size_t) (end - text))) != NULL) {
        count++;
        text++;
    }
    return count;
}

/*
 * Before json-c sees it: what bounds the memory that it takes, some 900 bytes for an
 * empty object, and whether there is that much.  It does not live through a failed
 * allocation: a key that it could not copy ends the process.
 */
static atm_status check_text(const char *text, size_t length, const char *name,
                             atm_message *message)
{
    enum { CONTAINER_MEMORY = 1024, VALUE_MEMORY = 256, BYTE_MEMORY = 4 };
    size_t containers, commas;
    void *volatile room; /* or no compiler would ask */
    const char *zero;

    if (length > ATM_MAX_BYTES)
        return complain_line(text, 0, name, message, "larger than %d bytes", ATM_MAX_BYTES);
    zero = memchr(text, 0, length);
    if (zero)
        return complain_line(text, (size_t) (zero - text), name, message, "has a 0 byte");
    containers = count_of('[', text, length) + count_of('{', text, length);
    commas = count_of(',', text, length);
    if (containers > ATM_MAX_CONTAINERS)
        return complain_line(text, 0, name, message, "more than %d arrays and objects",
                             ATM_MAX_CONTAINERS);
    if (containers + commas >= ATM_MAX_VALUES)
        return complain_line(text, 0, name, message, "more than %d values", ATM_MAX_VALUES);
    room = malloc(containers * CONTAINER_MEMORY + commas * VALUE_MEMORY + length * BYTE_MEMORY +
                  CONTAINER_MEMORY);
    free(room);
    return room ? ATM_OK : ATM_NO_MEMORY;
}

/* The caller puts the result, which is NULL for a text that is null. */
static atm_status tokenize(const char *text, size_t length, const char *name, atm_message *message,
                           json_object **json_p)
{
    struct json_tokener *tokener = json_tokener_new_ex(ATM_MAX_DEPTH + 1);
    enum json_tokener_error error = json_tokener_success;
    json_object *json = NULL;
    size_t end = 0;

    if (tokener && tokener->pb) { /* MPICH's copy leaves it NULL without memory */
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
        json = json_tokener_parse_ex(tokener, text, (int) length);
        error = json_tokener_get_error(tokener);
        end = json_tokener_get_parse_end(tokener);
    }
    if (tokener)
        json_tokener_free(tokener);
    if (error == json_tokener_continue)
        error = json_tokener_error_parse_eof;
    if (error != json_tokener_success)
        return complain_line(text, end, name, message, "%s", json_tokener_error_desc(error));
    if (end < length || length == 0) { /* memory ran out, though it does not say so */
        json_object_put(json);
        return ATM_NO_MEMORY;
    }
    *json_p = json;
    return ATM_OK;
}

static atm_status check(json_object *value, int depth, atm_message *message);

/* key: of an object's member, else NULL */
static atm_status check_item(json_object *container, const char *key, json_object *item, int depth,
                             atm_message *message)
{
    if (!item)
        return atm_complain(container, key, message, "null: what has no value must be left out");
    json_object_set_userdata(item, container, NULL);
    return check(item, depth, message);
}

static atm_status check_array(json_object *array, int depth, atm_message *message)
{
    struct array_list *items = json_object_get_array(array);
    size_t length = (size_t) json_object_array_length(array);
    atm_status status = ATM_OK;

    for (size_t i = 0; i < length && !status; i++)
        status = check_item(array, NULL, items->array[i], depth, message);
    return status;
}

static atm_status check_string(const json_object *value, const char *string, size_t length,
                               atm_message *message)
{
    if (length > ATM_MAX_STRING)
        return atm_complain(value, NULL, message, "a string is longer than %d bytes",
                            ATM_MAX_STRING);
    if (!atm_utf8_valid(string, length))
        return atm_complain(value, NULL, message, "a string has a 0 byte or is not valid UTF-8");
    return ATM_OK;
}

static atm_status check_object(json_object *object, int depth, atm_message *message)
{
    atm_status status = ATM_OK;

    if (json_object_object_length(object) > ATM_MAX_MEMBERS)
        return atm_complain(object, NULL, message, "has more than %d members", ATM_MAX_MEMBERS);
    json_object_object_foreach(object, key, member)
    {
        if (!status)
            status = check_string(object, key, strlen(key), message);
        if (!status)
            status = check_item(object, key, member, depth, message);
    }
    return status;
}

static atm_status check_number(const json_object *value, atm_message *message)
{
    double number = json_object_get_double(value);

    if (!isfinite(number))
        return atm_complain(value, NULL, message, "a number is not finite");
    /* json-c cuts those that do not fit */
    if (fabs(number) >= 0x1p63 && json_object_is_type(value, json_type_int))
        return atm_complain(value, NULL, message, "an integer is too large");
    return ATM_OK;
}

/* What json-c takes and value.h does not have.  depth: of containers around it */
static atm_status check(json_object *value, int depth, atm_message *message)
{
    enum json_type type = json_object_get_type(value);

    if (type == json_type_double || type == json_type_int)
        return check_number(value, message);
    if (type == json_type_string)
        return check_string(value, json_object_get_string(value),
                            (size_t) json_object_get_string_len(value), message);
    if (type == json_type_boolean)
        return ATM_OK;
    if (depth == ATM_MAX_DEPTH)
        return atm_complain(value, NULL, message, "nested deeper than %d levels", ATM_MAX_DEPTH);
    return type == json_type_array ? check_array(value, depth + 1, message)
                                   : check_object(value, depth + 1, message);
}

static atm_status make_tree(json_object *json, const char *text, const char *name,
                            atm_message *message, atm_value **root_p)
{
    json_object *root;
    atm_status status;

    if (!json_object_is_type(json, json_type_array) &&
        !json_object_is_type(json, json_type_object)) {
        json_object_put(json);
        return complain_line(text, 0, name, message, "must be an object or an array");
    }
    root = atm_value_root(json, name);
    if (!root)
        return ATM_NO_MEMORY;
    status = check(root, 0, message);
    if (status)
        json_object_put(root);
    else
        *root_p = root;
    return status;
}

atm_status atm_value_parse(const char *text, size_t length, const char *name, atm_message *message,
                           atm_value **root_p)
{
    atm_status status = check_text(text, length, name, message);
    json_object *json = NULL;
    atm_locale locale;

    if (status)
        return status;
    locale = atm_locale_enter();
    status = tokenize(text, length, name, message, &json);
    atm_locale_leave(locale);
    return status ? status : make_tree(json, text, name, message, root_p);
}
