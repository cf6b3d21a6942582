#include "ad_autotune_late.h"

#include "ad_autotune_plan.h"
#include "adioi.h"
#include "atc.h"

#ifdef ROMIO_LUSTRE

#include "../ad_lustre/ad_lustre.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/*
 * Layouts of files on Lustre.  Only plain striping is ever chosen; a directory whose
 * default is more than that (components, data on the MDT, a pool) keeps it for its
 * files.
 */

/* Room for the objects of the widest file, with a pool; GETSTRIPE copies as many as the count says
 * that there is room for. */
static struct lov_user_md_v1 *new_layout(size_t *size_p)
{
    struct lov_user_md_v1 *layout;

    *size_p =
        sizeof(struct lov_user_md_v3) + LOV_MAX_STRIPE_COUNT * sizeof(struct lov_user_ost_data_v1);
    layout = ADIOI_Calloc(1, *size_p);
    layout->lmm_magic = LOV_USER_MAGIC_V1;
    layout->lmm_stripe_count = LOV_MAX_STRIPE_COUNT;
    return layout;
}

/* What a layout that was read says; the first one's OST is there, too: lmm_stripe_offset is the
 * layout's generation then. */
static const struct lov_user_ost_data_v1 *objects_of(const struct lov_user_md_v1 *layout)
{
    return layout->lmm_magic == LOV_USER_MAGIC_V3
               ? ((const struct lov_user_md_v3 *) (const void *) layout)->lmm_objects
               : layout->lmm_objects;
}

/* How many OSTs there are, if one has several stripes; else 0. */
static int count_repeated(const struct lov_user_md_v1 *layout)
{
    const struct lov_user_ost_data_v1 *objects = objects_of(layout);
    int osts = 0;

    if (!(layout->lmm_pattern & LOV_PATTERN_OVERSTRIPING))
        return 0;
    for (int i = 0; i < layout->lmm_stripe_count; i++) {
        int before = 0;

        while (before < i && objects[before].l_ost_idx != objects[i].l_ost_idx)
            before++;
        osts += before == i;
    }
    return osts < layout->lmm_stripe_count ? osts : 0;
}

int ADIOI_AUTOTUNE_striping_get(int descriptor, ADIOI_AUTOTUNE_striping *striping_p)
{
    size_t size;
    struct lov_user_md_v1 *layout = new_layout(&size);
    int error;

    error = ioctl(descriptor, LL_IOC_LOV_GETSTRIPE, layout) != 0 ? errno : 0;
    if (error == 0 && (layout->lmm_stripe_size == 0 || layout->lmm_stripe_count == 0))
        error = ENODATA;
    if (error == 0)
        *striping_p = (ADIOI_AUTOTUNE_striping){
            (int) layout->lmm_stripe_size, layout->lmm_stripe_count,
            (int) objects_of(layout)[0].l_ost_idx, count_repeated(layout)};
    ADIOI_Free(layout);
    errno = error;
    return error == 0 ? 0 : -1;
}

int ADIOI_AUTOTUNE_striping_set(int descriptor, const ADIOI_AUTOTUNE_striping *striping,
                                const char *pool)
{
    struct lov_user_md_v3 layout = {.lmm_magic =
                                        pool[0] != '\0' ? LOV_USER_MAGIC_V3 : LOV_USER_MAGIC_V1,
                                    .lmm_stripe_size = (uint32_t) striping->unit,
                                    .lmm_stripe_count = (uint16_t) striping->count,
                                    .lmm_stripe_offset = (uint16_t) striping->start};

    snprintf(layout.lmm_pool_name, sizeof(layout.lmm_pool_name), "%s", pool);
    return ioctl(descriptor, LL_IOC_LOV_SETSTRIPE, &layout);
}

static const ADIOI_AUTOTUNE_striping by_default = {0, 0, -1, 0};

int ADIOI_AUTOTUNE_striping_set_default(int descriptor, const ADIOI_AUTOTUNE_state *state)
{
    struct lov_user_md_v1 layout;

    if (state->default_length == 0)
        return ADIOI_AUTOTUNE_striping_set(descriptor, &by_default, "");
    memcpy(&layout, state->default_layout, sizeof(layout));
    return ioctl(descriptor, LL_IOC_LOV_SETSTRIPE, &layout);
}

/* --- default layouts */

/* The file system's own default, which is visible only in a file: read once, from a
 * file that is removed immediately. */
static atc_cache cache = ATC_CACHE_INITIALIZER;

typedef struct known_default {
    dev_t device;
    ADIOI_AUTOTUNE_striping striping;
} known_default;

static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void) comm, (void) keyval, (void) extra;
    ADIOI_Free(value);
    return MPI_SUCCESS;
}

static ADIOI_AUTOTUNE_striping read_file_system_default(const char *directory)
{
    ADIOI_AUTOTUNE_striping found = by_default;
    char name[PATH_MAX];
    int descriptor;

    if (snprintf(name, sizeof(name), "%s/.romio-autotune-%ld", directory, (long) getpid()) >=
        (int) sizeof(name))
        return found;
    descriptor = open(name, O_CREAT | O_EXCL | O_RDWR | O_LOV_DELAY_CREATE | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return found;
    /* a file without a name gets no layout (ESTALE) */
    if (ADIOI_AUTOTUNE_striping_set(descriptor, &by_default, "") == 0)
        ADIOI_AUTOTUNE_striping_get(descriptor, &found);
    unlink(name);
    close(descriptor);
    return found;
}

static ADIOI_AUTOTUNE_striping file_system_default(const char *directory)
{
    known_default *known = atc_cache_get(&cache, MPI_COMM_SELF), *entry;
    ADIOI_AUTOTUNE_striping found;
    struct stat info;

    if (stat(directory, &info) != 0)
        return by_default;
    if (known != NULL && known->device == info.st_dev)
        return known->striping;
    found = read_file_system_default(directory);
    entry = ADIOI_Malloc(sizeof(*entry));
    *entry = (known_default){info.st_dev, found};
    if (atc_cache_put(&cache, MPI_COMM_SELF, entry, MPI_COMM_NULL_COPY_FN, forget) != ATC_OK)
        ADIOI_Free(entry);
    return found;
}

int ADIOI_AUTOTUNE_striping_osts(const char *directory)
{
    int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), count[2] = {0, 0};

    if (descriptor < 0)
        return 0;
    if (ioctl(descriptor, LL_IOC_GETOBDCOUNT, count) != 0)
        count[0] = 0;
    close(descriptor);
    return count[0];
}

/* A layout completed with the defaults that it leaves open. */
static ADIOI_AUTOTUNE_striping complete(const struct lov_user_md_v1 *layout, const char *directory)
{
    ADIOI_AUTOTUNE_striping found = {(int) layout->lmm_stripe_size, layout->lmm_stripe_count, -1,
                                     0},
                            other = by_default;

    if (found.unit == 0 || found.count == 0)
        other = file_system_default(directory);
    if (found.unit == 0)
        found.unit = other.unit;
    if (found.count == 0)
        found.count = other.count;
    if (found.count == LOV_ALL_STRIPES)
        found.count = ADIOI_AUTOTUNE_striping_osts(directory);
    return found;
}

/* Length of a layout of this magic, without its objects; 0: not plain striping. */
static size_t plain_length(uint32_t magic)
{
    return magic == LOV_USER_MAGIC_V1   ? sizeof(struct lov_user_md_v1)
           : magic == LOV_USER_MAGIC_V3 ? sizeof(struct lov_user_md_v3)
                                        : 0;
}

int ADIOI_AUTOTUNE_striping_default(const char *filename, ADIOI_AUTOTUNE_state *state, char *pool_p)
{
    char directory[PATH_MAX];
    size_t size, length;
    struct lov_user_md_v1 *layout, none = {0};
    struct lov_user_md_v3 *pooled;
    ssize_t got;
    int plain = 0;

    pool_p[0] = '\0';
    if (ADIOI_AUTOTUNE_directory(filename, directory, sizeof(directory)) != 0)
        return 0;
    layout = new_layout(&size);
    got = getxattr(directory, "lustre.lov", layout, size);
    length = got >= (ssize_t) sizeof(*layout) ? plain_length(layout->lmm_magic) : 0;
    state->default_length = 0;
    if (got < 0 && errno == ENODATA) {
        plain = 1;
        state->default_striping = complete(&none, directory);
    } else if (length > 0 && got >= (ssize_t) length) {
        pooled = (struct lov_user_md_v3 *) (void *) layout;
        if (layout->lmm_magic == LOV_USER_MAGIC_V3)
            snprintf(pool_p, LOV_MAXPOOLNAME + 1, "%.*s", LOV_MAXPOOLNAME, pooled->lmm_pool_name);
        plain = pool_p[0] == '\0' && (layout->lmm_pattern & ~(uint32_t) LOV_PATTERN_RAID0) == 0;
        layout->lmm_magic = LOV_USER_MAGIC_V1;
        state->default_striping = complete(layout, directory);
        state->default_length = (int) sizeof(*layout);
        memcpy(state->default_layout, layout, sizeof(*layout));
    }
    ADIOI_Free(layout);
    return plain;
}

_Static_assert(sizeof(struct lov_user_md_v1) ==
                   sizeof(((ADIOI_AUTOTUNE_state *) 0)->default_layout),
               "the kernel's structure");

int ADIOI_AUTOTUNE_striping_targets(const char *filename, int **targets_p)
{
    size_t size, length;
    struct lov_user_md_v1 *layout = new_layout(&size);
    ssize_t got = getxattr(filename, "lustre.lov", layout, size);
    int count = 0;

    length = got >= (ssize_t) sizeof(*layout) ? plain_length(layout->lmm_magic) : 0;
    if (length > 0 &&
        (size_t) got >= length + layout->lmm_stripe_count * sizeof(struct lov_user_ost_data_v1))
        count = layout->lmm_stripe_count;
    if (count > 0)
        *targets_p = ADIOI_Malloc((size_t) count * sizeof(int));
    for (int i = 0; i < count; i++)
        (*targets_p)[i] = (int) objects_of(layout)[i].l_ost_idx;
    ADIOI_Free(layout);
    return count;
}

/* --- the layout of an open file */

static void report_number(ADIO_File fd, const char *key, int number, int known)
{
    char text[MPI_MAX_INFO_VAL + 1];

    if (known)
        ADIOI_AUTOTUNE_set_number(fd, key, number);
    else if (ADIOI_AUTOTUNE_get_value(fd->info, key, text))
        ADIOI_Info_delete(fd->info, key);
}

void ADIOI_AUTOTUNE_striping_report(ADIO_File fd, const ADIOI_AUTOTUNE_striping *striping)
{
    int known = striping->unit > 0;

    fd->hints->striping_unit = striping->unit;
    fd->hints->striping_factor = striping->count;
    fd->hints->start_iodevice = striping->start;
    report_number(fd, "striping_unit", striping->unit, known);
    report_number(fd, "striping_factor", striping->count, known);
    report_number(fd, ADIOI_AUTOTUNE_START_IODEVICE, striping->start, known);
}

/* The directory's default, whatever it is, for an open file that has no layout. */
static void give_default(int descriptor, const char *filename)
{
    char directory[PATH_MAX];
    size_t size;
    void *layout = new_layout(&size);
    ssize_t length = -1;

    if (ADIOI_AUTOTUNE_directory(filename, directory, sizeof(directory)) == 0)
        length = getxattr(directory, "lustre.lov", layout, size);
    if (length < 0 || fsetxattr(descriptor, "lustre.lov", layout, (size_t) length, 0) != 0)
        ADIOI_AUTOTUNE_striping_set(descriptor, &by_default, "");
    ADIOI_Free(layout);
}

/* Whether what this open finds stays: in a collective open all ranks get what the first aggregator
 * finds (ad_opencoll.c:170), which, if it creates the file, opens it once more. */
static int is_kept(ADIO_File fd)
{
    int rank;

    if (fd->comm == MPI_COMM_SELF)
        return !(fd->access_mode & ADIO_CREATE);
    MPI_Comm_rank(fd->comm, &rank);
    return rank == fd->hints->ranklist[0];
}

/* ROMIO mistakes the layout's generation for the first OST (ad_lustre_open.c:139).
 * Also, an open for writing sets no layout while the same node has the file open
 * late, through another handle of this program or in another program. */
void ADIOI_AUTOTUNE_Open_striped(ADIO_File fd, int *error_code)
{
    const ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd); /* NULL: one rank alone */
    ADIOI_AUTOTUNE_striping striping = by_default;
    int known;

    if (state != NULL)
        striping = state->striping;
    known = striping.unit > 0;
    if (!known)
        fd->hints->striping_factor = 0;
    ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_Open(fd, error_code);
    if (*error_code != MPI_SUCCESS || (!known && fd->hints->striping_factor > 0 && !is_kept(fd)))
        return;
    if (!known)
        known = ADIOI_AUTOTUNE_striping_get(fd->fd_sys, &striping) == 0;
    if (!known && errno == ENODATA && !(fd->access_mode & ADIO_RDONLY)) {
        give_default(fd->fd_sys, fd->filename);
        known = ADIOI_AUTOTUNE_striping_get(fd->fd_sys, &striping) == 0;
    }
    if (known)
        ADIOI_AUTOTUNE_striping_report(fd, &striping);
}

#else /* no Lustre: no file has striping */

int ADIOI_AUTOTUNE_striping_osts(const char *directory)
{
    (void) directory;
    return 0;
}

int ADIOI_AUTOTUNE_striping_targets(const char *filename, int **targets_p)
{
    (void) filename, (void) targets_p;
    return 0;
}

void ADIOI_AUTOTUNE_striping_report(ADIO_File fd, const ADIOI_AUTOTUNE_striping *striping)
{
    (void) fd, (void) striping;
}

#endif
