/* Spools that nobody writes any more: those of a folder, from before an import to after it. */

#ifndef COLLECT_LEFTS_H
#define COLLECT_LEFTS_H

#include "collector.h"

typedef struct lefts lefts;

/* Notes the spools that are there now, and lets the reader read them.  Removes what was moved aside
 * a week ago.  NULL: there are none, or no memory. */
lefts *lefts_note(const char *folder, const collect_reader *reader);
void lefts_free(lefts *l);

/* said: a file with what the import said, as JSON.  Those that have not changed since are removed
 * if it took them, and moved aside if they are no spools, which is said of the user.  False: the
 * import failed, and all stay. */
bool lefts_settle(const lefts *l, int said, uid_t uid);

#endif /* COLLECT_LEFTS_H */
