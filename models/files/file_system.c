/* File systems: their types, by what statfs reports, and what is mounted. */

#include "file_system.h"

#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

static const struct {
    uint32_t type;
    const char *name;
} known[] = {{0x0BD00BD0, "lustre"}, {0x47504653, "gpfs"},    {0x6969, "nfs"},
             {0x19830326, "beegfs"}, {0x00C36400, "ceph"},    {0x65735546, "fuse"},
             {0xAAD7AAEA, "panfs"},  {0x7461636F, "ocfs2"},   {0x01161970, "gfs2"},
             {0xEF53, "ext4"},       {0x58465342, "xfs"},     {0x9123683E, "btrfs"},
             {0x2FC12FC1, "zfs"},    {0x794C7630, "overlay"}, {0x01021994, "tmpfs"},
             {0x01021997, "9p"},     {0xFF534D42, "cifs"},    {0xFE534D42, "smb2"}};

const char *atm_file_system_name(uint32_t type)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].type == type)
            return known[i].name;
    return NULL;
}

/* The directory of a path, which may be "."; false if it is too long. */
static bool folder_of(const char *path, char folder[PATH_MAX])
{
    size_t length = strlen(path);

    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length + 2 > PATH_MAX)
        return false;
    memcpy(folder, path, length);
    strcpy(folder + length, ".");
    return true;
}

const char *atm_file_system_at(const char *path)
{
    char folder[PATH_MAX];
    struct statfs info;

    if (statfs(path, &info) == 0 || (folder_of(path, folder) && statfs(folder, &info) == 0))
        return atm_file_system_name((uint32_t) info.f_type);
    return NULL;
}

/* --- what is mounted */

static bool is_inside(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 &&
           (length == 1 || path[length] == '/' || path[length] == '\0');
}

bool atm_mount_at(const char *path, atm_mount *mount_p)
{
    char whole[PATH_MAX], folder[PATH_MAX], line[2 * PATH_MAX];
    FILE *mounts;
    struct mntent entry;
    size_t longest = 0;

    if (realpath(path, whole) == NULL &&
        (!folder_of(path, folder) || realpath(folder, whole) == NULL))
        return false;
    mounts = setmntent("/proc/self/mounts", "re");
    if (mounts == NULL)
        return false;
    while (getmntent_r(mounts, &entry, line, sizeof(line)) != NULL)
        if (is_inside(whole, entry.mnt_dir) && strlen(entry.mnt_dir) >= longest) {
            longest = strlen(entry.mnt_dir);
            snprintf(mount_p->type, sizeof(mount_p->type), "%s", entry.mnt_type);
            snprintf(mount_p->source, sizeof(mount_p->source), "%s", entry.mnt_fsname);
            snprintf(mount_p->at, sizeof(mount_p->at), "%s", entry.mnt_dir);
        }
    endmntent(mounts);
    return longest > 0;
}

/* Lustre's addresses of servers depend on the network of a node: ADDRESS:ADDRESS:/NAME. */
static const char *name_in(const char *source)
{
    const char *name = strstr(source, ":/");

    return name != NULL ? name : source;
}

bool atm_same_source(const char *type, const char *one, const char *other)
{
    if (strcmp(type, "lustre") == 0)
        return strcmp(name_in(one), name_in(other)) == 0;
    return strcmp(one, other) == 0;
}
