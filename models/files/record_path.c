/* Records: where they go. */

#include "record.h"

#include <stdio.h>
#include <string.h>

/* Text that never grows beyond its room; then it is full. */
typedef struct record_text {
    char *at, *end;
    bool full;
} record_text;

static void add_byte(record_text *text, char byte)
{
    if (text->end - text->at > 1)
        *text->at++ = byte;
    else
        text->full = true;
}

static void add_name(record_text *text, const char *name)
{
    for (; *name != '\0'; name++)
        add_byte(text, *name == '/' ? '_' : *name);
}

static atm_status complain(atm_message *message, const char *pattern, char letter)
{
    if (message == NULL)
        return ATM_BAD_ARGUMENT;
    if (letter == '\0')
        snprintf(message->text, sizeof(message->text), "%.64s: ends in %%", pattern);
    else
        snprintf(message->text, sizeof(message->text),
                 "%.64s: %%%c is unknown; there are %%p, %%h, %%j and %%%%", pattern,
                 letter < ' ' || letter > '~' ? '?' : letter);
    return ATM_BAD_ARGUMENT;
}

atm_status atm_record_path(const char *pattern, const char *host, int64_t pid, const char *job,
                           atm_message *message, size_t size, char *path_p)
{
    record_text text = {.at = path_p, .end = path_p + size};
    char number[24];

    snprintf(number, sizeof(number), "%lld", (long long) pid);
    for (const char *at = pattern; *at != '\0'; at++) {
        if (*at != '%') {
            add_byte(&text, *at);
            continue;
        }
        switch (*++at) {
            case 'p':
                add_name(&text, number);
                break;
            case 'h':
                add_name(&text, host);
                break;
            case 'j':
                add_name(&text, *job != '\0' ? job : "nojob");
                break;
            case '%':
                add_byte(&text, '%');
                break;
            default:
                return complain(message, pattern, *at);
        }
    }
    if (text.full || size == 0) {
        if (message != NULL)
            snprintf(message->text, sizeof(message->text),
                     "%.64s: gives a path of %zu bytes or more", pattern, size);
        return ATM_BAD_ARGUMENT;
    }
    *text.at = '\0';
    return ATM_OK;
}
