/*
 * One prober at a site: a lock file beside the traces, which its holder renews.
 *
 * Works where there is no flock, as on some NFS and Lustre mounts: a lock is got by link(2),
 * which one of many succeeds with, and is lost by rename(2).  Its holder writes a number that
 * grows into it at every beat.  One that is silent, by the watcher's own steady clock, so that
 * clocks of two hosts need not agree, or whose process has ended on this very machine, is
 * dead: its lock is taken away.
 *
 * Two that take away the same dead lock at once may, for the time of a beat, both believe in
 * theirs; at its next beat one of them sees the other's and is a watcher again.
 */

#ifndef PROBE_LEASE_H
#define PROBE_LEASE_H

#include <limits.h>

#include "atm.h"

enum { LEASE_TEXT = 512 };

typedef struct lease_holder {
    char host[128];
    long process;
} lease_holder;

typedef struct lease {
    char path[PATH_MAX];
    char own[PATH_MAX]; /* a second name of ours: what is linked */
    char machine[80];   /* boot and space of process numbers */
    lease_holder me;
    double beat_every, silence; /* seconds */
    bool held;
    int file; /* open while held */
    uint64_t beats;
    double beat_at; /* of the next, by the steady clock */
    /* of the holder that is watched */
    char seen[LEASE_TEXT];
    double seen_at;
} lease;

/* Nothing is taken yet.  Times in seconds; silence is to be several beats. */
void lease_make(const char *path, const char *host, double beat_every, double silence,
                lease *lease_p);

/*
 * Call this at least once a beat, with the time of the steady clock: takes a lock that is
 * free or dead, renews one's own.  Whether it is held afterwards; if not, *holder_p tells by
 * whom, if that is known.  ATM_NO_ACCESS and a sentence: the file cannot be made or written;
 * a lease that was held still is.
 */
atm_status lease_keep(lease *lease, double now, atm_message *message, lease_holder *holder_p);

void lease_release(lease *lease);

#endif /* PROBE_LEASE_H */
