#include "ad_autotune_wrapped.h"

#include "ad_autotune_name.h"
#include "adioi.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef ROMIO_UFS
#error "autotune wraps ufs where no other driver fits: add ufs to --with-file-system"
#endif

/* The drivers that can be wrapped.  The first is for every file system without
 * a driver of its own. */
static const ADIOI_AUTOTUNE_wrapped drivers[] = {
    {"ufs", ADIO_UFS, &ADIO_UFS_operations, 0},
#ifdef ROMIO_NFS
    {"nfs", ADIO_NFS, &ADIO_NFS_operations, 0x6969},
#endif
#ifdef ROMIO_GPFS
    {"gpfs", ADIO_GPFS, &ADIO_GPFS_operations, 0x47504653},
#endif
#ifdef ROMIO_LUSTRE
    {"lustre", ADIO_LUSTRE, &ADIO_LUSTRE_operations, 0x0BD00BD0},
#endif
};

#define DRIVERS ((int) (sizeof(drivers) / sizeof(drivers[0])))

/* Tables of the drivers above with our slots. */
static ADIOI_Fns installed[ADIOI_AUTOTUNE_TABLES][DRIVERS];

static const ADIOI_AUTOTUNE_wrapped *by_prefix(const char *prefix, size_t len)
{
    for (int i = 0; i < DRIVERS; i++)
        if (strlen(drivers[i].name) == len && strncasecmp(drivers[i].name, prefix, len) == 0)
            return &drivers[i];
    return NULL;
}

/*
 * statfs of path, or of the directory where it will be created, which for a
 * dangling symbolic link is that of the link's target.
 */
static int statfs_for_create(const char *path, struct statfs *result)
{
    enum { MAX_LINKS = 8 };
    char from[PATH_MAX], target[PATH_MAX], to[PATH_MAX];

    if (statfs(path, result) == 0)
        return 0;
    if (errno != ENOENT || strlen(path) >= sizeof(to))
        return -1;
    strcpy(to, path);
    for (int i = 0; i < MAX_LINKS; i++) {
        ssize_t len = readlink(to, target, sizeof(target) - 1);

        if (len < 0)
            break;
        target[len] = '\0';
        strcpy(from, to);
        if (ADIOI_AUTOTUNE_link_target(from, target, to, sizeof(to)) != 0)
            return -1;
    }
    if (ADIOI_AUTOTUNE_directory(to, from, sizeof(from)) != 0)
        return -1;
    return statfs(from, result);
}

/* If the path cannot be examined, the UFS driver's open reports why. */
static const ADIOI_AUTOTUNE_wrapped *by_path(const char *path)
{
    struct statfs fs;

    if (statfs_for_create(path, &fs) == 0)
        for (int i = 1; i < DRIVERS; i++)
            if ((unsigned long) fs.f_type == drivers[i].magic)
                return &drivers[i];
    return &drivers[0];
}

/* Whether a name without our prefix has reached us nevertheless. */
static int is_forced(const char *name)
{
    static const char self[] = "autotune:";

    return ADIOI_AUTOTUNE_takes_all() && strncasecmp(name, self, strlen(self)) != 0;
}

static int is_other_driver(const char *prefix, size_t len)
{
    static const char *const others[] = {"testfs", "pvfs2", "xfs",      "panfs",
                                         "ime",    "daos",  "quobytefs"};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strlen(others[i]) == len && strncasecmp(others[i], prefix, len) == 0)
            return 1;
    return 0;
}

/* As ADIOI_AUTOTUNE_split_name; but what was never meant as a prefix is part of
 * the name, and a prefix of a driver that is not wrapped gives none. */
static const char *split(const char *name, const char **prefix_p, size_t *length_p)
{
    const char *path = ADIOI_AUTOTUNE_split_name(name, prefix_p, length_p);

    if (*length_p == 0 || !is_forced(name) || by_prefix(*prefix_p, *length_p) != NULL)
        return path;
    if (!is_other_driver(*prefix_p, *length_p))
        path = name;
    *length_p = 0;
    return path;
}

const char *ADIOI_AUTOTUNE_path(const char *name)
{
    const char *prefix;
    size_t len;

    return split(name, &prefix, &len);
}

const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_by_file(const char *name, const char **path_p)
{
    const char *prefix;
    size_t len;

    *path_p = split(name, &prefix, &len);
    return len > 0 ? by_prefix(prefix, len) : by_path(*path_p);
}

const char *ADIOI_AUTOTUNE_driver_name(const char *name)
{
    return by_path(name)->name;
}

int ADIOI_AUTOTUNE_wrapped_index(const ADIOI_AUTOTUNE_wrapped *wrapped)
{
    return (int) (wrapped - drivers);
}

const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_at(int index)
{
    return &drivers[index];
}

int ADIOI_AUTOTUNE_wrapped_count(void)
{
    return DRIVERS;
}

/* 4.2.2 stores MPI_Count where it has allocated int (ad_gpfs_aggrs.c; its commit 410e92fc84
 * corrects that in 4.2.3). */
const char *ADIOI_AUTOTUNE_defect(const ADIOI_AUTOTUNE_wrapped *wrapped)
{
    return ADIOI_AUTOTUNE_MPICH == 40202 && wrapped->file_system == ADIO_GPFS
               ? "the GPFS driver of MPICH 4.2.2 overwrites memory; ufs is used"
               : NULL;
}

int ADIOI_AUTOTUNE_unsupported(const char *where, const char *name)
{
    char text[512];
    const char *prefix;
    size_t len;
    int length;

    ADIOI_AUTOTUNE_split_name(name, &prefix, &len);
    length = snprintf(text, sizeof(text), "%.256s: there is no driver %.*s to wrap; there are",
                      name, len < 64 ? (int) len : 64, prefix);

    for (int i = 0; i < DRIVERS; i++)
        length += snprintf(text + length, sizeof(text) - (size_t) length, "%s %s", i > 0 ? "," : "",
                           drivers[i].name);
    return MPIO_Err_create_code(MPI_SUCCESS, MPIR_ERR_RECOVERABLE, where, __LINE__, MPI_ERR_IO,
                                "**io", "**io %s", text);
}

ADIOI_Fns *ADIOI_AUTOTUNE_slots(const ADIOI_AUTOTUNE_wrapped *wrapped, ADIOI_AUTOTUNE_table table)
{
    return &installed[table][wrapped - drivers];
}

void ADIOI_AUTOTUNE_install(ADIO_File fd, const ADIOI_AUTOTUNE_wrapped *wrapped,
                            ADIOI_AUTOTUNE_table table)
{
    fd->fns = ADIOI_AUTOTUNE_slots(wrapped, table);
    fd->file_system = wrapped->file_system;
}

ADIOI_AUTOTUNE_table ADIOI_AUTOTUNE_table_of(ADIO_File fd)
{
    return (ADIOI_AUTOTUNE_table) ((fd->fns - installed[0]) / DRIVERS);
}

const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_of(ADIO_File fd)
{
    return &drivers[(fd->fns - installed[0]) % DRIVERS];
}
