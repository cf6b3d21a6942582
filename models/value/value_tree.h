/* The tree behind value/value.h, for the files atm_value_*.c and value/value_json.c only;
 * texts and messages also for other formats that models/ reads. */

#ifndef ATM_VALUE_TREE_H
#define ATM_VALUE_TREE_H

#include <stdarg.h>

#include "value.h"

struct atm_value {
    atm_type type;
    atm_status broken; /* root: why it cannot be printed, else ATM_OK */
    atm_value *parent; /* NULL: root */
    const char *key;   /* member: its key; root: name of its text; else NULL */
    union {
        bool truth;
        double number;
        const char *string; /* as key, in the same piece of memory as the value */
        struct {
            atm_value **items;
            size_t length, capacity;
            atm_value *numbers; /* where the first items are, if in one piece */
            size_t number_count;
        };
    };
};

/* A value at the end of parent's items, or a root.  key and string may be NULL.
 * NULL without memory.  Nothing is checked. */
atm_value *atm_tree_add(atm_value *parent, atm_type type, const char *key, const char *string);

/* An array of numbers, all in one piece. */
atm_value *atm_tree_add_numbers(atm_value *parent, const char *key, const double *numbers,
                                size_t length);

/* Room for length items; false without memory. */
bool atm_tree_reserve(atm_value *container, size_t length);

/* Bytes of the valid UTF-8 sequence at text, 0 if there is none before end.
 * A 0 byte is none. */
size_t atm_utf8_length(const char *text, const char *end);

/* --- value/value_complain.c */

/* "name: where: sentence", name and where cut to their ends if they are long,
 * nothing unprintable; %m is errno as it was at the call.  message may be NULL. */
void atm_message_set(atm_message *message, const char *name, const char *where, const char *format,
                     va_list arguments);

/* --- value/value_file.c */

/* ATM_NO_ACCESS, with "path: sentence" as message. */
__attribute__((format(printf, 3, 4))) atm_status
atm_no_access(const char *path, atm_message *message, const char *format, ...);

/* A regular file's bytes, at most ATM_MAX_BYTES + 1 of them: one that has so many
 * is too large.  Free the text. */
atm_status atm_text_read(const char *path, atm_message *message, char **text_p, size_t *length_p);

/* --- value/value_print.c */

enum { ATM_NUMBER_TEXT = 32 };
/* The fewest digits that read back as the same number.  In locale "C" only. */
void atm_number_text(double number, char text_p[ATM_NUMBER_TEXT]);

#endif /* ATM_VALUE_TREE_H */
