#include "shown.h"

#include <string.h>

#include "value/value_text.h"

const char *shown_next(const char **at, const char *end, size_t *length_p)
{
    const char *from = *at;
    size_t length = atm_shown_length(from, end), step = atm_utf8_length(from, end);

    *at += step > 0 ? step : 1;
    *length_p = length > 0 ? length : 1;
    return length > 0 ? from : "?";
}

void shown_clean(const char *text, size_t size, char *clean_p)
{
    const char *end = text + strlen(text);
    size_t used = 0, length;

    while (text < end) {
        const char *shown = shown_next(&text, end, &length);

        if (used + length >= size)
            break;
        memcpy(clean_p + used, shown, length);
        used += length;
    }
    clean_p[used] = '\0';
}

size_t shown_put(const char *text, FILE *out)
{
    const char *end = text + strlen(text);
    size_t put = 0, length;

    while (text < end) {
        const char *shown = shown_next(&text, end, &length);

        put += fwrite(shown, 1, length, out);
    }
    return put;
}
