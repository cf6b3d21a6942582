#include "wishes.h"

#include <stddef.h>
#include <string.h>

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

atp_wishes atp_wishes_parse(const char *text)
{
    atp_wishes wishes = {.bad = 0};
    size_t length;

    for (; text != NULL && *text != '\0'; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        if (is_word(text, length, "off")) {
            wishes.off = true;
        } else if (is_word(text, length, "all")) {
            wishes.all = true;
        } else if (is_word(text, length, "verbose")) {
            wishes.verbose = true;
        } else if (length > 0 && wishes.bad == 0) {
            wishes.bad = (int) length;
            wishes.bad_word = text;
        }
    }
    return wishes;
}
