/* Values: what is not ASCII as escapes. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value_text.h"

enum { ESCAPE = 6 }; /* bytes of one; a character of four bytes takes two */

static uint32_t character_at(const char *text, size_t bytes)
{
    static const unsigned char first[] = {0, 0, 0x1f, 0x0f, 0x07};
    uint32_t character = (unsigned char) text[0] & first[bytes];

    for (size_t i = 1; i < bytes; i++)
        character = character << 6 | ((unsigned char) text[i] & 0x3f);
    return character;
}

static char *put_unit(char *to, uint32_t unit)
{
    char escape[ESCAPE + 1];

    snprintf(escape, sizeof(escape), "\\u%04x", (unsigned) unit & 0xffff);
    memcpy(to, escape, ESCAPE);
    return to + ESCAPE;
}

static char *put_escape(char *to, uint32_t character)
{
    if (character < 0x10000)
        return put_unit(to, character);
    character -= 0x10000;
    to = put_unit(to, 0xd800 | character >> 10);
    return put_unit(to, 0xdc00 | (character & 0x3ff));
}

char *atm_text_escape(const char *text, size_t length, size_t *length_p)
{
    const char *end = text + length;
    size_t others = 0;
    char *escaped, *to;

    for (const char *at = text; at < end; at++)
        others += (unsigned char) *at >= 0x80;
    to = escaped = malloc(length + others * (ESCAPE / 2 - 1) + 1);
    if (escaped == NULL)
        return NULL;
    while (text < end) {
        size_t bytes = atm_utf8_length(text, end);

        if (*text == '\\' && text + 1 < end) { /* json-c is to refuse what cannot follow it */
            *to++ = *text++;
            bytes = 1;
        }
        if (bytes > 1)
            to = put_escape(to, character_at(text, bytes));
        else
            *to++ = *text;
        text += bytes > 1 ? bytes : 1;
    }
    *length_p = (size_t) (to - escaped);
    return escaped;
}
