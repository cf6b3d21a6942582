/* Threads are known from their first call on.  One that begins may get what one that ended had,
 * with its number: a spool tells one after the other. */

#include "threads.h"

#include <pthread.h>

_Thread_local atw_here atw_local __attribute__((tls_model("initial-exec")));

static _Atomic(atw_thread *) all;
static atomic_uint numbers;
static uint32_t ring_size;
static pthread_key_t key;
static bool have_key;

static void ended(void *thread_)
{
    atw_thread *thread = thread_;

    atw_local.thread = NULL;
    atomic_store_explicit(&thread->since, 0, memory_order_relaxed);
    atomic_store_explicit(&thread->taken, false, memory_order_release);
}

void atw_threads_start(uint32_t activities)
{
    ring_size = activities;
    have_key = pthread_key_create(&key, ended) == 0;
}

atw_thread *atw_threads(void)
{
    return atomic_load_explicit(&all, memory_order_acquire);
}

static atw_thread *left_behind(void)
{
    for (atw_thread *thread = atw_threads(); thread != NULL; thread = thread->next) {
        bool taken = false;

        if (atomic_compare_exchange_strong_explicit(&thread->taken, &taken, true,
                                                    memory_order_acquire, memory_order_relaxed))
            return thread;
    }
    return NULL;
}

static atw_thread *another(void)
{
    atw_thread *thread = atw_take_apart(sizeof(*thread));
    atw_activity *slots = atw_take_pages(ring_size * sizeof(atw_activity));

    if (thread == NULL || slots == NULL)
        return NULL;
    thread->taken = true;
    thread->ring.slots = slots;
    thread->ring.size = ring_size;
    thread->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &thread->next, thread))
        ;
    return thread;
}

atw_thread *atw_thread_new(void)
{
    atw_thread *thread = left_behind();

    if (thread == NULL)
        thread = another();
    if (thread == NULL)
        return NULL;
    if (!thread->numbered) {
        thread->number = atomic_fetch_add(&numbers, 1);
        thread->numbered = true;
    }
    thread->depth = 0;
    if (have_key)
        pthread_setspecific(key, thread);
    atw_local.thread = thread;
    return thread;
}

void atw_threads_own(uint64_t *calls_p, uint64_t *time_p)
{
    *calls_p = *time_p = 0;
    for (atw_thread *thread = atw_threads(); thread != NULL; thread = thread->next) {
        uint64_t measured = atomic_load_explicit(&thread->own_calls, memory_order_relaxed);
        uint64_t time = atomic_load_explicit(&thread->own_time, memory_order_relaxed);

        *calls_p += thread->sequence;
        if (measured > 0)
            *time_p += (uint64_t) ((double) time / (double) measured * (double) thread->sequence);
    }
}

void atw_threads_anew(void)
{
    for (atw_thread *thread = atw_threads(); thread != NULL; thread = thread->next) {
        thread->numbered = false;
        thread->sequence = 0;
        thread->depth = 0;
        atomic_store(&thread->since, 0);
        atomic_store(&thread->own_calls, 0);
        atomic_store(&thread->own_time, 0);
        for (int i = 0; i < ATW_MODULES; i++)
            thread->states[i] = NULL;
        atomic_store(&thread->ring.got, atomic_load(&thread->ring.put));
        atomic_store(&thread->ring.dropped, 0);
        atomic_store(&thread->taken, false);
    }
    atomic_store(&numbers, 0);
    atw_local.thread = NULL;
}
