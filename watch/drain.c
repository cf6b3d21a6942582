#include "drain.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "facts.h"
#include "files.h"
#include "spool.h"
#include "threads.h"

static const char *folder;
static uint64_t limit;
static atw_text facts;

/* All of the following is used by whoever has the lock. */
static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static atw_spool spool = {.fd = -1};
static bool made;                    /* or tried to */
static bool full;                    /* some block found no room: what follows is only counted */
static uint8_t told[(1u << 20) / 8]; /* files, by number */

void atw_drain_start(const char *folder_, uint64_t limit_)
{
    folder = folder_;
    limit = limit_;
    atw_facts(&facts);
}

int atw_spool_descriptor(void)
{
    return spool.fd;
}

/* --- to the spool */

static bool put_text(enum atw_spool_kind kind, const atw_text *text)
{
    return !text->failed && atw_spool_put(&spool, kind, 0, text->bytes, text->length, NULL, 0);
}

static bool put_facts(void)
{
    atw_text calls = {.bytes = NULL};
    bool done;

    atw_facts_calls(&calls);
    done = put_text(ATW_BLOCK_FACTS, &facts) && put_text(ATW_BLOCK_CALLS, &calls);
    atw_text_free(&calls);
    return done;
}

static void remove_spool(void)
{
    unlink(spool.path);
    atw_spool_close(&spool);
}

/* Made when there is something to write: many processes do nothing. */
static bool have_spool(void)
{
    int rank, ranks;

    if (!made) {
        made = true;
        atw_facts_rank(&rank, &ranks);
        if (atw_spool_create(folder, limit, rank, ranks, &spool) && !put_facts())
            remove_spool();
    }
    return spool.fd >= 0;
}

static bool put_file(uint32_t number)
{
    const char *path;
    size_t length;

    if (number == 0 || told[number / 8] & 1u << number % 8)
        return true;
    path = atw_file_path(number, &length);
    if (path == NULL ||
        !atw_spool_put(&spool, ATW_BLOCK_FILE, 0, &number, sizeof(number), path, length))
        return false;
    told[number / 8] |= (uint8_t) (1u << number % 8);
    return true;
}

static bool put_activities(uint32_t thread, const atw_activity *first, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!put_file(first[i].file))
            return false;
    return atw_spool_put(&spool, ATW_BLOCK_ACTIVITIES, thread, first, count * sizeof(*first), NULL,
                         0);
}

/* What is put meanwhile waits: up to the ring's end, and from its start. */
static void drain_ring(atw_thread *thread)
{
    const atw_activity *first;
    size_t count;

    for (int i = 0; i < 2 && (count = atw_ring_peek(&thread->ring, &first)) > 0; i++) {
        full = full || !have_spool() || !put_activities(thread->number, first, count);
        if (full)
            atomic_fetch_add(&thread->ring.dropped, count);
        atw_ring_got(&thread->ring, count);
    }
}

static void put_dropped(atw_thread *thread)
{
    uint64_t dropped = atw_ring_dropped(&thread->ring);

    if (dropped > 0 && have_spool())
        atw_spool_put(&spool, ATW_BLOCK_DROPPED, thread->number, &dropped, sizeof(dropped), NULL,
                      0);
}

/* --- by whoever has the lock */

bool atw_drain_lock(void)
{
    return pthread_mutex_lock(&lock) == 0;
}

void atw_drain_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void atw_drain(void)
{
    for (atw_thread *thread = atw_threads(); thread != NULL; thread = thread->next) {
        drain_ring(thread);
        if (!full)
            put_dropped(thread);
    }
}

void atw_drain_survey(const atw_text *text)
{
    if (have_spool())
        put_text(ATW_BLOCK_SURVEY, text);
}

/* The spool keeps room for this. */
void atw_drain_end(void)
{
    for (atw_thread *thread = atw_threads(); thread != NULL; thread = thread->next)
        put_dropped(thread);
    if (spool.fd >= 0)
        atw_spool_put(&spool, ATW_BLOCK_END, 0, NULL, 0, NULL, 0);
}

uint64_t atw_drain_mark(void)
{
    return spool.fd >= 0 ? spool.size : 0;
}

/* A spool that was made since then goes as a whole. */
void atw_drain_back(uint64_t mark)
{
    if (mark > 0) {
        atw_spool_cut(&spool, mark);
    } else if (spool.fd >= 0) {
        remove_spool();
        made = false;
    }
}

/* --- beside the program */

static atomic_uint wanted; /* a futex */
static atomic_bool running;

/* Some thread of the program's may be the last one: ours ends when there is nothing to do. */
static void wait_a_little(void)
{
    struct timespec patience = {0, 100000000};

    syscall(SYS_futex, &wanted, FUTEX_WAIT_PRIVATE, 0, &patience, NULL, 0);
}

static void *run(void *unused)
{
    atw_local.busy = true;
    for (;;) {
        atomic_store(&wanted, 0);
        if (atw_drain_lock()) {
            atw_drain();
            atw_drain_unlock();
        }
        if (atomic_load(&wanted) == 0)
            wait_a_little();
        if (atomic_load(&wanted) != 0)
            continue;
        atomic_store(&running, false);
        if (atomic_load(&wanted) == 0 || atomic_exchange(&running, true))
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
    atomic_store(&wanted, 1);
    if (atomic_exchange(&running, true)) {
        syscall(SYS_futex, &wanted, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
        return;
    }
    /* descriptors that come and go are seen by a program that has but one thread */
    if (!made && atw_drain_lock()) {
        have_spool();
        atw_drain_unlock();
    }
    if (!start_thread())
        atomic_store(&running, false);
}

void atw_drain_anew(void)
{
    lock = (pthread_mutex_t) PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    atw_spool_close(&spool);
    made = full = false;
    for (size_t i = 0; i < sizeof(told); i++)
        told[i] = 0;
    atomic_store(&wanted, 0);
    atomic_store(&running, false);
}
