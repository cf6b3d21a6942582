/*
 * Workers: a process for each target, which alone touches that target.
 *
 * A write to a server that is gone may wait for ever, in a sleep that no signal ends: of a
 * thread that would keep the prober from ending, of the prober itself all other targets from
 * being probed.  A worker that misses its deadline is killed and left; nothing waits for it,
 * and its target gets a new one once the kernel has let it go.
 *
 * A worker ends, and removes its file, when the prober does, however that ended.
 */

#ifndef PROBE_WORKER_H
#define PROBE_WORKER_H

#include <sys/types.h>

#include "pinned.h"

typedef enum worker_task {
    WORKER_LIST,  /* all targets of the directory */
    WORKER_LOOK,  /* the state of its target */
    WORKER_WRITE, /* and a write */
    WORKER_TASKS
} worker_task;

typedef struct worker_request {
    worker_task task;
    uint64_t bytes;
} worker_request;

typedef struct worker_reply {
    worker_request request;
    int error;      /* 0 or errno: of the request as a whole or of the write */
    double at;      /* unix seconds when the write began */
    double seconds; /* of the write */
    bool looked;    /* found has its state */
    target found;
    target_list *list; /* WORKER_LIST: the caller's, as given to worker_collect */
} worker_reply;

/* What all workers of a prober share. */
typedef struct worker_ground {
    const char *directory;
    const pinned_source *source;
    uint64_t keep; /* bytes of a probe */
} worker_ground;

typedef struct worker {
    int index; /* of its target */
    pid_t process;
    int channel;     /* negative: no process, or one that is given up */
    bool busy;       /* between request and reply */
    bool left;       /* a process of its was killed, and may have left its file */
    double deadline; /* of the reply, by the clock_steady */
} worker;

/* Starts its process unless it has one.  EBUSY: the one that was given up still hangs. */
int worker_start(worker *worker, const worker_ground *ground);

/* Asks a worker that is not busy; EPIPE if it has ended. */
int worker_ask(worker *worker, const worker_request *request, double patience);

/* Its reply, after poll() said that there is one.  EPIPE if it has ended. */
int worker_collect(worker *worker, target_list *list, worker_reply *reply_p);

/* After its deadline: kill it and do not wait. */
void worker_give_up(worker *worker);

/* All end and remove their files; those that take longer than patience are killed, and one
 * more process tries to remove what they leave. */
void worker_end_all(worker *workers, int count, const worker_ground *ground, double patience);

#endif /* PROBE_WORKER_H */
