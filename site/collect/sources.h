/* Where a node's counters are: files of /proc and /sys that stay open. */

#ifndef COLLECT_SOURCES_H
#define COLLECT_SOURCES_H

#include "counters.h"

typedef struct sources sources;

/* proc, sys: /proc and /sys, or where these are seen; kept.  NULL: no memory.  The caller closes
 * it; NULL is fine. */
sources *sources_open(const char *proc, const char *sys);
void sources_close(sources *s);

/* What cannot be read is 0 or missing.  now: seconds; devices and mounts that come and go are
 * looked for every ten. */
void sources_look(sources *s, double now, look *look_p);

#endif /* COLLECT_SOURCES_H */
