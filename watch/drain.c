#include "drain.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "process_facts.h"
#include "files.h"
#include "health.h"
#include "modules.h"
#include "sink.h"
#include "threads.h"

enum {
    LAST_MS = 1000, /* that the end of a process may wait for a collector */
    BEHIND_MS = 5,
    BEHIND = 200,        /* how long, and how often, the thread waits for one */
    A_LITTLE = 100000000 /* ns */
};

static atw_text facts;

/* All of the following is used by whoever has the lock. */
static struct {
    _Alignas(64) pthread_mutex_t mutex; /* in a line without what all threads read */
} lock = {PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
static bool full;                    /* some block found no room: what follows is only counted */
static bool behind;                  /* some of it is put off */
static uint64_t spent;               /* ns of processor time in atw_drain */
static uint8_t told[(1u << 20) / 8]; /* files, by number */

int atw_own_descriptor(int from)
{
    int spool = atw_sink_descriptor(), health = atw_health_descriptor();

    if (spool < from || (health >= from && health < spool))
        spool = health;
    return spool >= from ? spool : -1;
}

/* --- to the sink */

static bool put_text(enum atw_spool_kind kind, const atw_text *text)
{
    return !text->failed &&
           atw_sink_put(kind, 0, text->bytes, text->length, NULL, 0) == ATW_PUT_DONE;
}

static bool put_facts(void)
{
    atw_text calls = {.bytes = NULL};
    bool done;

    for (size_t i = 0; i < sizeof(told); i++)
        told[i] = 0;
    atw_facts_calls(&calls);
    done = put_text(ATW_BLOCK_FACTS, &facts) && put_text(ATW_BLOCK_CALLS, &calls);
    atw_text_free(&calls);
    return done;
}

static atw_put_result put_file(uint32_t number)
{
    const char *path;
    size_t length;
    atw_put_result result;

    if (number == 0 || told[number / 8] & 1u << number % 8)
        return ATW_PUT_DONE;
    path = atw_file_path(number, &length);
    if (path == NULL)
        return ATW_PUT_NEVER;
    result = atw_sink_put(ATW_BLOCK_FILE, 0, &number, sizeof(number), path, length);
    if (result == ATW_PUT_DONE)
        told[number / 8] |= (uint8_t) (1u << number % 8);
    return result;
}

static atw_put_result put_activities(uint32_t thread, const atw_activity *first, size_t count)
{
    atw_put_result result;

    for (size_t i = 0; i < count; i++) {
        result = put_file(first[i].file);
        if (result != ATW_PUT_DONE)
            return result;
    }
    return atw_sink_put(ATW_BLOCK_ACTIVITIES, thread, first, count * sizeof(*first), NULL, 0);
}

/* Writes a block again, except what the process says anew: who it is, and its files. */
static bool put_again(const atw_spool_block *block, const char *content)
{
    size_t bytes = (size_t) block->bytes;

    switch (block->kind) {
        case ATW_BLOCK_ACTIVITIES:
            return put_activities(block->thread, (const atw_activity *) content,
                                  bytes / sizeof(atw_activity)) == ATW_PUT_DONE;
        case ATW_BLOCK_DROPPED:
        case ATW_BLOCK_SURVEY:
        case ATW_BLOCK_END:
            return atw_sink_put((enum atw_spool_kind) block->kind, block->thread, content, bytes,
                                NULL, 0) == ATW_PUT_DONE;
        default:
            return true;
    }
}

void atw_drain_start(const char *folder, uint64_t limit, const char *socket)
{
    static const atw_sink_calls calls = {put_facts, put_again};

    atw_sink_start(folder, limit, socket, &calls);
    atw_facts(&facts);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* What is put meanwhile waits. */
static void drain_ring(atw_thread *thread)
{
    const atw_activity *first;
    uint64_t left = atw_ring_count(&thread->ring);

    while (left > 0) {
        size_t count = least(atw_ring_peek(&thread->ring, &first), (size_t) left);
        atw_put_result result = ATW_PUT_NEVER;

        if (!full && atw_sink_have()) {
            count = least(count, atw_sink_piece());
            result = put_activities(thread->number, first, count);
        }
        if (result == ATW_PUT_LATER) {
            behind = true;
            return;
        }
        full = full || result == ATW_PUT_NEVER;
        if (full)
            atomic_fetch_add(&thread->ring.dropped, count);
        atw_ring_got(&thread->ring, count);
        left -= count;
    }
}

/* No room: it is said the next time. */
static void put_dropped(atw_thread *thread)
{
    uint64_t dropped = atw_ring_dropped(&thread->ring);

    if (dropped > 0 &&
        (!atw_sink_have() || atw_sink_put(ATW_BLOCK_DROPPED, thread->number, &dropped,
                                          sizeof(dropped), NULL, 0) != ATW_PUT_DONE))
        atomic_fetch_add(&thread->ring.dropped, dropped);
}

static void put_lost(void)
{
    uint64_t dropped = atw_sink_lost();

    if (dropped > 0)
        atw_sink_put(ATW_BLOCK_DROPPED, 0, &dropped, sizeof(dropped), NULL, 0);
}

/* --- by whoever has the lock */

bool atw_drain_lock(void)
{
    return pthread_mutex_lock(&lock.mutex) == 0;
}

void atw_drain_unlock(void)
{
    pthread_mutex_unlock(&lock.mutex);
}

static uint64_t processor_time(void)
{
    struct timespec now = {0, 0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

uint64_t atw_drain_spent(void)
{
    return spent;
}

void atw_drain(void)
{
    uint64_t began = processor_time();

    behind = false;
    for (atw_thread *thread = atw_threads(); thread != NULL; thread = thread->next) {
        drain_ring(thread);
        if (!full)
            put_dropped(thread);
    }
    if (atw_sink_flow(0))
        behind = true;
    spent += processor_time() - began;
}

void atw_drain_last(void)
{
    atw_sink_hurry(LAST_MS);
    atw_drain();
}

void atw_drain_survey(const atw_text *text)
{
    if (atw_sink_have())
        put_text(ATW_BLOCK_SURVEY, text);
}

void atw_drain_missed(uint32_t thread, uint64_t count)
{
    if (count > 0 && atw_sink_have())
        atw_sink_put(ATW_BLOCK_DROPPED, thread, &count, sizeof(count), NULL, 0);
}

void atw_drain_activities(uint32_t thread, const atw_activity *first, size_t count)
{
    while (count > 0 && !full && atw_sink_have()) {
        size_t part = least(count, atw_sink_piece());
        atw_put_result result = put_activities(thread, first, part);

        full = full || result == ATW_PUT_NEVER;
        if (result != ATW_PUT_DONE)
            break;
        first += part;
        count -= part;
    }
    atw_drain_missed(thread, count);
}

/* The spool keeps room for this. */
void atw_drain_end(void)
{
    for (atw_thread *thread = atw_threads(); thread != NULL; thread = thread->next)
        put_dropped(thread);
    put_lost();
    if (atw_sink_descriptor() >= 0)
        atw_sink_put(ATW_BLOCK_END, 0, NULL, 0, NULL, 0);
    atw_sink_finish();
}

uint64_t atw_drain_mark(void)
{
    return atw_sink_mark();
}

/* A spool that was made since then goes as a whole. */
void atw_drain_back(uint64_t mark)
{
    atw_sink_back(mark);
}

/* --- beside the program */

static struct {
    _Alignas(64) atomic_uint wanted; /* a futex */
    atomic_bool running;
} beside;

/* Some thread of the program's may be the last one: ours ends when there is nothing to do. */
static void wait_a_little(uint64_t ns)
{
    struct timespec patience = {0, ns > 0 && ns < A_LITTLE ? (long) ns : A_LITTLE};

    syscall(SYS_futex, &beside.wanted, FUTEX_WAIT_PRIVATE, 0, &patience, NULL, 0);
}

/* Whether something is put off: then it waited for the collector.  *next_p: as atw_modules_tick.
 */
static bool drain_once(uint64_t *next_p)
{
    bool is_behind = false;

    *next_p = 0;
    if (atw_drain_lock()) {
        if (atomic_load(atw_state) == ATW_ON)
            *next_p = atw_modules_tick(atw_now());
        atw_drain();
        is_behind = behind;
        if (is_behind)
            atw_sink_flow(BEHIND_MS);
        atw_drain_unlock();
    }
    return is_behind;
}

static void *run(void *unused)
{
    unsigned tries = 0;
    uint64_t next;

    atw_local.busy = true;
    for (;;) {
        atomic_store(&beside.wanted, 0);
        if (drain_once(&next) && ++tries < BEHIND)
            continue;
        if (atomic_load(&beside.wanted) == 0)
            wait_a_little(next);
        tries = 0;
        if (next > 0 || atomic_load(&beside.wanted) != 0)
            continue;
        atomic_store(&beside.running, false);
        if (atomic_load(&beside.wanted) == 0 || atomic_exchange(&beside.running, true))
            return unused;
    }
}

static bool start_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    int code;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1 << 17);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&thread, &attributes, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return code == 0;
}

void atw_drain_wake(void)
{
    atomic_store(&beside.wanted, 1);
    if (atomic_exchange(&beside.running, true)) {
        syscall(SYS_futex, &beside.wanted, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
        return;
    }
    /* descriptors that come and go are seen by a program that has but one thread */
    if (!atw_sink_was_made() && atw_drain_lock()) {
        atw_sink_have();
        atw_drain_unlock();
    }
    if (!start_thread())
        atomic_store(&beside.running, false);
}

void atw_drain_run(void)
{
    if (!atomic_load_explicit(&beside.running, memory_order_relaxed))
        atw_drain_wake();
}

void atw_drain_anew(void)
{
    lock.mutex = (pthread_mutex_t) PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    atw_sink_anew();
    atw_health_close();
    full = behind = false;
    spent = 0;
    atomic_store(&beside.wanted, 0);
    atomic_store(&beside.running, false);
}
