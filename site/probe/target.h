/*
 * Targets: what a file's data can be steered to.  On Lustre these are the OSTs that the
 * client knows; any other file system is one target, 0.
 *
 * These functions ask the file system and may wait for a server that is gone: call them in
 * a process that can be given up (worker.h).
 */

#ifndef PROBE_TARGET_H
#define PROBE_TARGET_H

#include "atm.h"

enum {
    TARGETS_MOST = 2000, /* LOV_MAX_STRIPE_COUNT */
    TARGET_NAME = 40     /* of Lustre's uuids */
};

typedef struct target_state {
    double full; /* share of its space that is taken; negative: not known */
    bool degraded, inactive, no_create;
} target_state;

typedef struct target {
    int index;
    char name[TARGET_NAME]; /* "scratch-OST0003", "" where there is none */
    target_state state;
} target;

typedef struct target_list {
    atm_driver driver;
    int count;
    target targets[TARGETS_MOST];
} target_list;

/* Where a probe's files are: opened once, then asked through its descriptor. */
typedef struct target_place {
    int directory;
    atm_driver driver;
} target_place;

/* Each returns 0, or the errno.  place_p->directory is the caller's to close. */
int target_open_place(const char *directory, target_place *place_p);
int target_list_all(const target_place *place, target_list *list_p);

/* ENODEV: there is no such target any more.  ENOTSUP: this user may not ask.  One that this
 * client was told to leave alone is inactive, which is no error. */
int target_look(const target_place *place, int index, target *target_p);

/* Nothing that a reader of a trace would want to hear: full to the percent. */
bool target_same(const target_state *state, const target_state *other);

#endif /* PROBE_TARGET_H */
