/* Growing lists of sentences. */

#include "notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void notes_add(char ***notes, int *count, const char *format, ...)
{
    va_list arguments;
    char *text = NULL, **longer = realloc(*notes, ((size_t) *count + 1) * sizeof(char *));
    int length;

    if (longer == NULL)
        return;
    *notes = longer;
    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0)
        longer[(*count)++] = text;
}

void notes_destroy(char **notes, int count)
{
    for (int i = 0; i < count; i++)
        free(notes[i]);
    free(notes);
}

atm_status notes_complain(atm_message *message, const char *format, ...)
{
    va_list arguments;

    if (message == NULL)
        return ATM_BAD_FILE;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof(message->text), format, arguments);
    va_end(arguments);
    return ATM_BAD_FILE;
}
