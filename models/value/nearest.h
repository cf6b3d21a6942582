/* Mistyped words. */

#ifndef ATM_NEAREST_H
#define ATM_NEAREST_H

#include "atm.h"

/* Letters to add, leave out, change or swap with the next, to make one of the other; more than any
 * word has if one is longer than 63. */
int atm_distance(const char *one, const char *other);

/* The word of words[count] with the least distance, or NULL if that is more than `most`. */
const char *atm_nearest(const char *word, const char *const *words, size_t count, int most);

#endif /* ATM_NEAREST_H */
