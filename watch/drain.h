/* Drains the threads' rings to the spool: by a thread of our own while there is much, and by
 * whoever ends the process. */

#ifndef ATW_DRAIN_H
#define ATW_DRAIN_H

#include "text.h"

/* When the process starts: what is said of it is gathered now.  folder and socket are kept; limit:
 * bytes of a spool; socket: of a collector, "" for the usual ones, NULL for none. */
void atw_drain_start(const char *folder, uint64_t limit, const char *socket);
/* In a child: the spool, and the thread of our own, are the parent's. */
void atw_drain_anew(void);

/* A ring is filling.  Does not wait for the disk, except to make the file when it is first called.
 */
void atw_drain_wake(void);

/* The same, unless the thread of our own runs already. */
void atw_drain_run(void);

/* For whoever ends the process.  false: a signal handler that interrupted this very work. */
bool atw_drain_lock(void);
void atw_drain_unlock(void);

/* All with the lock: takes what is there, at last all of it; what modules tell; the process ends in
 * order. */
void atw_drain(void);
void atw_drain_last(void);
/* ns of processor time that this took so far. */
uint64_t atw_drain_spent(void);
void atw_drain_survey(const atw_text *text);
/* Activities of a thread that are in no ring; what finds no room now is counted. */
void atw_drain_activities(uint32_t thread, const atw_activity *first, size_t count);
void atw_drain_missed(uint32_t thread, uint64_t count);
void atw_drain_end(void);
/* What is put from now on may be taken back. */
uint64_t atw_drain_mark(void);
void atw_drain_back(uint64_t mark);

/* The lowest descriptor of our own that is not below another one; -1: there is none. */
int atw_own_descriptor(int from);

#endif /* ATW_DRAIN_H */
