/*
 * What a node counts, from texts of /proc; and what was done between two looks.
 *
 * Counters only grow.  One that is smaller than before was set back, and has counted nothing; what
 * was not there at the last look (a disk, a mount) has counted nothing either.
 */

#ifndef COLLECT_COUNTERS_H
#define COLLECT_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ITEMS_MOST = 64, ITEM_NAME = 64 };

typedef struct item {
    char name[ITEM_NAME];
    uint64_t in, out; /* bytes: received and sent, or read and written */
    uint64_t busy;    /* ms; disks alone */
} item;

typedef enum item_kind { ITEM_NETWORK, ITEM_DISK, ITEM_LUSTRE, ITEM_NFS, ITEM_KINDS } item_kind;

typedef struct item_list {
    size_t count;
    item items[ITEMS_MOST]; /* what there is more is left out */
} item_list;

typedef struct look {
    uint64_t cpu_busy, cpu_wait, cpu_all;                  /* ticks of all processors */
    uint64_t memory_total, memory_available, memory_dirty; /* bytes */
    item_list lists[ITEM_KINDS];
    double network_capacity; /* bytes/s in each direction; 0: not known */
} look;

/* --- texts; what is not understood is left out */

void counters_stat(const char *text, look *look);    /* /proc/stat */
void counters_meminfo(const char *text, look *look); /* /proc/meminfo */

/* Whether a device counts: those that stand for others do not. */
typedef bool counters_wanted(const char *name, void *context);

void counters_net(const char *text, counters_wanted *wanted, void *context, item_list *list);
void counters_disks(const char *text, counters_wanted *wanted, void *context, item_list *list);
void counters_nfs(const char *text, item_list *list); /* /proc/self/mountstats */
/* A mount's llite.*.stats. */
void counters_lustre(const char *text, const char *name, item_list *list);
/* Adds to the item of that name, or makes it. */
void counters_add(item_list *list, const char *name, uint64_t in, uint64_t out, uint64_t busy);

/* --- samples */

/* Shares of 1, bytes, and bytes a second. */
#define SAMPLE_VALUES                                                                              \
    X(CPU, "cpu")                                                                                  \
    X(MEMORY, "memory")                                                                            \
    X(NETWORK, "network")                                                                          \
    X(IO, "io")                                                                                    \
    X(CPU_WAIT, "cpu_wait")                                                                        \
    X(MEMORY_USED, "memory_used")                                                                  \
    X(MEMORY_DIRTY, "memory_dirty")                                                                \
    X(NETWORK_IN, "network_in")                                                                    \
    X(NETWORK_OUT, "network_out")                                                                  \
    X(DISK_READ, "disk_read")                                                                      \
    X(DISK_WRITTEN, "disk_written")                                                                \
    X(LUSTRE_READ, "lustre_read")                                                                  \
    X(LUSTRE_WRITTEN, "lustre_written")                                                            \
    X(NFS_READ, "nfs_read")                                                                        \
    X(NFS_WRITTEN, "nfs_written")

#define X(name, text) SAMPLE_##name,
enum { SAMPLE_VALUES SAMPLE_COUNT };
#undef X

/* The four percentages are the first. */
enum { SAMPLE_SHARES = SAMPLE_IO + 1 };

extern const char *const sample_names[SAMPLE_COUNT];

typedef struct sample {
    double seconds; /* that it is of */
    double values[SAMPLE_COUNT];
} sample;

/* The most that was ever seen, bytes/s, for what has no known capacity. */
typedef struct peaks {
    double network, remote;
} peaks;

void sample_between(const look *before, const look *after, double seconds, peaks *peaks,
                    sample *sample_p);

#endif /* COLLECT_COUNTERS_H */
