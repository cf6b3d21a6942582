/*
 * IOC_OBD_STATFS: the state of one OST.  The argument is a packed header with
 * two inline inputs (kind of target, index) and two buffers to fill (statfs,
 * uuid), described by offsets here because only these few fields matter.
 */

#include "standin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>

#define IOC_VERSION 0x00010004
#define AT_VERSION 4
#define AT_STATFS_SIZE 480
#define AT_STATFS 488
#define AT_UUID_SIZE 496
#define AT_UUID 504
#define HEADER_SIZE 576
#define AT_KIND HEADER_SIZE /* inline inputs are padded to 8 bytes */
#define AT_INDEX (HEADER_SIZE + 8)

#define KIND_OST 2
#define UUID_SIZE 40
#define TABLE_GROWTH 64 /* slots of the table of OSTs come in such steps */
#define STATE_NONROTATING 0x200

struct ost_statfs {
    uint64_t type, blocks, free_blocks, available_blocks, files, free_files;
    uint8_t fsid[40];
    uint32_t block_size, name_length;
    uint64_t max_bytes;
    uint32_t state;
    uint32_t spare[9];
};
_Static_assert(sizeof(struct ost_statfs) == 144, "size of the kernel's obd_statfs");
_Static_assert(offsetof(struct ost_statfs, block_size) == 88, "place of os_bsize");
_Static_assert(offsetof(struct ost_statfs, state) == 104, "place of os_state");

static uint32_t field32(const char *data, size_t at)
{
    uint32_t value;

    memcpy(&value, data + at, sizeof value);
    return value;
}

static void *pointer(const char *data, size_t at)
{
    void *value;

    memcpy(&value, data + at, sizeof value);
    return value;
}

/* Every OST has its share of the space below. */
static int fill(int fd, struct ost_statfs *out)
{
    unsigned osts = standin_config()->ost_count;
    int saved_errno = errno;
    struct statfs below;

    if (NEXT(fstatfs)(fd, &below)) {
        int err = errno;
        errno = saved_errno;
        return err;
    }
    *out = (struct ost_statfs){
        .type = LL_SUPER_MAGIC,
        .blocks = below.f_blocks / osts,
        .free_blocks = below.f_bfree / osts,
        .available_blocks = below.f_bavail / osts,
        .files = below.f_files / osts,
        .free_files = below.f_ffree / osts,
        .block_size = below.f_bsize,
        .name_length = below.f_namelen,
        .state = STATE_NONROTATING,
    };
    return 0;
}

int standin_obd_statfs(int fd, const void *arg)
{
    const char *data = arg;
    unsigned osts = standin_config()->ost_count;
    uint32_t index = field32(data, AT_INDEX);
    struct ost_statfs statfs;
    int err;

    if (field32(data, AT_VERSION) != IOC_VERSION || !(field32(data, AT_KIND) & KIND_OST) ||
        field32(data, AT_STATFS_SIZE) < sizeof statfs || field32(data, AT_UUID_SIZE) < UUID_SIZE)
        return EINVAL;
    if (index >= (osts + TABLE_GROWTH - 1) / TABLE_GROWTH * TABLE_GROWTH)
        return ENODEV;
    if (index >= osts)
        return EAGAIN;
    if ((err = fill(fd, &statfs)))
        return err;
    memcpy(pointer(data, AT_STATFS), &statfs, sizeof statfs);
    memset(pointer(data, AT_UUID), 0, UUID_SIZE);
    snprintf(pointer(data, AT_UUID), UUID_SIZE, "standin-OST%04x_UUID", index);
    return 0;
}
