/*
 * The interposed libc functions that describe files: statfs for the magic
 * number of the file system, stat for the block size.  64-bit Linux with
 * glibc 2.33 or newer, where stat is a function of its own.
 */

#include "standin.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

_Static_assert(sizeof(struct stat) == sizeof(struct stat64) &&
                   sizeof(struct statfs) == sizeof(struct statfs64),
               "the calls named 64 are the same as the others");

/* That of Lustre is LL_SUPER_MAGIC. */
#define GPFS_MAGIC 0x47504653
#define NFS_MAGIC 0x6969

/* Measured for the default layout of a real mount; others were not. */
#define LUSTRE_BLKSIZE (4 << 20)

static const unsigned magic[] = {
    [STANDIN_LUSTRE] = LL_SUPER_MAGIC, [STANDIN_GPFS] = GPFS_MAGIC, [STANDIN_NFS] = NFS_MAGIC};

static int show_magic(int rc, enum standin_fs fs, struct statfs *buf)
{
    if (rc == 0 && fs != STANDIN_NONE)
        buf->f_type = magic[fs];
    return rc;
}

int statfs(const char *path, struct statfs *buf)
{
    return show_magic(NEXT(statfs)(path, buf), standin_fs_of_path(AT_FDCWD, path), buf);
}

int statfs64(const char *path, struct statfs64 *buf)
{
    return show_magic(NEXT(statfs64)(path, buf), standin_fs_of_path(AT_FDCWD, path),
                      (struct statfs *) buf);
}

int fstatfs(int fd, struct statfs *buf)
{
    return show_magic(NEXT(fstatfs)(fd, buf), standin_fs_of_fd(fd), buf);
}

int fstatfs64(int fd, struct statfs64 *buf)
{
    return show_magic(NEXT(fstatfs64)(fd, buf), standin_fs_of_fd(fd), (struct statfs *) buf);
}

/* stat -f asks statvfs, which tells the type as well from glibc 2.39 on. */
#if __GLIBC_PREREQ(2, 39)
int statvfs(const char *path, struct statvfs *buf)
{
    int rc = NEXT(statvfs)(path, buf);
    enum standin_fs fs = standin_fs_of_path(AT_FDCWD, path);

    if (rc == 0 && fs != STANDIN_NONE)
        buf->f_type = magic[fs];
    return rc;
}

int statvfs64(const char *path, struct statvfs64 *buf)
{
    return statvfs(path, (struct statvfs *) buf);
}
#endif

static enum standin_fs fs_at(int dirfd, const char *path, int flags)
{
    if ((flags & AT_EMPTY_PATH) && (!path || !*path))
        return standin_fs_of_fd(dirfd);
    return standin_fs_of_path(dirfd, path);
}

/* The block size that a file of MODE has, given the one BELOW.  Only regular
 * files differ, so whether a link was to be followed does not matter. */
static uint32_t shown_blksize(uint32_t below, mode_t mode, int dirfd, const char *path, int flags)
{
    const struct standin_config *config = standin_config();

    if (!S_ISREG(mode) || (!config->shows[STANDIN_LUSTRE] && !config->shows[STANDIN_GPFS]))
        return below;
    switch (fs_at(dirfd, path, flags)) {
        case STANDIN_LUSTRE:
            return LUSTRE_BLKSIZE;
        case STANDIN_GPFS:
            return config->gpfs_blksize;
        default:
            return below;
    }
}

static int show_blksize(int rc, struct stat *st, int dirfd, const char *path, int flags)
{
    if (rc == 0)
        st->st_blksize = shown_blksize(st->st_blksize, st->st_mode, dirfd, path, flags);
    return rc;
}

#define STAT(suffix, type)                                                                         \
    int stat##suffix(const char *path, type *st)                                                   \
    {                                                                                              \
        int rc = NEXT(stat##suffix)(path, st);                                                     \
        return show_blksize(rc, (struct stat *) st, AT_FDCWD, path, 0);                            \
    }                                                                                              \
    int lstat##suffix(const char *path, type *st)                                                  \
    {                                                                                              \
        int rc = NEXT(lstat##suffix)(path, st);                                                    \
        return show_blksize(rc, (struct stat *) st, AT_FDCWD, path, 0);                            \
    }                                                                                              \
    int fstat##suffix(int fd, type *st)                                                            \
    {                                                                                              \
        int rc = NEXT(fstat##suffix)(fd, st);                                                      \
        return show_blksize(rc, (struct stat *) st, fd, "", AT_EMPTY_PATH);                        \
    }                                                                                              \
    int fstatat##suffix(int dirfd, const char *path, type *st, int flags)                          \
    {                                                                                              \
        int rc = NEXT(fstatat##suffix)(dirfd, path, st, flags);                                    \
        return show_blksize(rc, (struct stat *) st, dirfd, path, flags);                           \
    }

STAT(, struct stat)
STAT(64, struct stat64)

int statx(int dirfd, const char *path, int flags, unsigned mask, struct statx *st)
{
    int rc = NEXT(statx)(dirfd, path, flags, mask, st);

    if (rc == 0)
        st->stx_blksize = shown_blksize(st->stx_blksize, st->stx_mode, dirfd, path, flags);
    return rc;
}
