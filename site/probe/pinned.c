#include "pinned.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lustre/lustre_user.h>

#include "common/clock.h"
#include "common/rng.h"

/* Large enough that a client has all the requests in flight that it may have. */
enum { SOURCE_MOST = 64 << 20, STRIPE = 1 << 20 };

bool pinned_fill_source(uint64_t most, pinned_source *source_p)
{
    uint64_t length = most < SOURCE_MOST ? most : SOURCE_MOST, state = most;
    uint64_t *words;

    length = (length + 4095) / 4096 * 4096;
    words = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (words == MAP_FAILED)
        return false;
    for (uint64_t i = 0; i < length / sizeof(*words); i++)
        words[i] = rng_next(&state);
    *source_p = (pinned_source){(const char *) words, length};
    return true;
}

/* One stripe on one OST, whatever the directory's default is. */
static int pin(int file, int index)
{
    union {
        struct lov_user_md_v3 layout;
        char room[sizeof(struct lov_user_md_v3) + sizeof(struct lov_user_ost_data_v1)];
    } whole;
    struct lov_user_ost_data_v1 object = {.l_ost_idx = (uint32_t) index};

    memset(&whole, 0, sizeof(whole));
    whole.layout.lmm_magic = LOV_USER_MAGIC_SPECIFIC;
    whole.layout.lmm_pattern = LOV_PATTERN_RAID0;
    whole.layout.lmm_stripe_size = STRIPE;
    whole.layout.lmm_stripe_count = 1;
    whole.layout.lmm_stripe_offset = (uint16_t) index;
    memcpy(whole.room + sizeof(whole.layout), &object, sizeof(object));
    return ioctl(file, LL_IOC_LOV_SETSTRIPE, &whole) == 0 ? 0 : errno;
}

static void set_name(int index, char name_p[32])
{
    snprintf(name_p, 32, ".autotune-probe-%04d", index);
}

static int create(const target_place *place, const char *name, int more, int *file_p)
{
    int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | more;

    if (place->driver == ATM_LUSTRE)
        flags |= O_LOV_DELAY_CREATE;
    if (unlinkat(place->directory, name, 0) != 0 && errno != ENOENT)
        return errno;
    *file_p = openat(place->directory, name, flags, 0600);
    return *file_p >= 0 ? 0 : errno;
}

int pinned_create(const target_place *place, int index, uint64_t keep, pinned *pinned_p)
{
    pinned made = {.direct = true, .keep = keep};
    int error;

    set_name(index, made.name);
    error = create(place, made.name, O_DIRECT, &made.file);
    if (error == EINVAL) { /* there may be a file nevertheless: it is replaced */
        made.direct = false;
        error = create(place, made.name, 0, &made.file);
    }
    if (error != 0)
        return error;
    if (place->driver == ATM_LUSTRE)
        error = pin(made.file, index);
    if (error == 0)
        *pinned_p = made;
    else
        pinned_remove(place, &made);
    return error;
}

static int write_all(const pinned *pinned, const pinned_source *source, uint64_t bytes)
{
    uint64_t done = 0;

    while (done < bytes) {
        uint64_t left = bytes - done, piece = left < source->length ? left : source->length;
        ssize_t written = pwrite(pinned->file, source->bytes, piece, (off_t) done);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        done += (uint64_t) written;
    }
    return pinned->direct || fsync(pinned->file) == 0 ? 0 : errno;
}

int pinned_write(const pinned *pinned, const pinned_source *source, uint64_t bytes,
                 double *seconds_p)
{
    double from = clock_steady(), seconds;
    int error = write_all(pinned, source, bytes);

    seconds = clock_steady() - from;
    if (bytes > pinned->keep && ftruncate(pinned->file, (off_t) pinned->keep) != 0 && error == 0)
        error = errno;
    if (error == 0)
        *seconds_p = seconds;
    return error;
}

void pinned_remove(const target_place *place, pinned *pinned)
{
    struct stat own, named;

    if (pinned->file < 0)
        return;
    if (fstat(pinned->file, &own) == 0 &&
        fstatat(place->directory, pinned->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        own.st_ino == named.st_ino) /* else another prober has taken over */
        unlinkat(place->directory, pinned->name, 0);
    close(pinned->file);
    pinned->file = -1;
}

void pinned_sweep(const target_place *place, int index)
{
    char name[32];

    set_name(index, name);
    unlinkat(place->directory, name, 0);
}
