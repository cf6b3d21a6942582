/* Numbers in sentences for people; a decimal point in every locale. */

#ifndef ATM_WORDS_H
#define ATM_WORDS_H

#include "atm.h"

typedef struct atm_range_words {
    char text[32];
} atm_range_words;

/*
 * "x0.44 to x2.27": where factor times something lies whose relative uncertainty
 * is one standard deviation.  What may be twice as much may be half as much, so
 * that no time is below nothing: factor / (1 + uncertainty) to factor * (1 +
 * uncertainty), which are also the bounds of the driver's correction.
 */
atm_range_words atm_range(double factor, double uncertainty);

/* "" for one, else "s". */
const char *atm_plural(uint64_t count);

#endif /* ATM_WORDS_H */
