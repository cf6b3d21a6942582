/*
 * libautotune-watch.so: sees the calls of NetCDF, PnetCDF, HDF5, MPI-IO, stdio and POSIX that a
 * program makes on regular files, and hands them to modules.  The way of a call:
 *
 *     calls.list, wrappers.awk   a wrapper for each call; begin, the real call, end
 *     real.c                     where the real call is (real_static.c: in a static program)
 *     begin.c                    which file it is of; what it made
 *     mpi.c, requests.c, hdf5.c, netcdf.c   the same for handles of these libraries
 *     lists.c                    property lists that a call of HDF5 gets instead of the program's
 *     call.c                     begin and end: time, parent, modules
 *     modules.c, module_*.c      what is done with an activity
 *     threads.c, ring.h          what each thread has of its own; no lock, no memory of others
 *     descriptors.c, files.c     which descriptor is which file, and files by number
 *     drain.c                    from the threads' rings to the spool, beside the program
 *     sink.c, to_collector.c     the spool is a file, or is sent to the collector of the node
 *     spool_write.c              the spool: blocks in a file (models/formats/spool_blocks.h)
 *     process_facts.c, text.c            what the spool says of the process
 *     process.c                  start, fork, exec and end; calls that change descriptors in bulk
 *     config.c                   ROMIO_AUTOTUNE_WATCH
 *     map.c, memory.c            handles to values; memory that is never given back
 *
 * Nothing here changes what a call returns, or errno.  Where something fails (memory, disk), calls
 * are no longer seen; those that were seen and not kept are counted.
 */

#ifndef ATW_H
#define ATW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/spool_blocks.h"

_Static_assert(sizeof(atw_activity) == 64 && sizeof(atw_spool_head) == 64, "the spool's format");

enum { ATW_STARTS = 1, ATW_COMPLETES = 2 };

/* What a call does; calls.list says which does what. */
typedef enum atw_class {
    ATW_INFO,
    ATW_OPEN,
    ATW_CLOSE,
    ATW_READ,
    ATW_WRITE,
    ATW_SEEK,
    ATW_SYNC,
    ATW_RESIZE,
    ATW_MAP,
    ATW_LOCK
} atw_class;

typedef enum atw_layer {
    ATW_POSIX,
    ATW_STDIO,
    ATW_MPI,
    ATW_HDF5,
    ATW_NETCDF,
    ATW_PNETCDF
} atw_layer;

static inline const char *atw_layer_name(atw_layer layer)
{
    static const char *const names[] = {"posix", "stdio", "mpi", "hdf5", "netcdf", "pnetcdf"};

    return names[layer];
}

typedef struct atw_call_kind {
    const char *name;
    atw_layer layer;
    atw_class class;
    int flags;
} atw_call_kind;

/* Others wait for other processes, too. */
static inline bool atw_is_of_storage(const atw_call_kind *kind)
{
    return kind->layer == ATW_POSIX || kind->layer == ATW_STDIO;
}

/* Generated, by atw_activity.call. */
extern const atw_call_kind atw_calls[];
extern const unsigned atw_call_count;

typedef struct atw_thread atw_thread;

/* A call under way: in the frame of its wrapper. */
typedef struct atw_call {
    atw_thread *thread;
    uint64_t entered; /* when the wrapper was; 0: not measured */
    unsigned depth;   /* of the thread before it */
    const char *path; /* of what is opened */
    int fd;           /* -1: the call has none */
    int saved_errno;
    unsigned generation; /* of the process: a fork makes another */
    bool forgotten;      /* of no file that is looked at */
    atw_activity activity;
} atw_call;

/* --- memory.c */

/* Zeroed, for as long as the process lives; NULL: there is none.  From any thread or handler. */
void *atw_take(size_t bytes);
/* The same in cache lines of its own: what one thread changes does not slow others down. */
void *atw_take_apart(size_t bytes);
/* The same in pages of its own, which atw_give_back returns. */
void *atw_take_pages(size_t bytes);
void atw_give_back(void *pages, size_t bytes);

/* --- real.c */

typedef void atw_function(void);

/* The next one of that name behind this library; ends the process if a program calls what nobody
 * has.  errno stays. */
atw_function *atw_find(const char *name);
/* The same; NULL if there is none. */
atw_function *atw_find_any(const char *name);
/* A variable of a library; NULL if there is none. */
void *atw_find_variable(const char *name);

/* Generated, for real_static.c: what is asked for by name, as far as it was linked. */
typedef struct atw_asked {
    const char *name; /* NULL: the last */
    atw_function *function;
    void *variable;
} atw_asked;
extern const atw_asked atw_asked_names[];

/* A function of that name, looked up once; slot: where to keep it. */
static inline atw_function *atw_real(_Atomic(atw_function *) *slot, const char *name)
{
    atw_function *function = atomic_load_explicit(slot, memory_order_relaxed);

    if (__builtin_expect(function == NULL, 0)) {
        function = atw_find(name);
        atomic_store_explicit(slot, function, memory_order_relaxed);
    }
    return function;
}

/* The same for one that there need not be: NULL. */
static inline atw_function *atw_optional(_Atomic(atw_function *) *slot, const char *name)
{
    atw_function *function = atomic_load_explicit(slot, memory_order_relaxed);

    if (function == NULL) {
        function = atw_find_any(name);
        atomic_store_explicit(slot, function, memory_order_relaxed);
    }
    return function;
}

/* --- process.c */

/* In a page that is zero after a fork. */
enum { ATW_FORKED = 0, ATW_OFF, ATW_ON, ATW_CHANGING };
extern atomic_int *atw_state;
extern unsigned atw_generation;

/* In a child that has not been seen yet: begins anew.  Whether calls are seen. */
bool atw_after_fork(void);

static inline bool atw_is_on(void)
{
    int state = atomic_load_explicit(atw_state, memory_order_relaxed);

    return __builtin_expect(state == ATW_ON, 1) || (state == ATW_FORKED && atw_after_fork());
}

/* After vfork a child has its parent's memory, but descriptors of its own. */
bool atw_is_own_memory(void);

/* --- call.c */

uint64_t atw_now(void); /* ns, monotonic */

/* false: not seen, atw_end is not called.  file: 0, none or not known yet. */
bool atw_begin(atw_call *call, unsigned which, uint32_t file);
/* Right after the real call. */
void atw_returned(atw_call *call);
void atw_end(atw_call *call);
/* What is called within it is done for another activity. */
void atw_works_for(atw_call *call, uint64_t id);
/* Another activity of the same time within a call, for a starting one that ended in it. */
void atw_end_other(atw_call *call, const atw_activity *activity);

#endif /* ATW_H */
