/* Values: strings, numbers and words of a text. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value_scan.h"

enum { MAX_NUMBER_LENGTH = 128 }; /* characters */

atm_status atm_scan_complain(const char *text, size_t offset, const char *name,
                             atm_message *message, const char *format, ...)
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

/* --- strings */

/* Four hexadecimal digits, or -1 */
static int hex4(const char *at, const char *end)
{
    char digits[5] = {0};

    if (end - at < 4)
        return -1;
    memcpy(digits, at, 4);
    if (strspn(digits, "0123456789abcdefABCDEF") != 4)
        return -1;
    return (int) strtol(digits, NULL, 16);
}

/* at: behind \u */
static atm_status scan_unicode(atm_scan *scan)
{
    int code = hex4(scan->at, scan->end), low;

    if (code < 0)
        return ATM_SCAN_COMPLAIN(scan, "\\u is not followed by four hexadecimal digits");
    if (code == 0)
        return ATM_SCAN_COMPLAIN(scan, "a string has a character \\u0000");
    scan->at += 4;
    if (code < 0xd800 || code > 0xdfff)
        return ATM_OK;
    low = scan->end - scan->at >= 6 && scan->at[0] == '\\' && scan->at[1] == 'u'
              ? hex4(scan->at + 2, scan->end)
              : -1;
    if (code > 0xdbff || low < 0xdc00 || low > 0xdfff)
        return ATM_SCAN_COMPLAIN(scan, "a string has half of a surrogate pair");
    scan->at += 6;
    return ATM_OK;
}

/* at: the quote that opens it */
atm_status atm_scan_string(atm_scan *scan)
{
    const char *start = scan->at++;

    while (scan->at < scan->end && *scan->at != '"') {
        size_t length = atm_utf8_length(scan->at, scan->end);
        atm_status status = ATM_OK;

        if (length == 0)
            return ATM_SCAN_COMPLAIN(scan, "a string is not valid UTF-8");
        if ((unsigned char) *scan->at < ' ')
            return ATM_SCAN_COMPLAIN(scan, "a string has a control character");
        if (*scan->at != '\\') {
            scan->at += length;
            continue;
        }
        if (scan->end - scan->at < 2 || !memchr("\"\\/bfnrtu", scan->at[1], 9))
            return ATM_SCAN_COMPLAIN(scan, "a string has an unknown escape sequence");
        scan->at += 2;
        if (scan->at[-1] == 'u')
            status = scan_unicode(scan);
        if (status)
            return status;
    }
    if (scan->at == scan->end)
        return ATM_SCAN_COMPLAIN(scan, "the text ends within a string");
    if (scan->at - start - 1 > ATM_MAX_STRING)
        return ATM_SCAN_COMPLAIN(scan, "a string is longer than %d bytes", ATM_MAX_STRING);
    scan->at++;
    return ATM_OK;
}

/* --- numbers */

/* How many there are */
static int scan_digits(atm_scan *scan)
{
    const char *start = scan->at;

    while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9')
        scan->at++;
    return (int) (scan->at - start);
}

/* A letter, digit or sign behind a number makes it none. */
static bool ends_number(char c)
{
    return c == ',' || c == ']' || c == '}' || c == ':' || (unsigned char) c <= ' ';
}

/* RFC 8259, section 6 */
static bool scan_numeral(atm_scan *scan)
{
    atm_scan_char(scan, '-');
    if (!atm_scan_char(scan, '0') && scan_digits(scan) == 0)
        return false;
    if (atm_scan_char(scan, '.') && scan_digits(scan) == 0)
        return false;
    if (atm_scan_char(scan, 'e') || atm_scan_char(scan, 'E')) {
        if (!atm_scan_char(scan, '-'))
            atm_scan_char(scan, '+');
        if (scan_digits(scan) == 0)
            return false;
    }
    return scan->at == scan->end || ends_number(*scan->at);
}

atm_status atm_scan_number(atm_scan *scan, double *number_p)
{
    const char *start = scan->at;
    char *stop;
    double number;

    if (!scan_numeral(scan))
        return ATM_SCAN_COMPLAIN(scan, "a number is not written as JSON writes numbers");
    if (scan->at - start > MAX_NUMBER_LENGTH)
        return ATM_SCAN_COMPLAIN(scan, "a number has more than %d characters", MAX_NUMBER_LENGTH);
    if (scan->at == scan->end) /* strtod would read on */
        return ATM_SCAN_COMPLAIN(scan, "the text ends behind a number");
    number = strtod(start, &stop);
    if (stop != scan->at || !isfinite(number))
        return ATM_SCAN_COMPLAIN(scan, "a number is too large");
    *number_p = number;
    return ATM_OK;
}

/* --- words */

static bool scan_word(atm_scan *scan, const char *word)
{
    size_t length = strlen(word);

    if ((size_t) (scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0)
        return false;
    scan->at += length;
    return true;
}

atm_status atm_scan_word(atm_scan *scan)
{
    if (scan_word(scan, "true") || scan_word(scan, "false"))
        return ATM_OK;
    if (scan_word(scan, "null"))
        return ATM_SCAN_COMPLAIN(scan, "null: what has no value must be left out");
    if ((unsigned char) *scan->at < ' ' || (unsigned char) *scan->at > '~')
        return ATM_SCAN_COMPLAIN(scan, "unexpected byte 0x%02x", (unsigned char) *scan->at);
    return ATM_SCAN_COMPLAIN(scan, "unexpected '%c'", *scan->at);
}
