/*
 * Private to the file-system stand-in: a library for LD_PRELOAD that shows
 * directory trees as Lustre, GPFS or NFS to the programs of the test suite.
 * README.md says what it reproduces.
 *
 *   standin_config.c  the environment, and which path is which file system
 *   standin_layout.c  Lustre layouts: from a request to OSTs and back; no I/O
 *   standin_lustre.c  the layout of a file: kept, looked up, asked for, awaited
 *   standin_default.c the layouts that directories give to their files
 *   standin_descriptors.c what is known of open descriptors
 *   standin_client.c  which processes are one client, and what it holds open
 *   standin_obd.c     the state of the OSTs
 *   standin_calls.c   the interposed libc functions that open, write and stripe
 *   standin_stat.c    the interposed libc functions that describe files
 *   standin_time.h    what takes time, in files of its own
 *
 * Functions returning int give 0 or an errno value unless they say otherwise,
 * and leave errno alone.
 */

#ifndef STANDIN_H
#define STANDIN_H

/* The interposed functions are defined under their own names, which libc's
 * headers must therefore leave as they are. */
#undef _FORTIFY_SOURCE
#undef _FILE_OFFSET_BITS
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <lustre/lustre_user.h>

#pragma GCC visibility push(hidden)

/* The function that NAME would be without the stand-in. */
#define NEXT(name)                                                                                 \
    ({                                                                                             \
        static void *next_;                                                                        \
        (__typeof__(&name)) standin_next(&next_, #name);                                           \
    })
void *standin_next(void **slot, const char *name);

enum standin_fs { STANDIN_NONE, STANDIN_LUSTRE, STANDIN_GPFS, STANDIN_NFS };

struct iovec;
struct standin_times;

struct standin_config {
    bool shows[STANDIN_NFS + 1]; /* whether any directory is shown so */
    unsigned ost_count;
    uint16_t default_count; /* as in lmm_stripe_count */
    uint32_t default_size;
    bool no_overstriping;
    uint32_t gpfs_blksize;
    const struct standin_times *times; /* NULL: calls take no time */
};

/* Read from the environment at the first call. */
const struct standin_config *standin_config(void);

/* As which file system the file is shown; STANDIN_NONE if there is no such file. */
enum standin_fs standin_fs_of_fd(int fd);
enum standin_fs standin_fs_of_path(int dirfd, const char *path);

/* The name of the file that FD is open on; name has room for PATH_MAX. */
bool standin_name_of_fd(int fd, char *name);

/* The first directory that is shown as Lustre, and the one that NAME is in. */
const char *standin_lustre_root(void);
const char *standin_root_of(const char *name);

/* An fd for PATH that can only be looked at (O_PATH), or -1. */
int standin_open_path(int dirfd, const char *path);
void standin_close_path(int fd);

/* The largest composite layout that is taken. */
#define STANDIN_COMPOSITE 2048

/* A composite layout is kept as it was given; all else about it is that of its
 * last component. */
struct standin_layout {
    uint64_t id; /* of the file, which inode numbers are not for long; 0: none */
    uint32_t stripe_size;
    uint16_t pattern;
    uint16_t stripe_count;
    char pool[LOV_MAXPOOLNAME + 1];
    uint16_t ost[LOV_MAX_STRIPE_COUNT];
    uint32_t composite_size; /* 0: a plain one */
    unsigned char composite[STANDIN_COMPOSITE];
};

/* As kept with the file: what is used of the arrays.  packed has room for a
 * standin_layout. */
size_t standin_layout_pack(const struct standin_layout *layout, void *packed);
bool standin_layout_unpack(const void *packed, size_t size, struct standin_layout *layout);

/* The layout asked for by a lov_user_md of at most SIZE bytes.  SEED places
 * the first stripe where the request leaves that open. */
int standin_layout_from_request(const void *lum, size_t size, uint64_t seed,
                                struct standin_layout *layout);
void standin_layout_default(uint64_t seed, struct standin_layout *layout);

/* How long a request is that begins so; 0: not understood. */
size_t standin_layout_request_size(const void *lum, size_t size);

/* The lov_user_md that describes LAYOUT to the user, and its size. */
size_t standin_layout_user_size(const struct standin_layout *layout);
void standin_layout_to_user(const struct standin_layout *layout, uint64_t object_id, void *lum);

/* The default layout of a directory, as it was set. */
struct standin_default {
    size_t size;
    unsigned char lum[STANDIN_COMPOSITE];
};

/* Default of the directory fd, or of the root of its file system; ENODATA: none. */
int standin_default_get(int fd, struct standin_default *found);
int standin_default_set(int fd, const void *lum, size_t size);
/* The same for the directory that the file fd is in. */
int standin_default_for(int fd, struct standin_default *found);

/* ENODATA while the file has no layout; EISDIR for directories. */
int standin_lustre_get(int fd, struct standin_layout *layout, uint64_t *inode_p);
int standin_lustre_set(int fd, const void *lum, size_t size);

/* The attribute lustre.lov of a file or directory; room 0 asks for its size. */
int standin_lustre_attribute(int fd, void *value, size_t room, size_t *size_p);

/* A file was created by this process: late, without objects, or with them. */
void standin_lustre_created(int fd, bool late);

/* Whether PATH is a file that waits for its layout. */
bool standin_lustre_is_late(int dirfd, const char *path);

/* Whether a write through FD may go on; if not, errno says why. */
bool standin_lustre_may_write(int fd);

/* One process at a time is between these; leave takes what enter gave. */
int standin_gate_enter(void);
void standin_gate_leave(int gate);

/* A number for this client; 0 if it has no name, and is the only one. */
uint32_t standin_client(void);

/* Whether a process of this client has PATH open for writing. */
bool standin_client_writes(int dirfd, const char *path);

/* FD needs no look before a write: it is outside of every Lustre tree, or of a file
 * with a layout, which no file loses.  Not to know it only costs time. */
bool standin_is_settled(int fd);
void standin_set_settled(int fd, bool value);

/* FD was opened when its file had no layout, and not used since. */
bool standin_is_early(int fd);
void standin_set_early(int fd, bool value);

/* FD is a new descriptor, or none any more. */
void standin_lustre_forget(int fd);

/* FD was opened; something was read or written through it.  One that was opened
 * before another client set the layout shows none in between. */
void standin_lustre_opened(int fd);
void standin_lustre_accessed(int fd);
void standin_time_forget(int fd);

/* Around a call that moves SIZE bytes at AT (-1: where the file pointer is):
 * what begin gives is the time until which end sleeps. */
uint64_t standin_time_begin(int fd, bool write, off_t at, size_t size);
void standin_time_end(uint64_t done);
/* Until when a sync of FD sleeps: what caches hold is on the disks then. */
uint64_t standin_time_sync(int fd);
size_t standin_time_bytes(const struct iovec *v, int n);

/* ENOTTY: not an ioctl of Lustre, or not one that the stand-in knows. */
int standin_lustre_ioctl(int fd, unsigned long request, void *arg);

/* IOC_OBD_STATFS */
#define STANDIN_IOC_OBD_STATFS _IOWR('f', 164, long)
int standin_obd_statfs(int fd, const void *arg);

#pragma GCC visibility pop

#endif /* STANDIN_H */
