/* Statistics as a JSON document. */

#ifndef COLLECT_REPORT_H
#define COLLECT_REPORT_H

#include "levels.h"
#include "users.h"

/* What the collector did since it started. */
typedef struct work {
    uint64_t processes; /* that are connected now */
    uint64_t spools, bytes, full, refused;
} work;

/* For whoever asks.  The caller frees it; NULL: no memory. */
char *report_text(const levels *l, const work *w, const users *u, uid_t who, size_t *length_p);

#endif /* COLLECT_REPORT_H */
