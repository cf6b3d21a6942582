/* Text that grows, for JSON.  Numbers are integers: no locale changes them. */

#ifndef ATW_TEXT_H
#define ATW_TEXT_H

#include "atw.h"

typedef struct atw_text {
    char *bytes; /* NULL: empty, or no memory */
    size_t length, room;
    bool failed; /* no memory: what follows is left out */
} atw_text;

void atw_text_add(atw_text *text, const char *bytes, size_t length);
void atw_text_say(atw_text *text, const char *words);
void atw_text_number(atw_text *text, int64_t number);
/* In quotes; bytes that are not UTF-8 become U+FFFD. */
void atw_text_quote(atw_text *text, const char *bytes, size_t length);
/* "name": and what follows; with a comma before it unless it is an object's first. */
void atw_text_key(atw_text *text, const char *name);
void atw_text_member(atw_text *text, const char *name, int64_t number);
void atw_text_free(atw_text *text);

#endif /* ATW_TEXT_H */
