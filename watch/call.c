/* Begin and end of a call: when, in which other, and what modules make of it. */

#include <errno.h>
#include <time.h>

#include "modules.h"
#include "threads.h"

uint64_t atw_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static uint64_t next_id(atw_thread *thread)
{
    return (uint64_t) thread->number << 40 | ++thread->sequence;
}

/* Calls that were left by longjmp or an exception have frames that this one's may overwrite: they
 * are below it, for stacks grow downwards wherever this library is used. */
static uint64_t enter_level(atw_thread *thread, const atw_call *call)
{
    uint64_t parent;

    while (thread->depth > 0 && thread->stack[thread->depth - 1].frame <= (uintptr_t) call)
        thread->depth--;
    parent = thread->depth > 0 ? thread->stack[thread->depth - 1].id : 0;
    if (thread->depth < ATW_DEPTH)
        thread->stack[thread->depth++] = (atw_level){(uintptr_t) call, call->activity.id};
    return parent;
}

void atw_works_for(atw_call *call, uint64_t id)
{
    if (call->thread->depth > 0)
        call->thread->stack[call->thread->depth - 1].id = id;
}

/* --- what this library takes itself: of one call in so many, as a clock takes its time, too */

enum { MEASURED = 61 }; /* no power of two: programs repeat what they do */

static uint64_t entered(const atw_thread *thread)
{
    return thread->sequence % MEASURED == 0 ? atw_now() : 0;
}

static void add(_Atomic uint64_t *number, uint64_t what)
{
    atomic_store_explicit(number, atomic_load_explicit(number, memory_order_relaxed) + what,
                          memory_order_relaxed);
}

/* Before and after the real call. */
static void measure(const atw_call *call)
{
    const atw_activity *a = &call->activity;

    add(&call->thread->own_calls, 1);
    add(&call->thread->own_time, atw_now() - a->end + a->start - call->entered);
}

/* --- begin and end */

bool atw_begin(atw_call *call, unsigned which, uint32_t file)
{
    atw_thread *thread = atw_enter();

    if (thread == NULL)
        return false;
    call->thread = thread;
    call->entered = entered(thread);
    call->depth = thread->depth;
    call->path = NULL;
    call->fd = -1;
    call->generation = atw_generation;
    call->forgotten = false;
    call->activity = (atw_activity){.id = next_id(thread),
                                    .offset = -1,
                                    .file = file,
                                    .call = (uint16_t) which,
                                    .flags = (uint16_t) atw_calls[which].flags};
    call->activity.parent = enter_level(thread, call);
    atw_leave();
    call->activity.start = atw_now();
    atomic_store_explicit(&thread->which, which, memory_order_relaxed);
    atomic_store_explicit(&thread->since, call->activity.start, memory_order_relaxed);
    return true;
}

void atw_returned(atw_call *call)
{
    call->saved_errno = errno;
    call->activity.end = atw_now();
    atw_local.busy = true;
    atomic_store_explicit(&call->thread->since, 0, memory_order_relaxed);
}

/* In a child that was forked within the call, the call is the parent's. */
void atw_end(atw_call *call)
{
    if (call->generation == atw_generation) {
        if (!call->forgotten)
            atw_modules_see(call);
        call->thread->depth = call->depth;
        if (call->entered != 0)
            measure(call);
    }
    atw_leave();
    errno = call->saved_errno;
}

void atw_end_other(atw_call *call, const atw_activity *activity)
{
    atw_call other = *call;

    if (call->generation != atw_generation)
        return;
    other.activity = *activity;
    other.activity.id = next_id(call->thread);
    atw_modules_see(&other);
}
