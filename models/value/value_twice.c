/*
 * Values: which key an object has twice.  json-c keeps only the last of them,
 * so this looks at the text; it runs only when the count of members has shown
 * that there is one.
 */

#include <stdlib.h>
#include <string.h>

#include "value_scan.h"

typedef struct key {
    size_t object; /* number of the object it belongs to */
    const char *text;
    size_t length;
} key;

static int compare_keys(const void *left, const void *right)
{
    const key *a = left, *b = right;

    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return memcmp(a->text, b->text, a->length);
}

/* Behind the string whose opening quote is at. */
static const char *string_end(const char *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* keys has room for all of them; gives their number. */
static size_t collect(const char *text, size_t length, key *keys)
{
    const char *at = text, *end = text + length, *string = NULL, *string_stop = NULL;
    size_t objects = 0, count = 0, open[ATM_MAX_DEPTH], depth = 0;

    while (at < end) {
        if (*at == '"') {
            string = at + 1;
            at = string_end(at);
            string_stop = at - 1;
            continue;
        }
        if (*at == '{' || *at == '[')
            open[depth++] = objects++;
        else if (*at == '}' || *at == ']')
            depth--;
        else if (*at == ':')
            keys[count++] = (key){open[depth - 1], string, (size_t) (string_stop - string)};
        at++;
    }
    return count;
}

atm_status atm_scan_twice(const char *text, size_t length, size_t members, const char *name,
                          atm_message *message)
{
    key *keys = malloc((members + 1) * sizeof(*keys));
    const key *twice = NULL;
    atm_status status;
    size_t count;

    if (!keys)
        return ATM_NO_MEMORY;
    count = collect(text, length, keys);
    qsort(keys, count, sizeof(*keys), compare_keys);
    for (size_t i = 1; i < count && !twice; i++)
        if (compare_keys(&keys[i - 1], &keys[i]) == 0)
            twice = keys[i - 1].text > keys[i].text ? &keys[i - 1] : &keys[i];
    if (twice)
        status =
            atm_scan_complain(text, (size_t) (twice->text - text), name, message,
                              "the key \"%.*s\" is there twice", (int) twice->length, twice->text);
    else /* once with, once without escape sequences */
        status = atm_scan_complain(text, 0, name, message, "an object has a key twice");
    free(keys);
    return status;
}
