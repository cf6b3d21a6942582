#include "text.h"

#include <stdio.h>
#include <string.h>

enum { FIRST = 1 << 16 };

static bool make_room(atw_text *text, size_t length)
{
    size_t room = text->room > 0 ? text->room : FIRST;
    char *larger;

    while (room < text->length + length)
        room *= 2;
    if (room == text->room)
        return true;
    larger = text->failed ? NULL : atw_take_pages(room);
    if (larger == NULL) {
        text->failed = true;
        return false;
    }
    if (text->bytes != NULL) {
        memcpy(larger, text->bytes, text->length);
        atw_give_back(text->bytes, text->room);
    }
    text->bytes = larger;
    text->room = room;
    return true;
}

void atw_text_add(atw_text *text, const char *bytes, size_t length)
{
    if (text->failed || !make_room(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

void atw_text_say(atw_text *text, const char *words)
{
    atw_text_add(text, words, strlen(words));
}

void atw_text_number(atw_text *text, int64_t number)
{
    char digits[24];

    snprintf(digits, sizeof(digits), "%lld", (long long) number);
    atw_text_say(text, digits);
}

/* How many bytes make a character of UTF-8 here; 0: none. */
static size_t character(const unsigned char *bytes, size_t left)
{
    size_t length = bytes[0] < 0x80   ? 1
                    : bytes[0] < 0xc2 ? 0
                    : bytes[0] < 0xe0 ? 2
                    : bytes[0] < 0xf0 ? 3
                    : bytes[0] < 0xf5 ? 4
                                      : 0;

    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (bytes[i] >> 6 != 2)
            return 0;
    if ((bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xed && bytes[1] > 0x9f) ||
        (bytes[0] == 0xf0 && bytes[1] < 0x90) || (bytes[0] == 0xf4 && bytes[1] > 0x8f))
        return 0;
    return length;
}

void atw_text_quote(atw_text *text, const char *bytes, size_t length)
{
    atw_text_say(text, "\"");
    for (size_t i = 0; i < length;) {
        size_t width = character((const unsigned char *) bytes + i, length - i);
        char escaped[8];

        if (width == 0) {
            atw_text_say(text, "\xef\xbf\xbd");
            i++;
        } else if (width == 1 && ((unsigned char) bytes[i] < 0x20 || bytes[i] == 0x7f ||
                                  bytes[i] == '"' || bytes[i] == '\\')) {
            snprintf(escaped, sizeof(escaped), "\\u%04x", (unsigned) bytes[i]);
            atw_text_say(text, escaped);
            i++;
        } else {
            atw_text_add(text, bytes + i, width);
            i += width;
        }
    }
    atw_text_say(text, "\"");
}

void atw_text_key(atw_text *text, const char *name)
{
    if (text->length > 0 && text->bytes[text->length - 1] != '{')
        atw_text_say(text, ", ");
    atw_text_quote(text, name, strlen(name));
    atw_text_say(text, ": ");
}

void atw_text_member(atw_text *text, const char *name, int64_t number)
{
    atw_text_key(text, name);
    atw_text_number(text, number);
}

void atw_text_free(atw_text *text)
{
    if (text->bytes != NULL)
        atw_give_back(text->bytes, text->room);
    *text = (atw_text){.bytes = NULL};
}
