/*
 * A file whose data is on one target, written in place and timed until the target has
 * answered: past the client's cache by O_DIRECT or, where that is refused, by fsync.
 */

#ifndef PROBE_PINNED_H
#define PROBE_PINNED_H

#include "target.h"

typedef struct pinned {
    int file; /* negative: there is none */
    bool direct;
    uint64_t keep; /* bytes that it has between writes */
    char name[32]; /* in its directory */
} pinned;

/* What all writes take their bytes from. */
typedef struct pinned_source {
    const char *bytes; /* as O_DIRECT wants it */
    uint64_t length;
} pinned_source;

/* Bytes for writes of up to most, that no server can compress; shared with processes that
 * are forked, and kept until the end.  False without memory. */
bool pinned_fill_source(uint64_t most, pinned_source *source_p);

/* 0 or the errno.  A file of that name, left by a prober that was killed, is replaced. */
int pinned_create(const target_place *place, int index, uint64_t keep, pinned *pinned_p);

/* One write of this many bytes from the start of the file, which is then cut to what it
 * keeps: what is longer than a probe is new to its target, as an application's data is. */
int pinned_write(const pinned *pinned, const pinned_source *source, uint64_t bytes,
                 double *seconds_p);

/* Removes the file, if there is one and it still has its name. */
void pinned_remove(const target_place *place, pinned *pinned);

/* Removes what a process that was killed has left of a target's file. */
void pinned_sweep(const target_place *place, int index);

#endif /* PROBE_PINNED_H */
