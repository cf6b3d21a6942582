/*
 * Other nodes: each collector writes how its node is, for each user whose processes it hears, to a
 * small file in a folder that all share, and reads those of the same user of others.  By a thread
 * of its own: a file system that hangs holds up nobody.
 *
 * A file is written when something changes, and every few seconds; one that does not change for
 * longer is not believed.  Clocks of nodes need not agree.  A file counts if it has the owner that
 * our own has there.
 */

#ifndef COLLECT_NEIGHBOURS_H
#define COLLECT_NEIGHBOURS_H

#include <sys/types.h>

#include "watch/reasoner.h"

typedef struct neighbours neighbours;

/* dir is there; socket: of this collector, by which two on one host have different names; news: an
 * eventfd that is written to when a look has ended, or -1.  NULL: said why. */
neighbours *neighbours_start(const char *dir, const char *socket, uid_t uid, int news);
/* Both remove the file, unless the file system hangs: the first waits for it for two seconds, the
 * second not at all.  NULL is fine. */
void neighbours_stop(neighbours *n);
void neighbours_leave(neighbours *n);

/* How this node is.  None of the following waits. */
void neighbours_tell(neighbours *n, const atw_outlook *outlook);

/* Asks for a look at the others; the number of the look. */
uint64_t neighbours_ask(neighbours *n);

typedef struct neighbours_view {
    uint64_t look;   /* the last one that has ended */
    atw_group group; /* those that do something */
    bool is_first;   /* no suspect one has a name before ours */
} neighbours_view;

void neighbours_see(neighbours *n, neighbours_view *view_p);

#endif /* COLLECT_NEIGHBOURS_H */
