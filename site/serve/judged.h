/* What the module histogram said of processes (watch/README.md): how many activities of each kind,
 * a call and a class of sizes, took how long for their kind. */

#ifndef SERVE_JUDGED_H
#define SERVE_JUDGED_H

#include "pages.h"

enum { JUDGED_VERDICTS = 5, JUDGED_MOST = 20000 };

extern const char *const judged_names[JUDGED_VERDICTS]; /* very_fast ... very_slow */

typedef struct judged_kind {
    int64_t process, rank;
    char program[64], user[64], call[64];
    double started;
    int64_t from_bytes, count, median, slowest, slowest_number; /* ns */
    int64_t verdicts[JUDGED_VERDICTS];
} judged_kind;

typedef struct judged {
    judged_kind *kinds;
    size_t count, room;
    bool more; /* than JUDGED_MOST, which are the latest */
} judged;

/* Reads verdicts on the processes that the letters s, e, u, p, j and i of ask.h select.  Skips
 * documents that cannot be read.  The caller frees kinds, also after a failure. */
ath_status judged_read(serve_visit *visit, judged *judged_p);

/* Very slow ones are more than five times as many as by definition, and five at least. */
bool judged_stands_out(const judged_kind *kind);

#endif /* SERVE_JUDGED_H */
