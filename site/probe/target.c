#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <lustre/lustre_user.h>

/*
 * IOC_OBD_STATFS takes a packed header and two inline inputs, the kind of target and its
 * index, and fills two buffers.  The few fields that matter, by their offsets: Lustre's own
 * header has the whole of it in a file that is not installed everywhere.
 */
#define OBD_STATFS _IOWR('f', 164, long)
#define OBD_VERSION 0x00010004
enum {
    AT_LENGTH = 0,
    AT_VERSION = 4,
    AT_STATFS_SIZE = 480,
    AT_STATFS = 488,
    AT_UUID_SIZE = 496,
    AT_UUID = 504,
    AT_KIND_SIZE = 512,
    AT_KIND_POINTER = 520,
    AT_INDEX_SIZE = 528,
    AT_INDEX_POINTER = 536,
    AT_KIND = 576, /* inline inputs are padded to 8 bytes */
    AT_INDEX = AT_KIND + 8,
    REQUEST_SIZE = AT_INDEX + 8
};
enum { KIND_OST = 2, KIND_AT_ONCE = 4 }; /* do not wait for an OST that is gone */
enum { STATE_DEGRADED = 0x1, STATE_READONLY = 0x2, STATE_NO_CREATE = 0x4 };

typedef struct obd_statfs {
    uint64_t type, blocks, free_blocks, available_blocks, files, free_files;
    uint8_t fsid[40];
    uint32_t block_size, name_length;
    uint64_t max_bytes;
    uint32_t state;
    uint32_t spare[9];
} obd_statfs;
_Static_assert(sizeof(obd_statfs) == 144, "size of the kernel's obd_statfs");
_Static_assert(offsetof(obd_statfs, state) == 104, "place of os_state");

static void put32(char *request, size_t at, uint32_t value)
{
    memcpy(request + at, &value, sizeof(value));
}

static void put_pointer(char *request, size_t at, const void *pointer)
{
    memcpy(request + at, &pointer, sizeof(pointer));
}

static int ask_ost(int directory, int index, obd_statfs *statfs_p, char uuid_p[TARGET_NAME])
{
    char request[REQUEST_SIZE] = {0};

    put32(request, AT_LENGTH, REQUEST_SIZE);
    put32(request, AT_VERSION, OBD_VERSION);
    put32(request, AT_STATFS_SIZE, sizeof(*statfs_p));
    put_pointer(request, AT_STATFS, statfs_p);
    put32(request, AT_UUID_SIZE, TARGET_NAME);
    put_pointer(request, AT_UUID, uuid_p);
    put32(request, AT_KIND_SIZE, sizeof(uint32_t));
    put_pointer(request, AT_KIND_POINTER, request + AT_KIND);
    put32(request, AT_INDEX_SIZE, sizeof(uint32_t));
    put_pointer(request, AT_INDEX_POINTER, request + AT_INDEX);
    put32(request, AT_KIND, KIND_OST | KIND_AT_ONCE);
    put32(request, AT_INDEX, (uint32_t) index);
    return ioctl(directory, OBD_STATFS, request) == 0 ? 0 : errno;
}

static double share_taken(uint64_t blocks, uint64_t available)
{
    return blocks > 0 && available <= blocks ? 1 - (double) available / (double) blocks : -1;
}

/* "scratch-OST0003_UUID" without what follows the name */
static void cut_uuid(char name[TARGET_NAME])
{
    char *end;

    name[TARGET_NAME - 1] = '\0';
    end = strstr(name, "_UUID");
    if (end != NULL)
        *end = '\0';
}

static int look_at_ost(int directory, int index, target *target_p)
{
    target found = {.index = index, .state = {.full = -1}};
    obd_statfs statfs = {.blocks = 0};
    int error = ask_ost(directory, index, &statfs, found.name);

    if (error == ENODATA)
        found.state.inactive = true;
    else if (error != 0)
        return error;
    else
        found.state =
            (target_state){.full = share_taken(statfs.blocks, statfs.available_blocks),
                           .degraded = (statfs.state & STATE_DEGRADED) != 0,
                           .no_create = (statfs.state & (STATE_NO_CREATE | STATE_READONLY)) != 0};
    cut_uuid(found.name);
    *target_p = found;
    return 0;
}

static int look_at_all(int directory, target *target_p)
{
    struct statfs statfs;

    if (fstatfs(directory, &statfs) != 0)
        return errno;
    *target_p = (target){.state = {.full = share_taken(statfs.f_blocks, statfs.f_bavail)}};
    return 0;
}

int target_look(const target_place *place, int index, target *target_p)
{
    int error;

    if (place->driver != ATM_LUSTRE)
        return look_at_all(place->directory, target_p);
    error = look_at_ost(place->directory, index, target_p);
    if (error == ENOTTY || error == EPERM || error == EACCES)
        return ENOTSUP;
    return error == EAGAIN ? ENODEV : error; /* an empty slot of the client's table */
}

/* Where the client does not tell its table: as many as it counts, from 0 on. */
static int count_osts(int directory, target_list *list_p)
{
    int count = 0; /* in: OSTs, not MDTs */

    if (ioctl(directory, LL_IOC_GETOBDCOUNT, &count) != 0)
        return errno;
    list_p->count = count < TARGETS_MOST ? count : TARGETS_MOST;
    for (int i = 0; i < list_p->count; i++)
        list_p->targets[i] = (target){.index = i, .state = {.full = -1}};
    return 0;
}

/* The table has empty slots (EAGAIN) and an end (ENODEV); an OST that fails otherwise is
 * one that is down, and is probed like any other. */
static int list_osts(int directory, target_list *list_p)
{
    list_p->count = 0;
    for (int i = 0; list_p->count < TARGETS_MOST; i++) {
        target *next = &list_p->targets[list_p->count];
        int error = look_at_ost(directory, i, next);

        if (error == ENODEV)
            break;
        if (error == ENOTTY || error == EPERM || error == EACCES || error == EINVAL)
            return count_osts(directory, list_p);
        if (error != 0 && error != EAGAIN)
            *next = (target){.index = i, .state = {.full = -1}};
        list_p->count += error != EAGAIN;
    }
    return list_p->count > 0 ? 0 : ENODEV;
}

int target_list_all(const target_place *place, target_list *list_p)
{
    list_p->driver = place->driver;
    if (place->driver == ATM_LUSTRE)
        return list_osts(place->directory, list_p);
    list_p->count = 1;
    return target_look(place, 0, &list_p->targets[0]);
}

static atm_driver driver_of(const struct statfs *fs)
{
    switch ((uint32_t) fs->f_type) {
        case LL_SUPER_MAGIC:
            return ATM_LUSTRE;
        case 0x47504653: /* GPFS_SUPER_MAGIC, "GPFS" */
            return ATM_GPFS;
        case 0x6969: /* NFS_SUPER_MAGIC */
            return ATM_NFS;
        default:
            return ATM_UFS;
    }
}

int target_open_place(const char *directory, target_place *place_p)
{
    struct statfs fs;
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (file < 0)
        return errno;
    if (fstatfs(file, &fs) != 0) {
        int error = errno;

        close(file);
        return error;
    }
    *place_p = (target_place){.directory = file, .driver = driver_of(&fs)};
    return 0;
}

bool target_same(const target_state *state, const target_state *other)
{
    return round(100 * state->full) == round(100 * other->full) &&
           state->degraded == other->degraded && state->inactive == other->inactive &&
           state->no_create == other->no_create;
}
