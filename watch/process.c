/*
 * The life of the process: start, fork, exec and end.  And calls that close descriptors without
 * being activities.
 */

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config.h"
#include "descriptors.h"
#include "drain.h"
#include "process_facts.h"
#include "modules.h"
#include "threads.h"

/* In a program that is linked statically, "ld --wrap" leads its calls here (real_static.c). */
#ifdef ATW_STATIC
#define SEEN
#define NAMED(name) __wrap_##name
#define REAL(name)                                                                                 \
    extern __typeof__(name) __real_##name;                                                         \
    __typeof__(name) *real = __real_##name
#else
#define SEEN __attribute__((visibility("default")))
#define NAMED(name) name
#define REAL(name)                                                                                 \
    static _Atomic(atw_function *) slot;                                                           \
    __typeof__(name) *real = (__typeof__(name) *) atw_real(&slot, #name)
#endif

static atomic_int off = ATW_OFF;
atomic_int *atw_state = &off;
unsigned atw_generation;

static atw_config config;
static pid_t pid;

/* --- start */

/* One process of a job speaks, before the program does. */
static void complain(const char *sentence)
{
    int rank, ranks;

    atw_facts_rank(&rank, &ranks);
    if (rank <= 0)
        fprintf(stderr, "romio-autotune: %s\n", sentence);
}

static void forked(void)
{
    atomic_store(atw_state, ATW_FORKED);
}

/* The system clears a page in every child that has memory of its own. */
static bool make_state(void)
{
    long size = sysconf(_SC_PAGESIZE);
    atomic_int *page = atw_take_pages((size_t) size);

    if (page == NULL)
        return false;
    if (madvise(page, (size_t) size, MADV_WIPEONFORK) != 0 &&
        pthread_atfork(NULL, NULL, forked) != 0)
        return false;
    atomic_store(page, ATW_OFF);
    atw_state = page;
    return true;
}

static void finish(void);

__attribute__((constructor)) static void start(void)
{
    const char *text = secure_getenv("ROMIO_AUTOTUNE_WATCH");
    int saved = errno;

    if (text != NULL && text[0] != '\0') {
        atw_config_read(text, complain, &config);
        if (atw_modules_in_use() && make_state()) {
            pid = getpid();
            atw_threads_start((uint32_t) config.activities);
            atw_drain_start(config.folder, config.limit, config.collect ? config.socket : NULL);
            at_quick_exit(finish);
            atomic_store(atw_state, ATW_ON);
        }
    }
    errno = saved;
}

/* --- fork */

bool atw_after_fork(void)
{
    int state = ATW_FORKED;

    if (!atomic_compare_exchange_strong(atw_state, &state, ATW_CHANGING))
        return false;
    pid = getpid();
    atw_generation++;
    atw_threads_anew();
    atw_drain_anew();
    atomic_store(atw_state, ATW_ON);
    return true;
}

bool atw_is_own_memory(void)
{
    return getpid() == pid;
}

/* --- end */

/* Whether this process has seen something that only it knows. */
static bool has_seen(void)
{
    return atomic_load(atw_state) == ATW_ON && atw_is_own_memory();
}

__attribute__((destructor)) static void finish(void)
{
    int saved = errno, on = ATW_ON;

    if (has_seen() && atomic_compare_exchange_strong(atw_state, &on, ATW_OFF) && atw_drain_lock()) {
        atw_drain_last();
        atw_modules_tell();
        atw_drain_end();
        atw_drain_unlock();
    }
    errno = saved;
}

SEEN _Noreturn void NAMED(_exit)(int code)
{
    REAL(_exit);

    finish();
    real(code);
    __builtin_unreachable();
}

SEEN _Noreturn void NAMED(_Exit)(int code)
{
    _exit(code);
}

/* --- exec: the end, unless it fails */

typedef struct leaving {
    bool locked; /* nobody else writes until it is known */
    uint64_t mark;
} leaving;

static leaving leave(void)
{
    leaving l = {.locked = has_seen() && atw_drain_lock()};
    int saved = errno;

    if (l.locked) {
        atw_drain_last();
        l.mark = atw_drain_mark();
        atw_modules_tell();
        atw_drain_end();
    }
    errno = saved;
    return l;
}

static int stay(leaving l)
{
    int saved = errno;

    if (l.locked) {
        atw_drain_back(l.mark);
        atw_drain_unlock();
    }
    errno = saved;
    return -1;
}

typedef char *const *words;

SEEN int NAMED(execve)(const char *path, words arguments, words environment)
{
    REAL(execve);
    leaving left = leave();

    real(path, arguments, environment);
    return stay(left);
}

SEEN int NAMED(execv)(const char *path, words arguments)
{
    return execve(path, arguments, environ);
}

SEEN int NAMED(execvpe)(const char *name, words arguments, words environment)
{
    REAL(execvpe);
    leaving left = leave();

    real(name, arguments, environment);
    return stay(left);
}

SEEN int NAMED(execvp)(const char *name, words arguments)
{
    return execvpe(name, arguments, environ);
}

SEEN int NAMED(fexecve)(int fd, words arguments, words environment)
{
    REAL(fexecve);
    leaving left = leave();

    real(fd, arguments, environment);
    return stay(left);
}

static size_t count_words(va_list list)
{
    size_t count = 1;

    while (va_arg(list, char *) != NULL)
        count++;
    return count;
}

/* Arguments as an array, in the caller's frame: after vfork memory is not ours to take. */
#define GATHER(first, after)                                                                       \
    va_list list;                                                                                  \
    va_start(list, first);                                                                         \
    size_t count = count_words(list);                                                              \
    va_end(list);                                                                                  \
    char *arguments[count + 1];                                                                    \
    va_start(list, first);                                                                         \
    arguments[0] = (char *) first;                                                                 \
    for (size_t i = 1; i <= count; i++)                                                            \
        arguments[i] = va_arg(list, char *);                                                       \
    after;                                                                                         \
    va_end(list)

SEEN int NAMED(execl)(const char *path, const char *first, ...)
{
    GATHER(first, (void) 0);
    return execv(path, arguments);
}

SEEN int NAMED(execlp)(const char *name, const char *first, ...)
{
    GATHER(first, (void) 0);
    return execvp(name, arguments);
}

SEEN int NAMED(execle)(const char *path, const char *first, ...)
{
    GATHER(first, words environment = va_arg(list, words));
    return execve(path, arguments, environment);
}

/* --- descriptors that become others */

SEEN int NAMED(dup2)(int from, int to)
{
    REAL(dup2);

    if (atw_is_on() && from != to && atw_is_own_memory())
        atw_descriptor_forget(to);
    return real(from, to);
}

SEEN int NAMED(dup3)(int from, int to, int flags)
{
    REAL(dup3);

    if (atw_is_on() && atw_is_own_memory())
        atw_descriptor_forget(to);
    return real(from, to, flags);
}

/* A static program must have what is wrapped; the C library has had these since 2.34. */
#if !defined(ATW_STATIC) || __GLIBC_PREREQ(2, 34)

/* The lowest of our own in a range; -1: none. */
static int own_between(unsigned first, unsigned last)
{
    int own = first <= INT_MAX ? atw_own_descriptor((int) first) : -1;

    return own >= 0 && (unsigned) own <= last ? own : -1;
}

/* Around our own, which are none of the program's.  CLOSE_RANGE_CLOEXEC is 4. */
SEEN int NAMED(close_range)(unsigned first, unsigned last, int flags)
{
    REAL(close_range);
    int own, code = 0;

    if ((flags & 4) == 0 && atw_is_on() && atw_is_own_memory())
        atw_descriptors_forget(first, last);
    while (code == 0 && (own = own_between(first, last)) >= 0) {
        if ((unsigned) own > first)
            code = real(first, (unsigned) own - 1, flags);
        if (code != 0 || (unsigned) own == last)
            return code;
        first = (unsigned) own + 1;
    }
    return code == 0 ? real(first, last, flags) : code;
}

/* Where the system cannot spare our own, it is opened again. */
SEEN void NAMED(closefrom)(int first)
{
    REAL(closefrom);
    int saved = errno;

    if (atw_is_on() && atw_is_own_memory())
        atw_descriptors_forget(first > 0 ? (unsigned) first : 0, ~0u);
    if (atw_own_descriptor(0) < 0 || atw_find_any("close_range") == NULL ||
        close_range(first > 0 ? (unsigned) first : 0, ~0u, 0) != 0)
        real(first);
    errno = saved;
}

#endif
