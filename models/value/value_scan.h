/*
 * A text before json-c sees it, for value/value_json.c and atm_value_{scan,token,twice}.c
 * only.  json-c, in versions that differ, takes NaN, comments, numbers such as
 * 01 and 1.e, control characters and lone surrogates, keeps the last of two
 * equal keys, some 700 bytes for an empty object and the text of every number:
 * here all that is refused, with the line, and numbers are converted.  What is
 * left for json-c is a text with 0 in place of each number and 1 in place of
 * each array that has numbers only, which is next to nothing in a profile.
 */

#ifndef ATM_VALUE_SCAN_H
#define ATM_VALUE_SCAN_H

#include "value_tree.h"

typedef struct atm_scan {
    const char *text, *at, *end, *name;
    atm_message *message;

    int depth;
    struct {
        char close;
        size_t members;
    } levels[ATM_MAX_DEPTH];
    size_t values, containers, members;

    /* Results, in the order of the text. */
    char *rest; /* for json-c; lines as in the text */
    size_t rest_length;
    double *numbers; /* of arrays and others */
    size_t number_count, number_capacity;
    size_t *arrays; /* how many numbers each array has */
    size_t array_count, array_capacity;
} atm_scan;

/* Scans all.  To be freed also after a failure.  In locale "C" only. */
atm_status atm_scan_text(const char *text, size_t length, const char *name, atm_message *message,
                         atm_scan *scan);
void atm_scan_free(atm_scan *scan);

/* text is JSON but some object has a key twice: a sentence that names it. */
atm_status atm_scan_twice(const char *text, size_t length, size_t members, const char *name,
                          atm_message *message);

/* "name: line n: sentence", n of the byte at offset; ATM_BAD_FILE */
atm_status atm_scan_complain(const char *text, size_t offset, const char *name,
                             atm_message *message, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#define ATM_SCAN_COMPLAIN(scan, ...)                                                               \
    atm_scan_complain((scan)->text, (size_t) ((scan)->at - (scan)->text), (scan)->name,            \
                      (scan)->message, __VA_ARGS__)

/* Behind the character if it is there. */
static inline bool atm_scan_char(atm_scan *scan, char character)
{
    if (scan->at == scan->end || *scan->at != character)
        return false;
    scan->at++;
    return true;
}

/* --- value/value_token.c: behind the token at which the scan is */

atm_status atm_scan_string(atm_scan *scan);
atm_status atm_scan_number(atm_scan *scan, double *number_p);
/* true, false, and what is neither */
atm_status atm_scan_word(atm_scan *scan);

#endif /* ATM_VALUE_SCAN_H */
