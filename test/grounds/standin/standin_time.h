/*
 * Private to the file-system stand-in: time.  Every OST is a queue and every
 * node has a link; both are kept in a file that all processes of a job map,
 * with the extent locks that nodes hold.  README.md has the model.
 *
 *   standin_locks.c   extent locks of an object; no I/O
 *   standin_shared.c  the mapped file: made, mapped, queued in
 *   standin_time.c    the environment, and the time of one call
 *   standin_ost.c     the command standin-ost
 *
 * Times are nanoseconds of CLOCK_MONOTONIC.
 */

#ifndef STANDIN_TIME_H
#define STANDIN_TIME_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STANDIN_TIME_FILE ".standin-time" /* in the directory shown as Lustre */

enum {
    STANDIN_TIME_OSTS = 256,
    STANDIN_NODES = 256,
    STANDIN_NODE_NAME = 64,
    STANDIN_OBJECTS = 64,  /* of an OST; the longest unused one is forgotten */
    STANDIN_EXTENTS = 256, /* of an object; the oldest one is forgotten */
    STANDIN_LOAD_1 = 1000  /* an OST that is not busy */
};

#pragma GCC visibility push(hidden)

/* --- locks */

struct standin_extent {
    uint64_t start, end; /* bytes of the object; the end is outside */
    uint32_t node;
    uint32_t write; /* else shared with other readers */
};

struct standin_object {
    uint64_t file;
    uint64_t used; /* when */
    uint32_t stripe;
    uint32_t count;
    struct standin_extent extents[STANDIN_EXTENTS]; /* oldest first */
};

/* Gives NODE a lock on [start, end) unless it holds one; returns how many locks
 * of other nodes had to give way.  *granted_p: whether a lock was given. */
unsigned standin_lock(struct standin_object *object, uint32_t node, bool write, uint64_t start,
                      uint64_t end, bool *granted_p);

/* --- what processes share */

struct standin_counters {
    uint64_t requests, written, read; /* the latter two in bytes */
    uint64_t grants, transfers;       /* of locks */
    uint64_t busy;                    /* time */
};

struct standin_ost {
    pthread_mutex_t mutex; /* of all but load; robust */
    _Atomic uint32_t load; /* in 1/STANDIN_LOAD_1 */
    uint64_t free_at;      /* the disk has done all that came so far */
    uint64_t taken_at;     /* what is in front of the cache has taken it */
    struct standin_counters counters;
    struct standin_object objects[STANDIN_OBJECTS]; /* file 0: unused */
};

struct standin_node {
    char name[STANDIN_NODE_NAME]; /* empty: unused */
    _Atomic uint64_t free_at;
    _Atomic uint64_t bytes;
};

struct standin_shared {
    char made_for[64]; /* program, OSTs and boot; what differs is made anew */
    uint32_t ost_count;
    struct standin_node nodes[STANDIN_NODES];
    struct standin_ost osts[];
};

/* Maps the file FD, which is made to fit if it does not; OSTS 0: as it is, or
 * ENODATA.  0 or an errno value. */
int standin_shared_map(int fd, unsigned osts, struct standin_shared **shared_p);

/* Held shortly, never while asleep.  One whose process died is repaired: the
 * locks of this OST are forgotten. */
void standin_ost_enter(struct standin_ost *ost);
void standin_ost_leave(struct standin_ost *ost);

/* The node of that name, which is added; -1: there are too many. */
int standin_node_find(int fd, struct standin_shared *shared, const char *name);

uint64_t standin_now(void);

/* --- the settings of a process */

struct standin_times {
    double ost_ns[STANDIN_TIME_OSTS]; /* a byte; 0 where rates have no limit */
    double node_ns;
    uint64_t latency, lock;
    double cache; /* bytes of written data that an OST holds; 0: writes wait for the disk */
};

/* NULL, or what is wrong with the text. */
const char *standin_times_read(const char *text, struct standin_times *times);

#pragma GCC visibility pop

#endif /* STANDIN_TIME_H */
