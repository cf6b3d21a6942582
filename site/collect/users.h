/*
 * The processes that say how they are, by user: each user has a node of their own (node.h).  What
 * somebody's processes say changes no signal of anybody else's.
 */

#ifndef COLLECT_USERS_H
#define COLLECT_USERS_H

#include "node.h"

enum { USERS_VOTES = 1024 }; /* processes of a user that are heard */

typedef struct users users;

/* system: a folder that nodes share, or NULL; socket and news: as neighbours_start.  The texts are
 * the caller's, and stay.  NULL: no memory. */
users *users_new(const char *proc, const char *system, const char *socket, int news);
/* NULL is fine. */
void users_free(users *u);

/* As node_add.  NULL, or why it is not heard. */
const char *users_add(users *u, uid_t uid, pid_t pid, void *owner, node_process **process_p,
                      void **before_p);
void users_remove(users *u, uid_t uid, node_process *process);

/* As node_cycle and node_see, for all. */
void users_cycle(users *u, const char *scarce, node_told *told, void *context);
void users_see(users *u, const char *scarce, node_told *told, void *context);

/* Into an object: how the processes of whoever asks are; for root, those of all. */
void users_put(const users *u, uid_t who, atm_value *object);

#endif /* COLLECT_USERS_H */
