/* From the threads' rings to the spool: by a thread of our own while there is much, and by whoever
 * ends the process. */

#ifndef ATW_DRAIN_H
#define ATW_DRAIN_H

#include "text.h"

/* folder is kept; limit: bytes of a spool. */
void atw_drain_start(const char *folder, uint64_t limit);
/* In a child: the spool, and the thread of our own, are the parent's. */
void atw_drain_anew(void);

/* A ring is filling.  Does not wait for the disk, except to make the file when it is first called. */
void atw_drain_wake(void);

/* Takes what is there. */
void atw_drain(void);
void atw_drain_survey(const atw_text *text);
/* The process ends in order.  What atw_drain_goes_on gets if it does not. */
uint64_t atw_drain_end(void);
void atw_drain_goes_on(uint64_t size);

/* -1: there is none. */
int atw_spool_descriptor(void);

#endif /* ATW_DRAIN_H */
