/* Patterns of names: "*" is any text, also with slashes, "?" any one byte, "\" makes the next
 * byte mean itself. */

#ifndef ATM_GLOB_H
#define ATM_GLOB_H

#include "atm.h"

/* Time is at most that of the product of both lengths. */
bool atm_glob_match(const char *pattern, const char *text);

/* A pattern that matches the text and nothing else, or, with `digits`, whatever has other digits
 * in it, too: each run of them becomes "*".  False if it does not fit. */
bool atm_glob_of(const char *text, bool digits, size_t size, char *pattern_p);

#endif /* ATM_GLOB_H */
