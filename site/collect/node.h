/*
 * The reasoner of a node, for one user: from the health of their processes, from what the node has
 * used up, and from other nodes, one signal at the level that it concerns (watch/reasoner.h).
 */

#ifndef COLLECT_NODE_H
#define COLLECT_NODE_H

#include <sys/types.h>

#include "neighbours.h"
#include "value/value.h"
#include "formats/collector_socket.h"

typedef struct node node;
typedef struct node_process node_process;

/* proc: where /proc is.  others: NULL, none; otherwise as long as the node.  NULL: no memory. */
node *node_new(uid_t uid, const char *proc, neighbours *others);
void node_free(node *n);

/* A process that tells how it is; owner: for node_told.  It has one vote, however often it is
 * added: *before_p is the owner that spoke for it until now, whose node_process is gone, or NULL.
 * NULL: no memory, or /proc does not have it. */
node_process *node_add(node *n, pid_t pid, void *owner, void **before_p);
void node_remove(node *n, node_process *p);
size_t node_count(const node *n);
void node_hear(node_process *p, const atw_health *health);

/* Tells the owner of a process of which level the signal is that it is part of; NONE: of none. */
typedef void node_told(void *owner, atw_scope level, void *context);

/* A cycle has ended.  scarce: what the node has used up that it usually has; "": nothing. */
void node_cycle(node *n, const char *scarce, node_told *told, void *context);
/* A look at others may have ended: a signal that waits for it need not wait for the cycle's end. */
void node_see(node *n, const char *scarce, node_told *told, void *context);

/* Into an object: how processes are, the signal that is, and the last ones that were.  NULL: there
 * are no processes. */
void node_put(const node *n, atm_value *object);

#endif /* COLLECT_NODE_H */
