/* Samples at five resolutions: the last ten of each, each level made from the one before. */

#ifndef COLLECT_LEVELS_H
#define COLLECT_LEVELS_H

#include "counters.h"

enum { LEVELS = 5, LEVEL_SAMPLES = 10 };

extern const double level_seconds[LEVELS]; /* 0.1, 1, 10, 60, 600 */

typedef struct level {
    size_t count, next; /* samples; where the next one goes */
    sample samples[LEVEL_SAMPLES];
    sample sum; /* of what the next level is made from; values times seconds */
} level;

typedef struct levels {
    level levels[LEVELS];
} levels;

void levels_add(levels *l, const sample *s);

/* 0: the oldest of those that are kept; index < count. */
const sample *level_sample(const level *l, size_t index);
/* NULL: there is none yet. */
const sample *level_last(const level *l);

/* Names of shares that were used up (95 %) in the last second, and not in the last minute or, as
 * long as it is not known, the last ten seconds (below 80 %); "": none. */
void levels_scarce(const levels *l, char *names, size_t room);

#endif /* COLLECT_LEVELS_H */
