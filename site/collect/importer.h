/*
 * Runs "autotune history import" on the folders of users, one after the other, every so often.
 *
 * Spools that nobody could write any more before it started are removed when it has taken all.
 * Those that are none are moved aside, to NAME.bad, and removed after a week.
 */

#ifndef COLLECT_IMPORTER_H
#define COLLECT_IMPORTER_H

#include "collector.h"

typedef struct importer importer;

/* dir, db, reader: kept; db may be NULL.  The caller frees it; NULL is fine. */
importer *importer_new(const char *dir, const char *db, const collect_reader *reader, int seconds);
void importer_free(importer *i);

/* now: seconds.  Starts what is due. */
void importer_tick(importer *i, double now);
/* Some child has ended. */
void importer_reap(importer *i, double now);

#endif /* COLLECT_IMPORTER_H */
