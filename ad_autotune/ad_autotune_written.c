#include "ad_autotune_decide.h"

#include "adioi.h"

#include <sys/stat.h>
#include <unistd.h>

/*
 * What this process, as rank 0 of files, has written to the last few of them: a program that reads
 * it again finds it in the caches of the nodes that wrote it, as long as these have room.
 */
enum { FILES = 8 };

typedef struct written {
    dev_t device;
    ino_t inode;
    double bytes; /* 0: not in use */
    double until; /* of all files, up to the last write to this one */
    atm_config config;
} written;

static written files[FILES];
static double all; /* bytes of all files */

static written *find(dev_t device, ino_t inode)
{
    for (int i = 0; i < FILES; i++)
        if (files[i].bytes > 0 && files[i].device == device && files[i].inode == inode)
            return &files[i];
    return NULL;
}

static written *find_or_replace(dev_t device, ino_t inode)
{
    written *found = find(device, inode);

    if (found != NULL)
        return found;
    found = &files[0];
    for (int i = 1; i < FILES; i++)
        if (files[i].until < found->until)
            found = &files[i];
    *found = (written){.device = device, .inode = inode};
    return found;
}

/* Half of the memory of all nodes, if they are like this one. */
static double room(const ADIOI_AUTOTUNE_root *root)
{
    double node = (double) sysconf(_SC_PHYS_PAGES) * (double) sysconf(_SC_PAGESIZE);

    return 0.5 * node * root->topology->nodes;
}

/* What was written is taken to be spread evenly over the file. */
uint64_t ADIOI_AUTOTUNE_cached(const ADIOI_AUTOTUNE_state *state, const atm_access *access,
                               atm_config *config_p)
{
    const ADIOI_AUTOTUNE_root *root = state->root;
    const written *file;
    struct stat info;
    double share;

    if (access->write || root->topology == NULL)
        return 0;
    file = find(root->device, root->inode);
    if (file == NULL || all - file->until + file->bytes > room(root) ||
        stat(root->filename, &info) != 0 || info.st_size <= 0)
        return 0;
    share = file->bytes / (double) info.st_size;
    *config_p = file->config;
    return (uint64_t) ((double) access->bytes * (share < 1 ? share : 1));
}

void ADIOI_AUTOTUNE_written_add(const ADIOI_AUTOTUNE_state *state, double own_bytes)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    const ADIOI_AUTOTUNE_root *root = state->root;
    double bytes = ADIOI_AUTOTUNE_moved(state, own_bytes);
    written *file;

    if (root == NULL || root->inode == 0 || !decision->access.write || decision->access.bytes == 0)
        return;
    all += bytes;
    file = find_or_replace(root->device, root->inode);
    file->bytes += bytes;
    file->until = all;
    file->config = decision->config;
}
