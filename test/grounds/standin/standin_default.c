/*
 * The layouts that directories give to their files, kept as they were set in an
 * attribute of the directory below.  A directory without one shows that of the
 * root of its file system.
 */

#include "standin.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define DEFAULT_ATTRIBUTE "user.standin.default"
#define ANY_OST 0xffff

static int load(const char *directory, struct standin_default *found)
{
    ssize_t size = NEXT(getxattr)(directory, DEFAULT_ATTRIBUTE, found->lum, sizeof found->lum);

    if (size < 0)
        return errno == ENOTSUP ? ENODATA : errno;
    found->size = (size_t) size;
    return 0;
}

/* name is of a directory. */
static int find(const char *name, struct standin_default *found)
{
    int err = load(name, found);

    return err == ENODATA ? load(standin_root_of(name), found) : err;
}

int standin_default_get(int fd, struct standin_default *found)
{
    int saved_errno = errno;
    char name[PATH_MAX];
    int err = standin_name_of_fd(fd, name) ? find(name, found) : ENODATA;

    errno = saved_errno;
    return err;
}

int standin_default_for(int fd, struct standin_default *found)
{
    int saved_errno = errno, err = ENODATA;
    char name[PATH_MAX];
    char *slash;

    if (standin_name_of_fd(fd, name) && (slash = strrchr(name, '/'))) {
        slash[slash == name] = '\0';
        err = find(name, found);
    }
    errno = saved_errno;
    return err;
}

/* Nothing but zeros and "any OST" takes the default away. */
static bool takes_away(const void *request)
{
    const struct lov_user_md_v1 *lum = request;
    const struct lov_user_md_v3 *v3 = request;

    if (lum->lmm_magic != LOV_USER_MAGIC_V1 &&
        (lum->lmm_magic != LOV_USER_MAGIC_V3 || v3->lmm_pool_name[0]))
        return false;
    return lum->lmm_pattern == 0 && lum->lmm_stripe_size == 0 && lum->lmm_stripe_count == 0 &&
           lum->lmm_stripe_offset == ANY_OST;
}

int standin_default_set(int fd, const void *lum, size_t size)
{
    static const struct standin_layout nothing;
    struct standin_layout layout = nothing;
    char name[32];
    int err = standin_layout_from_request(lum, size, 0, &layout);

    if (err)
        return err;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (!takes_away(lum))
        err =
            NEXT(setxattr)(name, DEFAULT_ATTRIBUTE, lum, standin_layout_request_size(lum, size), 0);
    else if ((err = removexattr(name, DEFAULT_ATTRIBUTE)) && errno == ENODATA)
        err = 0;
    return err ? errno : 0;
}
