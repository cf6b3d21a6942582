/*
 * The layout of a file: where it is kept, who gives it, who has to wait for it.
 *
 * It lives in an extended attribute of the file below, so all processes see
 * the same one; creating that attribute is what decides between two of them
 * that set a layout at the same time.  A file that was created late, without a
 * layout, has another attribute; one that has neither was created by a call that
 * is not interposed, and has the default layout as soon as somebody looks.
 */

#include "standin.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define LAYOUT_ATTRIBUTE "user.standin.lov"
#define LATE_ATTRIBUTE "user.standin.late"
#define SETTER_ATTRIBUTE "user.standin.client" /* that set the layout; none: the only one */
#define COMPOSITE_MAGIC 0x0bd60bd0

/* Bytes of the largest layout as it is told. */
#define STANDIN_DESCRIPTION                                                                        \
    (sizeof(struct lov_user_md_v3) + LOV_MAX_STRIPE_COUNT * sizeof(struct lov_user_ost_data_v1))

/* MDTs that LL_IOC_GETOBDCOUNT reports for a file system with one */
#define REPORTED_MDTS 64

static int explain(int err)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;

    if (err == ENOTSUP && !atomic_flag_test_and_set(&said))
        fprintf(stderr, "standin: the directory shown as Lustre is on a file system without user "
                        "extended attributes, which hold the layouts\n");
    return err;
}

/* Reads by name, since fd may be an O_PATH one. */
static int load(int fd, struct standin_layout *layout)
{
    unsigned char packed[sizeof *layout];
    char name[32];
    ssize_t bytes;

    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    bytes = NEXT(getxattr)(name, LAYOUT_ATTRIBUTE, packed, sizeof packed);
    if (bytes < 0)
        return explain(errno);
    return standin_layout_unpack(packed, (size_t) bytes, layout) ? 0 : EIO;
}

static int store(int fd, struct standin_layout *layout)
{
    unsigned char packed[sizeof *layout];
    uint32_t client;
    char name[32];
    size_t bytes;

    if (standin_config()->times && getrandom(&layout->id, sizeof layout->id, 0) < 0)
        layout->id = 0;
    bytes = standin_layout_pack(layout, packed);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (NEXT(setxattr)(name, LAYOUT_ATTRIBUTE, packed, bytes, XATTR_CREATE))
        return explain(errno);
    client = standin_client();
    if (client != 0)
        NEXT(setxattr)(name, SETTER_ATTRIBUTE, &client, sizeof client, 0);
    return 0;
}

/* What a new file in the directory of this one gets. */
static void make_default(int fd, uint64_t inode, struct standin_layout *layout)
{
    struct standin_default usual;

    if (standin_default_for(fd, &usual) ||
        standin_layout_from_request(usual.lum, usual.size, inode, layout))
        standin_layout_default(inode, layout);
}

/* A file that this process may write but whose mode forbids it (created with
 * 0444) takes no attribute.  That is no loss: the default layout is the same
 * each time it is worked out. */
static int give_default(int fd, uint64_t inode, struct standin_layout *layout)
{
    int err;

    make_default(fd, inode, layout);
    err = store(fd, layout);
    if (err == EEXIST)
        return load(fd, layout);
    return err == EACCES || err == EPERM || err == EROFS ? 0 : err;
}

/* The mark holds the blocks that the file has without data, since attributes
 * may take some. */
static void mark_late(int fd)
{
    uint64_t blocks = 0;
    struct stat st;

    if (NEXT(fsetxattr)(fd, LATE_ATTRIBUTE, &blocks, sizeof blocks, 0) == 0 &&
        NEXT(fstat)(fd, &st) == 0 && st.st_blocks > 0) {
        blocks = (uint64_t) st.st_blocks;
        NEXT(fsetxattr)(fd, LATE_ATTRIBUTE, &blocks, sizeof blocks, 0);
    }
}

/* Data that came by a call that is not interposed (stdio, mmap, splice) came,
 * on Lustre, to a file with the default layout. */
static bool waits(int fd, const struct stat *st)
{
    uint64_t blocks;
    char name[32];

    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return NEXT(getxattr)(name, LATE_ATTRIBUTE, &blocks, sizeof blocks) == sizeof blocks &&
           (uint64_t) st->st_blocks <= blocks;
}

/* The file may have been created a moment ago and not have its mark yet. */
static int give_missed(int fd, struct standin_layout *layout, const struct stat *st)
{
    int gate = standin_gate_enter();
    int err = load(fd, layout);

    if (err == ENODATA && !waits(fd, st))
        err = give_default(fd, st->st_ino, layout);
    standin_gate_leave(gate);
    return err;
}

static int find(int fd, struct standin_layout *layout, struct stat *st)
{
    int err;

    if (NEXT(fstat)(fd, st))
        return errno;
    if (!S_ISREG(st->st_mode))
        return S_ISDIR(st->st_mode) ? EISDIR : ENODATA;
    err = load(fd, layout);
    if (err == ENODATA && !waits(fd, st))
        err = give_missed(fd, layout, st);
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

/* A file's own layout has the pool of its directory, where it names none. */
static void keep_pool(int fd, struct standin_layout *layout)
{
    struct standin_default usual;
    struct standin_layout made;

    if (layout->pool[0] || layout->composite_size || standin_default_for(fd, &usual) ||
        standin_layout_from_request(usual.lum, usual.size, 0, &made) || made.composite_size)
        return;
    memcpy(layout->pool, made.pool, sizeof layout->pool);
}

static int set(int fd, const void *lum, size_t size)
{
    struct standin_layout layout;
    struct stat st;
    int err = find(fd, &layout, &st);

    if (err == EISDIR)
        return standin_default_set(fd, lum, size);
    if (err != ENODATA)
        return err ? err : EEXIST;
    if (!S_ISREG(st.st_mode))
        return ENOTSUP;
    if (st.st_nlink == 0) /* the MDT finds no name */
        return ESTALE;
    err = standin_layout_from_request(lum, size, st.st_ino, &layout);
    if (err)
        return err;
    keep_pool(fd, &layout);
    return store(fd, &layout);
}

int standin_lustre_set(int fd, const void *lum, size_t size)
{
    int saved_errno = errno;
    int err = set(fd, lum, size);

    errno = saved_errno;
    return err;
}

void standin_lustre_created(int fd, bool late)
{
    int saved_errno = errno;
    struct standin_layout layout;
    struct stat st;

    if (late)
        mark_late(fd);
    else if (NEXT(fstat)(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink > 0)
        give_default(fd, st.st_ino, &layout);
    errno = saved_errno;
}

bool standin_lustre_is_late(int dirfd, const char *path)
{
    int saved_errno = errno;
    struct standin_layout layout;
    struct stat st;
    int fd = standin_open_path(dirfd, path);
    bool late = fd >= 0 && standin_fs_of_fd(fd) == STANDIN_LUSTRE &&
                find(fd, &layout, &st) == ENODATA && S_ISREG(st.st_mode);

    if (fd >= 0)
        standin_close_path(fd);
    errno = saved_errno;
    return late;
}

void standin_lustre_opened(int fd)
{
    int saved_errno = errno;
    struct standin_layout layout;
    struct stat st;

    if (fd >= 0 && standin_config()->shows[STANDIN_LUSTRE] && standin_client() != 0 &&
        standin_fs_of_fd(fd) == STANDIN_LUSTRE)
        standin_set_early(fd, find(fd, &layout, &st) == ENODATA);
    errno = saved_errno;
}

static bool is_set_elsewhere(int fd)
{
    int saved_errno = errno;
    uint32_t client;
    char name[32];
    ssize_t size;

    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    size = NEXT(getxattr)(name, SETTER_ATTRIBUTE, &client, sizeof client);
    errno = saved_errno;
    return size == sizeof client && client != standin_client();
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
    if (err == ENODATA)
        return S_ISREG(st.st_mode) ? EBADF : 0;
    return err;
}

bool standin_lustre_may_write(int fd)
{
    int saved_errno = errno;
    int err;

    if (standin_is_settled(fd))
        return true;
    err = standin_config()->shows[STANDIN_LUSTRE] ? prepare_write(fd) : 0;
    if (err == 0)
        standin_set_settled(fd, true);
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

/* --- what the user is told --- */

static int copy_out(const void *from, size_t size, void *to, size_t room, size_t *size_p)
{
    if (room > 0 && room < size)
        return ERANGE;
    if (room > 0)
        memcpy(to, from, size);
    *size_p = size;
    return 0;
}

/* plain: a composite layout of a file as if its last component were all of it */
static int describe(int fd, bool plain, void *value, size_t room, size_t *size_p)
{
    static _Thread_local unsigned char told[STANDIN_DESCRIPTION];
    struct standin_default usual;
    struct standin_layout layout;
    uint64_t inode;
    int err = standin_lustre_get(fd, &layout, &inode);

    if (err == EISDIR) {
        err = standin_default_get(fd, &usual);
        return err ? err : copy_out(usual.lum, usual.size, value, room, size_p);
    }
    if (err)
        return err;
    if (standin_is_early(fd) && is_set_elsewhere(fd))
        return ENODATA;
    if (layout.composite_size && !plain)
        return copy_out(layout.composite, layout.composite_size, value, room, size_p);
    standin_layout_to_user(&layout, inode, told);
    return copy_out(told, standin_layout_user_size(&layout), value, room, size_p);
}

int standin_lustre_attribute(int fd, void *value, size_t room, size_t *size_p)
{
    return describe(fd, false, value, room, size_p);
}

/* Room for as many objects as the caller's magic and count say (lov_pack.c, lov_getstripe): with a
 * count of 0, for none.  A directory's default is copied whole. */
static size_t room_of(int fd, const struct lov_user_md_v1 *lum)
{
    size_t header = lum->lmm_magic == LOV_USER_MAGIC_V1 ? sizeof(struct lov_user_md_v1)
                                                        : sizeof(struct lov_user_md_v3);
    struct stat st;

    if (lum->lmm_magic == COMPOSITE_MAGIC || (NEXT(fstat)(fd, &st) == 0 && S_ISDIR(st.st_mode)))
        return SIZE_MAX;
    return header + lum->lmm_stripe_count * sizeof(struct lov_user_ost_data_v1);
}

static int get_stripe(int fd, struct lov_user_md_v1 *lum)
{
    static _Thread_local unsigned char told[STANDIN_DESCRIPTION];
    size_t room = room_of(fd, lum), size;
    int err = describe(fd, lum->lmm_magic != COMPOSITE_MAGIC, told, sizeof told, &size);

    if (err == 0)
        memcpy(lum, told, room < size ? room : size);
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
