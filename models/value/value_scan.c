/* Values: all of a text but the order of its tokens, which json-c checks. */

#include <stdlib.h>
#include <string.h>

#include "value_scan.h"

/* --- results */

static void keep(atm_scan *scan, const char *text, size_t length)
{
    memcpy(scan->rest + scan->rest_length, text, length);
    scan->rest_length += length;
}

/* The array with room for one more of size bytes each; NULL without memory */
static void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
    size_t wanted = *capacity ? 2 * *capacity : 256;
    void *grown = count < *capacity ? array : realloc(array, wanted * size);

    if (grown && count == *capacity)
        *capacity = wanted;
    return grown;
}

static atm_status count_value(atm_scan *scan)
{
    if (++scan->values > ATM_MAX_VALUES)
        return ATM_SCAN_COMPLAIN(scan, "more than %d values and keys", ATM_MAX_VALUES);
    return ATM_OK;
}

static atm_status take_number(atm_scan *scan)
{
    atm_status status = count_value(scan);
    double *numbers;

    if (status)
        return status;
    numbers = grow(scan->numbers, scan->number_count, &scan->number_capacity, sizeof(*numbers));
    if (!numbers)
        return ATM_NO_MEMORY;
    scan->numbers = numbers;
    status = atm_scan_number(scan, &numbers[scan->number_count]);
    scan->number_count += !status;
    return status;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static void skip_space(atm_scan *scan)
{
    while (scan->at < scan->end && is_space(*scan->at))
        scan->at++;
}

/* --- arrays of numbers */

static bool at_number(const atm_scan *scan)
{
    return scan->at < scan->end && (*scan->at == '-' || (*scan->at >= '0' && *scan->at <= '9'));
}

/* In the array whose '[' is at: 1 if it has numbers only, which are then taken,
 * else 0; -1 without memory. */
static int take_numbers(atm_scan *scan)
{
    atm_message *message = scan->message;
    atm_status status = ATM_OK;
    bool only = true;

    scan->message = NULL; /* what is wrong with it is found later again */
    scan->at++;
    do {
        skip_space(scan);
        only = at_number(scan);
        if (only)
            status = take_number(scan);
        skip_space(scan);
    } while (only && !status && atm_scan_char(scan, ','));
    scan->message = message;
    if (status == ATM_NO_MEMORY)
        return -1;
    return only && !status && atm_scan_char(scan, ']');
}

/* 1 in the array's place, a space to part it from what follows, and its lines */
static atm_status keep_array(atm_scan *scan, const char *start, size_t length)
{
    size_t *arrays = grow(scan->arrays, scan->array_count, &scan->array_capacity, sizeof(*arrays));

    if (!arrays)
        return ATM_NO_MEMORY;
    scan->arrays = arrays;
    arrays[scan->array_count++] = length;
    keep(scan, "1 ", 2);
    for (; start < scan->at; start++)
        if (*start == '\n')
            keep(scan, start, 1);
    return ATM_OK;
}

/* --- structure */

static atm_status count_container(atm_scan *scan)
{
    if (scan->depth == ATM_MAX_DEPTH)
        return ATM_SCAN_COMPLAIN(scan, "nested deeper than %d levels", ATM_MAX_DEPTH);
    if (++scan->containers > ATM_MAX_CONTAINERS)
        return ATM_SCAN_COMPLAIN(scan, "more than %d arrays and objects", ATM_MAX_CONTAINERS);
    return count_value(scan);
}

static atm_status open_container(atm_scan *scan)
{
    atm_status status = count_container(scan);

    if (status)
        return status;
    keep(scan, scan->at, 1);
    scan->levels[scan->depth].close = *scan->at++ == '{' ? '}' : ']';
    scan->levels[scan->depth++].members = 0;
    return ATM_OK;
}

/* A root is left to json-c, whatever it has. */
static atm_status open_array(atm_scan *scan)
{
    const char *start = scan->at;
    size_t values = scan->values, numbers = scan->number_count;
    int taken = scan->depth > 0 ? take_numbers(scan) : 0;
    atm_status status;

    if (taken < 0)
        return ATM_NO_MEMORY;
    if (taken == 0) {
        scan->at = start;
        scan->values = values;
        scan->number_count = numbers;
        return open_container(scan);
    }
    status = count_container(scan);
    return status ? status : keep_array(scan, start, scan->number_count - numbers);
}

static atm_status close_container(atm_scan *scan)
{
    if (*scan->at != scan->levels[scan->depth - 1].close)
        return ATM_SCAN_COMPLAIN(scan, "'%c' closes nothing", *scan->at);
    keep(scan, scan->at++, 1);
    scan->depth--;
    return ATM_OK;
}

static atm_status count_member(atm_scan *scan)
{
    keep(scan, scan->at++, 1);
    scan->members++;
    if (++scan->levels[scan->depth - 1].members > ATM_MAX_MEMBERS)
        return ATM_SCAN_COMPLAIN(scan, "an object has more than %d members", ATM_MAX_MEMBERS);
    return ATM_OK;
}

/* A string, which may be a key, or a word */
static atm_status take_text(atm_scan *scan)
{
    const char *start = scan->at;
    atm_status status = count_value(scan);

    if (!status)
        status = *scan->at == '"' ? atm_scan_string(scan) : atm_scan_word(scan);
    if (!status)
        keep(scan, start, (size_t) (scan->at - start));
    return status;
}

static atm_status scan_token(atm_scan *scan)
{
    atm_status status;

    if (is_space(*scan->at) || *scan->at == ',') {
        keep(scan, scan->at++, 1);
        return ATM_OK;
    }
    switch (*scan->at) {
        case ':':
            return count_member(scan);
        case '{':
            return open_container(scan);
        case '[':
            return open_array(scan);
        case '}':
        case ']':
            return close_container(scan);
        default:
            if (!at_number(scan))
                return take_text(scan);
            status = take_number(scan);
            if (!status)
                keep(scan, "0", 1);
            return status;
    }
}

static atm_status scan_document(atm_scan *scan)
{
    atm_status status = ATM_OK;

    while (scan->at < scan->end && is_space(*scan->at))
        keep(scan, scan->at++, 1);
    if (scan->at == scan->end || (*scan->at != '{' && *scan->at != '['))
        return ATM_SCAN_COMPLAIN(scan, "must begin with '{' or '['");
    do
        status = scan_token(scan);
    while (!status && scan->depth > 0 && scan->at < scan->end);
    if (status)
        return status;
    if (scan->depth > 0)
        return ATM_SCAN_COMPLAIN(scan, "the text ends before the last '%c'",
                                 scan->levels[scan->depth - 1].close);
    skip_space(scan);
    if (scan->at < scan->end)
        return ATM_SCAN_COMPLAIN(scan, "there is more text behind the end");
    return ATM_OK;
}

atm_status atm_scan_text(const char *text, size_t length, const char *name, atm_message *message,
                         atm_scan *scan)
{
    *scan = (atm_scan){
        .text = text, .at = text, .end = text + length, .name = name, .message = message};
    if (length > ATM_MAX_BYTES)
        return atm_scan_complain(text, 0, name, message, "larger than %d bytes", ATM_MAX_BYTES);
    scan->rest = malloc(length + 1); /* nothing gets longer */
    return scan->rest ? scan_document(scan) : ATM_NO_MEMORY;
}

void atm_scan_free(atm_scan *scan)
{
    free(scan->rest);
    free(scan->numbers);
    free(scan->arrays);
}
