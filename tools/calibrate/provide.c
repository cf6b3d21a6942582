/* Files to read: written when they are first needed, and longer if a point needs more. */

#include "calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 4 << 20 };

static int index_of_stripes(cal_files *files, int stripes)
{
    for (int i = 0; i < 64; i++)
        if (files->ready_stripes[i] == stripes || files->ready_stripes[i] == 0) {
            files->ready_stripes[i] = stripes;
            return i;
        }
    return 63;
}

/* Ranks write a slice each. */
static int write_slice(const cal_place *place, const char *path, uint64_t from, uint64_t to)
{
    uint64_t slice = (to - from) / (uint64_t) place->ranks + 1;
    uint64_t at = from + slice * (uint64_t) place->rank, end = at + slice < to ? at + slice : to;
    char *buffer = calloc(1, CHUNK);
    int file = open(path, O_RDWR | O_CLOEXEC), code = file < 0 ? errno : 0;

    if (buffer == NULL)
        code = ENOMEM;
    for (; code == 0 && at < end; at += CHUNK)
        code = sample_signal() != 0 ? EINTR
                                    : place->files->driver->write(
                                          file, buffer, end - at < CHUNK ? end - at : CHUNK, at);
    if (code == 0 && place->files->cache > 0 && fsync(file) != 0)
        code = errno;
    if (file >= 0) {
        if (place->files->cache > 0)
            posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        close(file);
    }
    free(buffer);
    return code;
}

int provide_file(const cal_place *place, const char *path, uint64_t bytes)
{
    int index = index_of_stripes(place->files, place->point->stripes), code = 0, file;
    uint64_t ready = place->files->ready[index];

    if (ready >= bytes)
        return 0;
    if (ready == 0 && place->rank == 0) {
        code = place->files->driver->create(path, place->point->stripes, place->files->stripe_size,
                                            &file);
        if (code == 0)
            close(file);
    }
    code = world_agree(place->comm, code);
    if (code == 0)
        code = world_agree(place->comm, write_slice(place, path, ready, bytes));
    if (code == 0)
        place->files->ready[index] = bytes;
    return code;
}
