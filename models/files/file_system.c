/* Types of file systems, by what statfs reports. */

#include "file_system.h"

#include <limits.h>
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

const char *atm_file_system_at(const char *path)
{
    char folder[PATH_MAX];
    struct statfs info;
    size_t length = strlen(path);

    if (statfs(path, &info) == 0)
        return atm_file_system_name((uint32_t) info.f_type);
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length + 2 > sizeof(folder))
        return NULL;
    memcpy(folder, path, length);
    strcpy(folder + length, ".");
    return statfs(folder, &info) == 0 ? atm_file_system_name((uint32_t) info.f_type) : NULL;
}
