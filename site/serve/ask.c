/* What is asked for: addresses are decoded, parameters checked. */

#include "ask.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const ask_parameter ask_all[] = {
    {ASKED_SINCE, "since", "from (UTC)", ASK_TIME, offsetof(ask, since)},
    {ASKED_UNTIL, "until", "until (UTC)", ASK_TIME, offsetof(ask, until)},
    {ASKED_USER, "user", "user", ASK_WORDS, offsetof(ask, user)},
    {ASKED_PROGRAM, "program", "program", ASK_WORDS, offsetof(ask, program)},
    {ASKED_JOB, "job", "job", ASK_WORDS, offsetof(ask, job)},
    {ASKED_LAYER, "layer", "layer", ASK_WORDS, offsetof(ask, layer)},
    {ASKED_CALL, "call", "call", ASK_WORDS, offsetof(ask, call)},
    {ASKED_FILE, "file", "file", ASK_WORDS, offsetof(ask, file)},
    {ASKED_OPERATION, "operation", "operation", ASK_WORDS, offsetof(ask, operation)},
    {ASKED_PROCESS, "process", "process", ASK_INTEGER, offsetof(ask, process)},
    {ASKED_ERRORS, "errors", "only errors", ASK_FLAG, offsetof(ask, errors)},
    {ASKED_SYSTEM, "system", "system files", ASK_FLAG, offsetof(ask, system)},
    {ASKED_AFTER, "after", NULL, ASK_INTEGER, offsetof(ask, after)},
    {ASKED_NUMBER, "number", NULL, ASK_INTEGER, offsetof(ask, number)},
    {ASKED_SORT, "sort", NULL, ASK_WORDS, offsetof(ask, sort)},
    {ASKED_PAGE, "page", NULL, ASK_INTEGER, offsetof(ask, page)},
    {ASKED_END, NULL, NULL, ASK_WORDS, 0}};

/* --- decoding */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* %XX, and "+" for a space in parameters.  NULL, or what is wrong.  What is not clean UTF-8
 * (history.h) becomes U+FFFD, as it did when it was imported. */
static const char *decode(const char *from, size_t length, bool plus, char text_p[ASK_TEXT])
{
    char bytes[ASK_URI], *clean;
    size_t count = 0;

    for (size_t i = 0; i < length && count < sizeof(bytes); i++) {
        char c = from[i];

        if (c == '%') {
            int high = i + 2 < length ? hex_digit(from[i + 1]) : -1;
            int low = i + 2 < length ? hex_digit(from[i + 2]) : -1;

            if (high < 0 || low < 0)
                return "has a % without two digits";
            c = (char) (high * 16 + low);
            i += 2;
        } else if (c == '+' && plus) {
            c = ' ';
        }
        if (c == '\0')
            return "has a 0 byte";
        bytes[count++] = c;
    }
    clean = ath_clean(bytes, count);
    if (clean == NULL)
        return "finds no memory";
    count = strlen(clean);
    if (count < ASK_TEXT)
        memcpy(text_p, clean, count + 1);
    free(clean);
    return count < ASK_TEXT ? NULL : "is too long";
}

/* --- path */

serve_status ask_path(const char *uri, atm_message *message, ask *ask_p)
{
    const char *wrong;

    *ask_p = (ask){.until = ASK_EVER, .page = 1};
    if (strlen(uri) >= ASK_URI) {
        ath_complain(ATH_BAD_FILE, message, "an address may have up to %d bytes", ASK_URI - 1);
        return SERVE_LONG;
    }
    wrong = decode(uri, strcspn(uri, "?#"), false, ask_p->path);
    if (wrong == NULL)
        return SERVE_OK;
    ath_complain(ATH_BAD_FILE, message, "the address %s", wrong);
    return SERVE_BAD;
}

int64_t ask_number(const char *path, const char *before)
{
    size_t length = strlen(before);
    int64_t number = 0;

    if (strncmp(path, before, length) != 0 || path[length] == '0')
        return 0;
    for (path += length; *path >= '0' && *path <= '9'; path++) {
        if (number > (INT64_MAX - 9) / 10)
            return 0;
        number = 10 * number + (*path - '0');
    }
    return *path == '\0' ? number : 0;
}

/* --- values */

/* 2026-11-01, 2026-11-01T08:30 or ...:30:00, as forms send them */
static const char *set_time(const char *text, double *time_p)
{
    static const char *const formats[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"};

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        struct tm utc = {.tm_mday = 1};
        const char *end =
            isdigit((unsigned char) text[0]) ? strptime(text, formats[i], &utc) : NULL;

        if (end != NULL && *end == '\0' && utc.tm_year >= 0) {
            *time_p = (double) timegm(&utc);
            return NULL;
        }
    }
    return "must be a time such as 2026-11-01 or 2026-11-01T08:30";
}

static const char *set_value(const ask_parameter *parameter, const char *text, ask *ask)
{
    void *value = (char *) ask + parameter->offset;

    switch (parameter->kind) {
        case ASK_TIME:
            return set_time(text, value);
        case ASK_FLAG:
            *(int64_t *) value = 1;
            return strcmp(text, "1") == 0 ? NULL : "must be 1";
        case ASK_INTEGER:
            *(int64_t *) value = ask_number(text, "");
            return *(int64_t *) value > 0 ? NULL : "must be a number from 1";
        default:
            memcpy(value, text, strlen(text) + 1); /* both have ASK_TEXT */
            return NULL;
    }
}

/* "*" and "?" of a pattern, or a part of the name without them; case does not matter. */
static void set_like(ask *ask)
{
    bool pattern = strpbrk(ask->file, "*?") != NULL;
    char *to = ask->like;

    if (ask->file[0] == '\0')
        return;
    if (!pattern)
        *to++ = '%';
    for (const char *from = ask->file; *from != '\0' && to < ask->like + 2 * ASK_TEXT - 4; from++) {
        if (*from == '%' || *from == '_' || *from == '!')
            *to++ = '!';
        *to++ = (char) (*from == '*' ? '%' : *from == '?' ? '_' : *from);
    }
    if (!pattern)
        *to++ = '%';
    *to = '\0';
}

static const char *check(const ask *ask, const char **name_p)
{
    *name_p = "page";
    if (ask->page > ASK_PAGE)
        return "is too large";
    *name_p = "process"; /* numbers of activities have it above 32 bits */
    if (ask->process > INT32_MAX)
        return "is too large";
    *name_p = "operation";
    if (ask->operation[0] != '\0' && strcmp(ask->operation, "read") != 0 &&
        strcmp(ask->operation, "write") != 0)
        return "must be read or write";
    return NULL;
}

/* --- parameters */

bool ask_takes(const asked *allowed, asked which)
{
    while (*allowed != ASKED_END && *allowed != which)
        allowed++;
    return *allowed == which;
}

static const ask_parameter *find(const char *name, const asked *allowed)
{
    for (const ask_parameter *at = ask_all; at->name != NULL; at++)
        if (strcmp(at->name, name) == 0 && ask_takes(allowed, at->which))
            return at;
    return NULL;
}

/* NULL, or what is wrong with it.  *seen has a bit for each of ask_all. */
static const char *take(const char *text, size_t length, const asked *allowed, unsigned *seen,
                        ask *ask, char name_p[ASK_TEXT])
{
    const char *equal = memchr(text, '=', length);
    size_t name_length = equal != NULL ? (size_t) (equal - text) : length;
    char value[ASK_TEXT] = "";
    const ask_parameter *parameter;
    const char *wrong = decode(text, name_length, true, name_p);

    if (wrong == NULL && equal != NULL)
        wrong = decode(equal + 1, length - name_length - 1, true, value);
    if (wrong != NULL)
        return wrong;
    parameter = find(name_p, allowed);
    if (parameter == NULL)
        return "is no parameter of this page";
    if ((*seen & 1u << (parameter - ask_all)) != 0)
        return "is there twice";
    *seen |= 1u << (parameter - ask_all);
    return value[0] != '\0' ? set_value(parameter, value, ask) : NULL; /* an empty field */
}

serve_status ask_parameters(const char *uri, const asked *allowed, atm_message *message, ask *ask_p)
{
    const char *at = uri + strcspn(uri, "?#"), *wrong = NULL, *name = "";
    char taken[ASK_TEXT] = "";
    unsigned seen = 0;

    at += *at == '?';
    while (wrong == NULL && *at != '\0' && *at != '#') {
        size_t length = strcspn(at, "&#");

        if (length > 0)
            wrong = take(at, length, allowed, &seen, ask_p, taken);
        name = taken;
        at += length + (at[length] == '&');
    }
    if (wrong == NULL)
        wrong = check(ask_p, &name);
    set_like(ask_p);
    if (wrong == NULL)
        return SERVE_OK;
    ath_complain(ATH_BAD_FILE, message, "%.64s: %s", name, wrong);
    return SERVE_BAD;
}

/* --- and back */

void ask_text(const ask *ask, const ask_parameter *parameter, size_t size, char *text_p)
{
    const void *value = (const char *) ask + parameter->offset;
    double seconds;
    struct tm utc;
    time_t when;

    text_p[0] = '\0';
    switch (parameter->kind) {
        case ASK_TIME:
            seconds = *(const double *) value;
            when = (time_t) seconds;
            if (seconds > 0 && seconds < ASK_EVER && gmtime_r(&when, &utc) != NULL)
                strftime(text_p, size, "%Y-%m-%dT%H:%M:%S", &utc);
            break;
        case ASK_WORDS:
            snprintf(text_p, size, "%s", (const char *) value);
            break;
        default:
            if (*(const int64_t *) value > 0)
                snprintf(text_p, size, "%lld", (long long) *(const int64_t *) value);
    }
}
