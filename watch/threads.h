/* What each thread has of its own. */

#ifndef ATW_THREADS_H
#define ATW_THREADS_H

#include "ring.h"

enum { ATW_MODULES = 8, ATW_DEPTH = 32 };

/* A call under way. */
typedef struct atw_level {
    uintptr_t frame; /* where its wrapper's frame is */
    uint64_t id;
} atw_level;

struct atw_thread {
    atw_thread *next;  /* of all */
    atomic_bool taken; /* by a thread that lives */
    bool numbered;     /* since the process, or the fork, began */
    uint32_t number;
    uint64_t sequence; /* of activities */
    unsigned depth;    /* calls under way, the innermost last */
    atw_level stack[ATW_DEPTH];
    void *states[ATW_MODULES]; /* of modules, by their place in the table */
    atw_ring ring;
    _Atomic uint64_t since;               /* when the innermost call began; 0: it has ended */
    _Atomic uint32_t which;               /* and which it is */
    _Atomic uint64_t own_calls, own_time; /* that were measured, and ns that we took in them */
};

typedef struct atw_here {
    atw_thread *thread;
    volatile bool busy; /* in our own code: a signal handler's calls are not seen */
} atw_here;

/* The library is loaded with the program: its place is known from the start. */
extern _Thread_local atw_here atw_local __attribute__((tls_model("initial-exec")));

/* Makes the thread known; NULL: no memory, or it ends. */
atw_thread *atw_thread_new(void);

/* Into our own code; NULL: it is there already. */
static inline atw_thread *atw_enter(void)
{
    if (atw_local.busy)
        return NULL;
    atw_local.busy = true;
    if (__builtin_expect(atw_local.thread == NULL, 0) && atw_thread_new() == NULL) {
        atw_local.busy = false;
        return NULL;
    }
    return atw_local.thread;
}

static inline void atw_leave(void)
{
    atw_local.busy = false;
}

/* All threads that ever were, from the newest: those that ended may have left something. */
atw_thread *atw_threads(void);

/* What we took in all calls that were seen, by those that were measured: calls and ns. */
void atw_threads_own(uint64_t *calls_p, uint64_t *time_p);

/* activities: of each ring, a power of two. */
void atw_threads_start(uint32_t activities);
/* In a child: the other threads are gone. */
void atw_threads_anew(void);

#endif /* ATW_THREADS_H */
