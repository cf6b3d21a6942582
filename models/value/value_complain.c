/* Values: messages that say where in which file what is wrong. */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "locale.h"
#include "value_tree.h"

/* Limits that leave half of a message to the problem itself, beside name and path. */
enum { NAME_ROOM = 64, PATH_ROOM = 80 };

/* The end of text that fits into size bytes, "..." before it if it was cut. */
static void copy_end(const char *text, size_t size, char *copy_p)
{
    size_t length = strlen(text);

    if (length < size) {
        memcpy(copy_p, text, length + 1);
    } else {
        memcpy(copy_p, "...", 3);
        memcpy(copy_p + 3, text + length - (size - 4), size - 3);
    }
}

/* Texts come from files. */
static void make_printable(char *text)
{
    const char *from = text, *end = text + strlen(text);

    while (from < end) {
        size_t length = atm_shown_length(from, end), step = atm_utf8_length(from, end);

        if (length == 0)
            *text++ = '?';
        for (size_t i = 0; i < length; i++)
            *text++ = from[i];
        from += step > 0 ? step : 1;
    }
    *text = '\0';
}

void atm_message_set(atm_message *message, const char *name, const char *where, const char *format,
                     va_list arguments)
{
    char short_name[NAME_ROOM], short_where[PATH_ROOM];
    int length, error = errno;
    atm_locale locale;

    if (!message)
        return;
    copy_end(name, sizeof(short_name), short_name);
    copy_end(where, sizeof(short_where), short_where);
    length = snprintf(message->text, sizeof(message->text), "%s%s%s%s", short_name,
                      *short_name ? ": " : "", short_where, *short_where ? ": " : "");
    locale = atm_locale_enter();
    errno = error;
    vsnprintf(message->text + length, sizeof(message->text) - (size_t) length, format, arguments);
    atm_locale_leave(locale);
    make_printable(message->text);
}

/* Puts segment before *start_p, or its end if there is no more room. */
static void prepend(const char *segment, const char *buffer, char **start_p)
{
    size_t room = (size_t) (*start_p - buffer), length = strlen(segment);
    size_t fits = length < room ? length : room;

    *start_p -= fits;
    memcpy(*start_p, segment + length - fits, fits);
}

/* "key", ".key" in an object that is not the root */
static void prepend_key(const atm_value *object, const char *key, const char *buffer,
                        char **start_p)
{
    prepend(key, buffer, start_p);
    if (atm_value_parent(object))
        prepend(".", buffer, start_p);
}

static void prepend_index(const atm_value *array, const atm_value *value, const char *buffer,
                          char **start_p)
{
    char index[32];
    size_t i = 0;

    while (json_object_array_get_idx(array, i) != value)
        i++;
    snprintf(index, sizeof(index), "[%zu]", i);
    prepend(index, buffer, start_p);
}

atm_status atm_complain(const atm_value *value, const char *key, atm_message *message,
                        const char *format, ...)
{
    const char *name = json_object_get_string(atm_value_document(value));
    char path[2 * PATH_ROOM]; /* longer than atm_message_set keeps */
    char *start = path + sizeof(path) - 1;
    const atm_value *parent;
    va_list arguments;

    *start = 0;
    if (key)
        prepend_key(value, key, path, &start);
    for (; (parent = atm_value_parent(value)) != NULL; value = parent) {
        if (atm_value_key(value))
            prepend_key(parent, atm_value_key(value), path, &start);
        else
            prepend_index(parent, value, path, &start);
    }
    va_start(arguments, format);
    atm_message_set(message, name, start, format, arguments);
    va_end(arguments);
    return ATM_BAD_FILE;
}

/* Unicode 15, table 3-7: no surrogates, nothing overlong, nothing above
 * U+10FFFF. */
size_t atm_utf8_length(const char *text, const char *end)
{
    const unsigned char *byte = (const unsigned char *) text;
    size_t length, left = (size_t) (end - text);
    unsigned char low = 0x80, high = 0xbf;

    if (left == 0 || byte[0] == 0)
        return 0;
    if (byte[0] < 0x80)
        return 1;
    if (byte[0] < 0xc2 || byte[0] > 0xf4)
        return 0;
    length = byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
    if (byte[0] == 0xe0)
        low = 0xa0;
    else if (byte[0] == 0xed)
        high = 0x9f;
    else if (byte[0] == 0xf0)
        low = 0x90;
    else if (byte[0] == 0xf4)
        high = 0x8f;
    if (left < length || byte[1] < low || byte[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (byte[i] < 0x80 || byte[i] > 0xbf)
            return 0;
    return length;
}

/* Decodes a valid sequence.  0x10000 stands for everything above U+FFFF: the caller need not tell
 * these apart. */
static uint32_t code_point(const unsigned char *byte, size_t length)
{
    return length == 1   ? byte[0]
           : length == 2 ? (byte[0] & 0x1fu) << 6 | (byte[1] & 0x3fu)
           : length == 3 ? (byte[0] & 0xfu) << 12 | (byte[1] & 0x3fu) << 6 | (byte[2] & 0x3fu)
                         : 0x10000;
}

/* Controls of ASCII and ISO 8859, marks, embeddings and isolates of a direction (UAX #9),
 * separators of lines, and what is no character. */
size_t atm_shown_length(const char *text, const char *end)
{
    size_t length = atm_utf8_length(text, end);
    uint32_t code = length > 0 ? code_point((const unsigned char *) text, length) : 0;

    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
        code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
        (code >= 0x2066 && code <= 0x2069) || code == 0xfeff || code == 0xfffe || code == 0xffff)
        return 0;
    return length;
}

bool atm_is_text(const char *text, size_t length)
{
    const char *end = text + length;
    size_t step = 1;

    for (; text < end && step > 0; text += step)
        step = atm_utf8_length(text, end);
    return text == end && length <= ATM_MAX_STRING;
}

atm_status atm_no_access(const char *path, atm_message *message, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    atm_message_set(message, path, "", format, arguments);
    va_end(arguments);
    return ATM_NO_ACCESS;
}
