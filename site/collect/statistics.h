/* How busy the node is: looks at its counters, one after the other. */

#ifndef COLLECT_STATISTICS_H
#define COLLECT_STATISTICS_H

#include "statistics_file.h"

typedef struct statistics statistics;

/* As sources_open. */
statistics *statistics_new(const char *proc, const char *sys);
void statistics_free(statistics *s);

/* now: seconds of a clock that nobody sets. */
void statistics_poll(statistics *s, double now);

/* What is used up, as levels_scarce; until the next poll. */
const char *statistics_scarce(statistics *s);

/* The report for whoever asks, as of the last poll: belongs to s, until the next one.  NULL: no
 * memory. */
const char *statistics_text(statistics *s, const work *w, const users *u, uid_t who,
                            size_t *length_p);

#endif /* COLLECT_STATISTICS_H */
