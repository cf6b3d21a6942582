/* Values: a text as a tree.  json-c parses it; what it takes and value.h does not
 * have is refused before or behind it. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locale.h"
#include "value_tree.h"

static const char not_text[] = "a string has a 0 byte or is too long";

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

    for (; (text = memchr(text, character, (size_t) (end - text))) != NULL; text++)
        count++;
    return count;
}

static size_t valid_bytes(const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    size_t step = 1;

    for (; at < end && step > 0; at += step)
        step = atm_utf8_length(at, end);
    return (size_t) (at - text);
}

static bool is_ascii(const char *text, size_t length)
{
    size_t i = 0;

    while (i < length && (unsigned char) text[i] < 0x80)
        i++;
    return i == length;
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
    size_t containers, memory, valid;
    void *volatile room; /* or no compiler would ask */

    if (length > ATM_MAX_BYTES)
        return complain_line(text, 0, name, message, "larger than %d bytes", ATM_MAX_BYTES);
    if (memchr(text, 0, length))
        return complain_line(text, strlen(text), name, message, "has a 0 byte");
    valid = valid_bytes(text, length);
    if (valid < length)
        return complain_line(text, valid, name, message, "is not valid UTF-8");
    containers = 1 + count_of('[', text, length) + count_of('{', text, length);
    memory = containers * CONTAINER_MEMORY + count_of(',', text, length) * VALUE_MEMORY +
             length * BYTE_MEMORY;
    if (memory > ATM_MAX_MEMORY)
        return complain_line(text, 0, name, message, "takes more than %d MiB of memory",
                             ATM_MAX_MEMORY / 1024 / 1024);
    room = malloc(memory);
    free(room);
    return room ? ATM_OK : ATM_NO_MEMORY;
}

/* The caller puts the result, which is NULL for a text that is null. */
static atm_status tokenize(const char *text, size_t length, const char *name, atm_message *message,
                           json_object **json_p)
{
    struct json_tokener *tokener = json_tokener_new_ex(ATM_MAX_DEPTH);
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

/* What json-c takes and value.h does not have; NULL for any other value */
static const char *problem_of(json_object *value)
{
    switch (json_object_get_type(value)) {
        case json_type_null:
            return "null: what has no value must be left out";
        case json_type_double:
            return isfinite(json_object_get_double(value)) ? NULL : "a number is not finite";
        case json_type_int: /* json-c cuts those that do not fit */
            return fabs(json_object_get_double(value)) < 0x1p63 ? NULL : "an integer is too large";
        case json_type_string:
            return atm_is_text(json_object_get_string(value),
                               (size_t) json_object_get_string_len(value))
                       ? NULL
                       : not_text;
        default:
            return NULL;
    }
}

static atm_status check(json_object *container, atm_message *message);

/* key: of an object's member, else NULL */
static atm_status check_item(json_object *container, const char *key, json_object *item,
                             atm_message *message)
{
    enum json_type type = json_object_get_type(item);
    const char *problem = problem_of(item);

    if (!item)
        return atm_complain(container, key, message, "%s", problem);
    if (!problem && (type == json_type_double || type == json_type_int))
        return ATM_OK; /* most are never asked alone: atm_value_adopt */
    atm_value_adopt(container, item);
    if (problem)
        return atm_complain(item, NULL, message, "%s", problem);
    return type == json_type_array || type == json_type_object ? check(item, message) : ATM_OK;
}

/* All within container, which is as deep as the tokener lets it be */
static atm_status check(json_object *container, atm_message *message)
{
    size_t length = atm_value_length(container);
    atm_status status = ATM_OK;

    if (json_object_is_type(container, json_type_array)) {
        void **items = json_object_get_array(container)->array;

        for (size_t i = 0; i < length && !status; i++)
            status = check_item(container, NULL, items[i], message);
        return status;
    }
    if (length > ATM_MAX_MEMBERS)
        return atm_complain(container, NULL, message, "has more than %d members", ATM_MAX_MEMBERS);
    json_object_object_foreach(container, key, member)
    {
        if (!status && !atm_is_text(key, strlen(key)))
            status = atm_complain(container, NULL, message, "%s", not_text);
        if (!status)
            status = check_item(container, key, member, message);
    }
    return status;
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
    status = check(root, message);
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
    char *escaped = NULL;
    atm_locale locale;

    if (status)
        return status;
    /* json-c 0.18 takes bytes above 127 for control characters where char is signed (its issue
     * 875); escapes have as many lines */
    if (!is_ascii(text, length)) {
        escaped = atm_text_escape(text, length, &length);
        if (escaped == NULL)
            return ATM_NO_MEMORY;
        text = escaped;
    }
    locale = atm_locale_enter();
    status = tokenize(text, length, name, message, &json);
    atm_locale_leave(locale);
    if (status == ATM_OK)
        status = make_tree(json, text, name, message, root_p);
    free(escaped);
    return status;
}
