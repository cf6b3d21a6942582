#include "words.h"

#include <stdio.h>

#include "locale.h"

static int put_factor(char *text, size_t size, const char *before, double factor)
{
    return snprintf(text, size, factor < 9.995 ? "%sx%.2f" : "%sx%.0f", before, factor);
}

atm_range_words atm_range(double factor, double uncertainty)
{
    atm_range_words words;
    atm_locale locale = atm_locale_enter();
    int length = put_factor(words.text, sizeof(words.text), "", factor / (1 + uncertainty));

    put_factor(words.text + length, sizeof(words.text) - (size_t) length, " to ",
               factor * (1 + uncertainty));
    atm_locale_leave(locale);
    return words;
}

const char *atm_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
