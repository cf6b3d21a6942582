/* Messages and texts of files: what models/ shares for JSON and other formats. */

#ifndef ATM_VALUE_TEXT_H
#define ATM_VALUE_TEXT_H

#include <stdarg.h>

#include "atm.h"

/* "name: where: sentence", name and where cut to their ends if they are long,
 * nothing unprintable; %m is errno as it was at the call.  message may be NULL. */
void atm_message_set(atm_message *message, const char *name, const char *where, const char *format,
                     va_list arguments);

/* ATM_NO_ACCESS, with "path: sentence" as message. */
__attribute__((format(printf, 3, 4))) atm_status
atm_no_access(const char *path, atm_message *message, const char *format, ...);

/* A regular file's bytes, at most ATM_MAX_BYTES + 1 of them: one that has so many
 * is too large.  Free the text. */
atm_status atm_text_read(const char *path, atm_message *message, char **text_p, size_t *length_p);

/* Bytes of the valid UTF-8 sequence at text, 0 if there is none before end.
 * A 0 byte is none. */
size_t atm_utf8_length(const char *text, const char *end);

/* The same, and 0 for what a terminal or page would obey instead of showing it: whoever prints text
 * of others puts a "?" in its place. */
size_t atm_shown_length(const char *text, const char *end);

/* Valid UTF-8 with characters of more than one byte as \u escapes; free it.  NULL: no memory. */
char *atm_text_escape(const char *text, size_t length, size_t *length_p);

/* All of it is valid UTF-8, and not longer than ATM_MAX_STRING. */
bool atm_is_text(const char *text, size_t length);

#endif /* ATM_VALUE_TEXT_H */
