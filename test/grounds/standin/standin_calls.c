/*
 * The interposed libc functions that matter to Lustre's layouts: opening,
 * writing, ioctl and extended attributes, on 64-bit Linux with glibc.  Calls
 * that glibc makes inside itself (stdio, mkstemp) are not seen.
 */

#include "standin.h"

#include <aio.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) == sizeof(off64_t), "the calls named 64 are the same as the others");

static int result(int err)
{
    if (err)
        errno = err;
    return err ? -1 : 0;
}

/* --- open, close, dup --- */

static bool parent_is_lustre(int dirfd, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t) (slash - path) + 1 : 0;
    char parent[PATH_MAX];

    if (!standin_config()->shows[STANDIN_LUSTRE] || length + 2 > sizeof parent)
        return false;
    memcpy(parent, path, length);
    strcpy(parent + length, ".");
    return standin_fs_of_path(dirfd, parent) == STANDIN_LUSTRE;
}

/* Where the dangling link at path leads; false if path is none. */
static bool dangling_target(int dirfd, const char *path, char *target)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t) (slash - path) + 1 : 0;
    char link[PATH_MAX];
    ssize_t size;

    if (faccessat(dirfd, path, F_OK, 0) == 0 || errno != ENOENT)
        return false;
    size = readlinkat(dirfd, path, link, sizeof link - 1);
    if (size < 0)
        return false;
    link[size] = 0;
    if (link[0] == '/')
        length = 0;
    if (length + (size_t) size >= PATH_MAX)
        return false;
    memcpy(target, path, length);
    strcpy(target + length, link);
    return true;
}

static int open_any(int dirfd, const char *path, int flags, mode_t mode);

static bool is_delayed(int flags)
{
    return (flags & O_LOV_DELAY_CREATE) == O_LOV_DELAY_CREATE;
}

/* A plain open for writing gives the default layout to a file that waits for
 * one, but not while the same client has the file open for writing already.  Of
 * several such opens the first is alone. */
static int open_late_plainly(int dirfd, const char *path, int flags, mode_t mode)
{
    int gate = standin_gate_enter();
    bool held = standin_client_writes(dirfd, path);
    int fd = NEXT(openat)(dirfd, path, flags, mode);

    if (fd >= 0 && !held)
        standin_lustre_created(fd, false);
    standin_gate_leave(gate);
    return fd;
}

static int open_found(int dirfd, const char *path, int flags, mode_t mode)
{
    bool writes = (flags & O_ACCMODE) != O_RDONLY && !(flags & O_PATH);

    if (writes && !is_delayed(flags) && path && standin_config()->shows[STANDIN_LUSTRE] &&
        standin_lustre_is_late(dirfd, path))
        return open_late_plainly(dirfd, path, flags, mode);
    return NEXT(openat)(dirfd, path, flags, mode);
}

/* Whoever creates a file decides whether it has a layout, so it must be known to be created by this
 * call.  A file that another process removes and this call creates again counts as one that nobody
 * saw being created. */
static int create_on_lustre(int dirfd, const char *path, int flags, mode_t mode)
{
    int saved_errno = errno;
    int gate = is_delayed(flags) ? standin_gate_enter() : -1;
    int fd = NEXT(openat)(dirfd, path, flags | O_EXCL, mode);
    char target[PATH_MAX];

    if (fd >= 0)
        standin_lustre_created(fd, is_delayed(flags));
    standin_gate_leave(gate);
    if (fd < 0 && errno == EEXIST && !(flags & O_EXCL)) {
        if (dangling_target(dirfd, path, target))
            return open_any(dirfd, target, flags, mode);
        errno = saved_errno;
        return open_found(dirfd, path, flags, mode);
    }
    return fd;
}

static int open_any(int dirfd, const char *path, int flags, mode_t mode)
{
    int fd;

    if ((flags & O_CREAT) && path && parent_is_lustre(dirfd, path))
        fd = create_on_lustre(dirfd, path, flags, mode);
    else
        fd = open_found(dirfd, path, flags, mode);
    standin_lustre_forget(fd);
    standin_lustre_opened(fd);
    return fd;
}

#define OPEN(name, dirfd, params)                                                                  \
    int name params                                                                                \
    {                                                                                              \
        mode_t mode = 0;                                                                           \
        if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {                               \
            va_list args;                                                                          \
            va_start(args, flags);                                                                 \
            mode = va_arg(args, mode_t);                                                           \
            va_end(args);                                                                          \
        }                                                                                          \
        return open_any(dirfd, path, flags, mode);                                                 \
    }

OPEN(open, AT_FDCWD, (const char *path, int flags, ...))
OPEN(open64, AT_FDCWD, (const char *path, int flags, ...))
OPEN(openat, dirfd, (int dirfd, const char *path, int flags, ...))
OPEN(openat64, dirfd, (int dirfd, const char *path, int flags, ...))

int creat(const char *path, mode_t mode)
{
    return open_any(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int creat64(const char *path, mode_t mode)
{
    return open_any(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

/* what _FORTIFY_SOURCE makes of open without a mode */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dirfd, const char *path, int flags);
int __openat64_2(int dirfd, const char *path, int flags);

int __open_2(const char *path, int flags)
{
    return open_any(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
    return open_any(AT_FDCWD, path, flags, 0);
}

int __openat_2(int dirfd, const char *path, int flags)
{
    return open_any(dirfd, path, flags, 0);
}

int __openat64_2(int dirfd, const char *path, int flags)
{
    return open_any(dirfd, path, flags, 0);
}

/* dup and F_DUPFD give a number that was closed before, and so is forgotten. */
int close(int fd)
{
    standin_lustre_forget(fd);
    return NEXT(close)(fd);
}

int dup2(int from, int to)
{
    standin_lustre_forget(to);
    return NEXT(dup2)(from, to);
}

int dup3(int from, int to, int flags)
{
    standin_lustre_forget(to);
    return NEXT(dup3)(from, to, flags);
}

/* --- reading and writing --- */

/* Time is that of the OSTs, not of the call below, which it covers. */
#define MOVE(name, params, args, may, write, at, size)                                             \
    ssize_t name params                                                                            \
    {                                                                                              \
        uint64_t done;                                                                             \
        ssize_t moved;                                                                             \
        if (!(may))                                                                                \
            return -1;                                                                             \
        standin_lustre_accessed(fd);                                                               \
        done = standin_time_begin(fd, write, at, size);                                            \
        moved = NEXT(name) args;                                                                   \
        standin_time_end(done);                                                                    \
        return moved;                                                                              \
    }
#define WRITE(name, params, args, at, size)                                                        \
    MOVE(name, params, args, standin_lustre_may_write(fd), true, at, size)
#define READ(name, params, args, at, size) MOVE(name, params, args, true, false, at, size)
#define BYTES standin_time_bytes(v, n)

WRITE(write, (int fd, const void *buf, size_t size), (fd, buf, size), -1, size)
WRITE(pwrite, (int fd, const void *buf, size_t size, off_t at), (fd, buf, size, at), at, size)
WRITE(pwrite64, (int fd, const void *buf, size_t size, off64_t at), (fd, buf, size, at), at, size)
WRITE(writev, (int fd, const struct iovec *v, int n), (fd, v, n), -1, BYTES)
WRITE(pwritev, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at), at, BYTES)
WRITE(pwritev64, (int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at), at, BYTES)
WRITE(pwritev2, (int fd, const struct iovec *v, int n, off_t at, int flags), (fd, v, n, at, flags),
      at, BYTES)
WRITE(pwritev64v2, (int fd, const struct iovec *v, int n, off64_t at, int flags),
      (fd, v, n, at, flags), at, BYTES)

READ(read, (int fd, void *buf, size_t size), (fd, buf, size), -1, size)
READ(pread, (int fd, void *buf, size_t size, off_t at), (fd, buf, size, at), at, size)
READ(pread64, (int fd, void *buf, size_t size, off64_t at), (fd, buf, size, at), at, size)
READ(readv, (int fd, const struct iovec *v, int n), (fd, v, n), -1, BYTES)
READ(preadv, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at), at, BYTES)
READ(preadv64, (int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at), at, BYTES)
READ(preadv2, (int fd, const struct iovec *v, int n, off_t at, int flags), (fd, v, n, at, flags),
     at, BYTES)
READ(preadv64v2, (int fd, const struct iovec *v, int n, off64_t at, int flags),
     (fd, v, n, at, flags), at, BYTES)

/* what _FORTIFY_SOURCE makes of reads */
ssize_t __read_chk(int fd, void *buf, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *buf, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *buf, size_t size, off64_t at, size_t room);

READ(__read_chk, (int fd, void *buf, size_t size, size_t room), (fd, buf, size, room), -1, size)
READ(__pread_chk, (int fd, void *buf, size_t size, off_t at, size_t room),
     (fd, buf, size, at, room), at, size)
READ(__pread64_chk, (int fd, void *buf, size_t size, off64_t at, size_t room),
     (fd, buf, size, at, room), at, size)

/* --- syncs, which wait for what was written before they began --- */

#define SYNC(name)                                                                                 \
    int name(int fd)                                                                               \
    {                                                                                              \
        uint64_t done = standin_time_sync(fd);                                                     \
        int rc = NEXT(name)(fd);                                                                   \
        standin_time_end(done);                                                                    \
        return rc;                                                                                 \
    }

SYNC(fsync)
SYNC(fdatasync)

/* --- writing that takes no time --- */

int fallocate(int fd, int mode, off_t at, off_t size)
{
    return standin_lustre_may_write(fd) ? NEXT(fallocate)(fd, mode, at, size) : -1;
}

int fallocate64(int fd, int mode, off64_t at, off64_t size)
{
    return standin_lustre_may_write(fd) ? NEXT(fallocate64)(fd, mode, at, size) : -1;
}

int aio_write(struct aiocb *request)
{
    return standin_lustre_may_write(request->aio_fildes) ? NEXT(aio_write)(request) : -1;
}

int aio_write64(struct aiocb64 *request)
{
    return standin_lustre_may_write(request->aio_fildes) ? NEXT(aio_write64)(request) : -1;
}

/* --- asking for and setting a layout --- */

int ioctl(int fd, unsigned long request, ...)
{
    va_list args;
    void *arg;
    int err;

    va_start(args, request);
    arg = va_arg(args, void *);
    va_end(args);
    err = standin_lustre_ioctl(fd, request, arg);
    return err == ENOTTY ? NEXT(ioctl)(fd, request, arg) : result(err);
}

/* As "trusted.lov" a layout is there for root alone. */
static bool is_layout_attribute(const char *name)
{
    return strcmp(name, "lustre.lov") == 0 || (strcmp(name, "trusted.lov") == 0 && geteuid() == 0);
}

static ssize_t get_layout_attribute(int fd, void *value, size_t room)
{
    size_t size;
    int err = standin_lustre_attribute(fd, value, room, &size);

    return err ? result(err) : (ssize_t) size;
}

/* PATH as a descriptor, if it is about a layout on Lustre; else -1. */
static int open_for_layout(const char *path, const char *name)
{
    int fd = is_layout_attribute(name) ? standin_open_path(AT_FDCWD, path) : -1;

    if (fd >= 0 && standin_fs_of_fd(fd) != STANDIN_LUSTRE) {
        standin_close_path(fd);
        fd = -1;
    }
    standin_lustre_forget(fd);
    return fd;
}

ssize_t fgetxattr(int fd, const char *name, void *value, size_t size)
{
    if (is_layout_attribute(name) && standin_fs_of_fd(fd) == STANDIN_LUSTRE)
        return get_layout_attribute(fd, value, size);
    return NEXT(fgetxattr)(fd, name, value, size);
}

ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
{
    int fd = open_for_layout(path, name);
    ssize_t rc;

    if (fd < 0)
        return NEXT(getxattr)(path, name, value, size);
    rc = get_layout_attribute(fd, value, size);
    standin_close_path(fd);
    return rc;
}

int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
    if (is_layout_attribute(name) && standin_fs_of_fd(fd) == STANDIN_LUSTRE)
        return result(standin_lustre_set(fd, value, size));
    return NEXT(fsetxattr)(fd, name, value, size, flags);
}

int setxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
    int fd = open_for_layout(path, name);
    int err;

    if (fd < 0)
        return NEXT(setxattr)(path, name, value, size, flags);
    err = standin_lustre_set(fd, value, size);
    standin_close_path(fd);
    return result(err);
}
