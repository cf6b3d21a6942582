/* History: what its files share. */

#include "history.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/value_text.h"

const char *ath_status_text(ath_status status)
{
    static const char *const texts[] = {
        [ATH_OK] = "no error",
        [ATH_NO_MEMORY] = "out of memory",
        [ATH_BAD_FILE] = "the file cannot be used",
        [ATH_NO_ACCESS] = "cannot be read or written",
        [ATH_NEWER] = "made by a newer romio-autotune",
        [ATH_DATABASE] = "the database failed",
        [ATH_TOO_LONG] = "took too long",
        [ATH_NO_ROOM] = "there is no room for more",
    };

    return texts[status];
}

ath_status ath_status_of(atm_status status)
{
    switch (status) {
        case ATM_OK:
            return ATH_OK;
        case ATM_NO_MEMORY:
            return ATH_NO_MEMORY;
        case ATM_NO_ACCESS:
            return ATH_NO_ACCESS;
        default:
            return ATH_BAD_FILE;
    }
}

ath_status ath_complain(ath_status status, atm_message *message, const char *format, ...)
{
    va_list arguments;

    if (message == NULL)
        return status;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof(message->text), format, arguments);
    va_end(arguments);
    for (char *at = message->text; *at != '\0'; at++)
        if ((unsigned char) *at < ' ' || *at == 127)
            *at = *at == '\n' ? ' ' : '?';
    return status;
}

char *ath_clean(const char *text, size_t length)
{
    static const char unknown[] = "\xef\xbf\xbd";
    const char *end = text + length;
    char *clean = malloc(3 * length + 1), *to = clean;

    if (clean == NULL)
        return NULL;
    while (text < end) {
        size_t bytes = atm_utf8_length(text, end);
        bool control =
            (unsigned char) *text < ' ' || *text == 127 ||
            (bytes == 2 && (unsigned char) text[0] == 0xc2 && (unsigned char) text[1] < 0xa0);

        if (bytes == 0 || control) {
            memcpy(to, unknown, 3);
            to += 3;
            text += bytes > 0 ? bytes : 1;
        } else {
            memcpy(to, text, bytes);
            to += bytes;
            text += bytes;
        }
    }
    *to = '\0';
    return clean;
}
