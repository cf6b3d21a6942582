/* Patterns of names. */

#include "glob.h"

#include <string.h>

/* One step of the pattern matches this byte; its length is left in *length_p. */
static bool matches_one(const char *pattern, char byte, size_t *length_p)
{
    *length_p = 1;
    if (pattern[0] == '\0')
        return false;
    if (pattern[0] == '?')
        return true;
    if (pattern[0] == '\\' && pattern[1] != '\0') {
        *length_p = 2;
        return pattern[1] == byte;
    }
    return pattern[0] == byte;
}

/* What an earlier "*" takes can be left as it is: a later one takes the rest. */
bool atm_glob_match(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL;

    while (*text != '\0') {
        size_t length;

        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (matches_one(pattern, *text, &length)) {
            pattern += length;
            text++;
        } else if (star != NULL) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool atm_glob_of(const char *text, bool digits, size_t size, char *pattern_p)
{
    size_t length = 0;
    char last = '\0';

    for (; *text != '\0'; text++) {
        bool digit = digits && *text >= '0' && *text <= '9';

        if (digit && last == '*')
            continue;
        if (length + 3 > size)
            return false;
        if (!digit && strchr("*?\\", *text) != NULL)
            pattern_p[length++] = '\\';
        pattern_p[length++] = digit ? '*' : *text;
        last = digit ? '*' : '\0';
    }
    if (size == 0)
        return false;
    pattern_p[length] = '\0';
    return true;
}
