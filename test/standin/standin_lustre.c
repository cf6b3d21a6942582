/*
 * The layout of a file: where it is kept, who gives it, who has to wait for it.
 *
 * It lives in an extended attribute of the file below, so all processes see
 * the same one; creating that attribute is what decides between two of them
 * that set a layout at the same time.
 */

#include "standin.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define LAYOUT_ATTRIBUTE "user.standin.lov"

/* MDTs that LL_IOC_GETOBDCOUNT reports for a file system with one */
#define REPORTED_MDTS 64

/* Descriptors known to need no look before a write: outside of every Lustre
 * tree, or of a file with a layout, which no file loses.  A descriptor is
 * always allowed to be unknown (false), it only costs time; so is one past the
 * end. */
static atomic_bool settled[4096];

static bool is_settled(int fd)
{
    return fd >= 0 && fd < (int) (sizeof settled / sizeof settled[0]) &&
           atomic_load_explicit(&settled[fd], memory_order_relaxed);
}

static void set_settled(int fd, bool value)
{
    if (fd >= 0 && fd < (int) (sizeof settled / sizeof settled[0]))
        atomic_store_explicit(&settled[fd], value, memory_order_relaxed);
}

void standin_lustre_forget(int fd)
{
    set_settled(fd, false);
    standin_time_forget(fd);
}

static int explain(int err)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;

    if (err == ENOTSUP && !atomic_flag_test_and_set(&said))
        fprintf(stderr, "standin: the directory shown as Lustre is on a file system without user "
                        "extended attributes, which hold the layouts\n");
    return err;
}

/* By name, since fd may be an O_PATH one. */
static int load(int fd, struct standin_layout *layout)
{
    char name[32];
    ssize_t bytes;

    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    bytes = NEXT(getxattr)(name, LAYOUT_ATTRIBUTE, layout, sizeof *layout);
    if (bytes < 0)
        return explain(errno);
    if (bytes < (ssize_t) offsetof(struct standin_layout, ost) ||
        bytes != (ssize_t) standin_layout_bytes(layout))
        return EIO;
    return 0;
}

static int store(int fd, struct standin_layout *layout)
{
    char name[32];

    if (standin_config()->times && getrandom(&layout->id, sizeof layout->id, 0) < 0)
        layout->id = 0;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (NEXT(setxattr)(name, LAYOUT_ATTRIBUTE, layout, standin_layout_bytes(layout), XATTR_CREATE))
        return explain(errno);
    return 0;
}

/* A file that this process may write but whose mode forbids it (created with
 * 0444) takes no attribute.  That is no loss: the default layout is the same
 * each time it is worked out. */
static int give_default(int fd, uint64_t inode, struct standin_layout *layout)
{
    int err;

    standin_layout_default(inode, layout);
    err = store(fd, layout);
    if (err == EEXIST)
        return load(fd, layout);
    return err == EACCES || err == EPERM || err == EROFS ? 0 : err;
}

/* A file with data but no layout got the data by a call that is not
 * interposed (stdio, mmap, splice) or from a process without the stand-in; on
 * Lustre it would have the default layout. */
static int find(int fd, struct standin_layout *layout, struct stat *st)
{
    int err;

    if (NEXT(fstat)(fd, st))
        return errno;
    if (!S_ISREG(st->st_mode))
        return ENODATA;
    err = load(fd, layout);
    if (err == ENODATA && st->st_blocks > 0)
        err = give_default(fd, st->st_ino, layout);
    return err;
}

int standin_lustre_get(int fd, struct standin_layout *layout, uint64_t *inode_p)
{
    int saved_errno = errno;
    struct stat st;
    int err = find(fd, layout, &st);

    if (err == 0)
        *inode_p = st.st_ino;
    errno = saved_errno;
    return err;
}

static int set(int fd, const void *lum, size_t size)
{
    struct standin_layout layout;
    struct stat st;
    int err = find(fd, &layout, &st);

    if (err != ENODATA)
        return err ? err : EEXIST;
    if (!S_ISREG(st.st_mode))
        return ENOTSUP;
    err = standin_layout_from_request(lum, size, st.st_ino, &layout);
    return err ? err : store(fd, &layout);
}

int standin_lustre_set(int fd, const void *lum, size_t size)
{
    int saved_errno = errno;
    int err = set(fd, lum, size);

    errno = saved_errno;
    return err;
}

void standin_lustre_created(int fd)
{
    int saved_errno = errno;
    struct standin_layout layout;
    struct stat st;

    if (NEXT(fstat)(fd, &st) == 0 && S_ISREG(st.st_mode))
        give_default(fd, st.st_ino, &layout);
    errno = saved_errno;
}

/* Of the two bits of O_LOV_DELAY_CREATE the kernel keeps O_ASYNC in the open
 * file, where dup and fork share it. */
static bool waits_for_layout(int flags)
{
    return flags & O_ASYNC;
}

static int prepare_write(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    struct standin_layout layout;
    struct stat st;
    int err;

    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || standin_fs_of_fd(fd) != STANDIN_LUSTRE)
        return 0;
    err = find(fd, &layout, &st);
    if (err != ENODATA)
        return err;
    if (!S_ISREG(st.st_mode))
        return 0;
    return waits_for_layout(flags) ? EBADF : give_default(fd, st.st_ino, &layout);
}

bool standin_lustre_may_write(int fd)
{
    int saved_errno = errno;
    int err;

    if (is_settled(fd))
        return true;
    err = standin_config()->shows[STANDIN_LUSTRE] ? prepare_write(fd) : 0;
    if (err == 0)
        set_settled(fd, true);
    errno = err ? err : saved_errno;
    return err == 0;
}

static int count_targets(int fd, int32_t *count)
{
    struct stat st;

    if (NEXT(fstat)(fd, &st))
        return EBADF;
    if (!S_ISDIR(st.st_mode))
        return ENOTTY;
    *count = *count ? REPORTED_MDTS : (int32_t) standin_config()->ost_count;
    return 0;
}

static int get_stripe(int fd, void *lum)
{
    struct standin_layout layout;
    uint64_t inode;
    int err = standin_lustre_get(fd, &layout, &inode);

    /* The size of the caller's buffer is not known; Lustre does not ask either. */
    if (err == 0)
        standin_layout_to_user(&layout, inode, lum);
    return err;
}

int standin_lustre_ioctl(int fd, unsigned long request, void *arg)
{
    /* callers that keep the number in an int pass it sign-extended */
    request = (uint32_t) request;
    if (_IOC_TYPE(request) != 'f' || standin_fs_of_fd(fd) != STANDIN_LUSTRE)
        return ENOTTY;
    switch (request) {
        case LL_IOC_LOV_SETSTRIPE:
            return standin_lustre_set(fd, arg, SIZE_MAX);
        case LL_IOC_LOV_GETSTRIPE:
            return get_stripe(fd, arg);
        case LL_IOC_GETOBDCOUNT:
            return count_targets(fd, arg);
        case STANDIN_IOC_OBD_STATFS:
            return standin_obd_statfs(fd, arg);
        default:
            return ENOTTY;
    }
}
