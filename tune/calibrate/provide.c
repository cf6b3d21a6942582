/* Files to read: what writes have left, and where that is too little, made for it. */

#include "calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 4 << 20, MADE = -1 };

/* A file is kept in place of another if it has so many times as much to read: it has to reach the
 * disks first. */
#define MORE 2

/* Data that storage takes so long for is in no processor's cache. */
#define DATA_SECONDS 0.5

cal_kept *provide_kept(cal_files *files, int stripes)
{
    for (int i = 0; i < CAL_KEPT; i++)
        if (files->kept[i].stripes == stripes)
            return &files->kept[i];
    return NULL;
}

void provide_name(const cal_files *files, const cal_kept *kept, char path[PATH_MAX])
{
    if (kept->number == MADE)
        snprintf(path, PATH_MAX, "%s/read-%d.data", files->directory, kept->stripes);
    else
        snprintf(path, PATH_MAX, "%s/write-%d-%d.data", files->directory, kept->visit,
                 kept->number);
}

/* More readers than pieces share them. */
uint64_t provide_part(const cal_kept *kept, int readers, int reader, uint64_t *bytes_p)
{
    uint64_t sharing = ((uint64_t) readers + kept->pieces - 1) / kept->pieces;
    uint64_t part = kept->bytes / sharing, turn = (uint64_t) reader;

    *bytes_p = part;
    return turn % kept->pieces * kept->spacing + turn / kept->pieces * part;
}

/* Drops all of an open file from this node's cache, once it is on the disks.  Local. */
static int flush(int file)
{
    if (file >= 0 && fsync(file) != 0)
        return errno;
    if (file >= 0)
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    return 0;
}

/* Ranks write a slice each. */
static int write_slice(const cal_place *place, const char *path, uint64_t to)
{
    uint64_t slice = to / (uint64_t) place->ranks + 1;
    uint64_t at = slice * (uint64_t) place->rank, end = at + slice < to ? at + slice : to;
    char *buffer = calloc(1, CHUNK);
    int file = open(path, O_RDWR | O_CLOEXEC), code = file < 0 ? errno : 0;

    if (buffer == NULL)
        code = ENOMEM;
    for (; code == 0 && at < end; at += CHUNK)
        code = sample_signal() != 0 ? EINTR
                                    : place->files->driver->write(
                                          file, buffer, end - at < CHUNK ? end - at : CHUNK, at);
    if (code == 0 && place->files->drops)
        code = flush(file);
    if (file >= 0)
        close(file);
    free(buffer);
    return code;
}

/* An empty place, or that of a file that goes. */
static cal_kept *replace(const cal_place *place, int stripes)
{
    cal_files *files = place->files;
    cal_kept *kept = provide_kept(files, stripes);
    char path[PATH_MAX];

    if (kept == NULL)
        return provide_kept(files, 0);
    provide_name(files, kept, path);
    if (place->rank == 0)
        unlink(path);
    return kept;
}

static int make_file(const cal_place *place, uint64_t bytes, cal_kept *kept_p)
{
    cal_kept made = {.stripes = place->point->stripes,
                     .number = MADE,
                     .pieces = 1,
                     .spacing = bytes,
                     .bytes = bytes};
    char path[PATH_MAX];
    int code = 0, file;

    provide_name(place->files, &made, path);
    if (place->rank == 0) {
        code = place->files->driver->create(path, made.stripes, place->files->stripe_size, &file);
        if (code == 0)
            close(file);
    }
    code = world_agree(place->comm, code);
    if (code == 0)
        code = world_agree(place->comm, write_slice(place, path, bytes));
    *kept_p = made;
    return code;
}

/* Bytes that the servers of a file's stripes take in so many seconds. */
static double taken_in(const cal_place *place, double seconds)
{
    const plan_look *look = &place->files->look;

    return look->all > 0 ? seconds * fmin(look->one * place->point->stripes, look->all) : INFINITY;
}

double provide_wanted(const cal_place *place)
{
    return fmin(CAL_DATA_SET, taken_in(place, fmin(DATA_SECONDS, place->files->longest / 10)));
}

int provide_file(const cal_place *place, uint64_t least, uint64_t wanted, const cal_kept **kept_p)
{
    cal_files *files = place->files;
    cal_kept *kept = provide_kept(files, place->point->stripes);
    double readers = place->point->receivers, most = taken_in(place, place->files->longest / 2);
    uint64_t there = 0, made = 0;
    int code = 0;

    if (kept != NULL)
        provide_part(kept, place->point->receivers, 0, &there);
    if (there < wanted && (double) wanted * readers <= most)
        made = wanted;
    else if (there < least && (double) least * readers <= most)
        made = least;
    else if (there < least)
        kept = NULL;
    if (made > 0 && (kept = replace(place, place->point->stripes)) != NULL)
        code = make_file(place, made * (uint64_t) place->point->receivers, kept);
    *kept_p = kept;
    return code;
}

int provide_keep(const cal_place *place, const cal_kept *written, int file, bool *kept_p)
{
    cal_files *files = place->files;
    const cal_kept *before = provide_kept(files, written->stripes);
    cal_kept *kept;
    int code;

    *kept_p = files->reads && written->bytes > 0 &&
              (before == NULL ||
               written->pieces * written->bytes > MORE * before->pieces * before->bytes);
    if (!*kept_p)
        return 0;
    code = world_agree(place->comm, files->drops ? flush(file) : 0);
    kept = replace(place, written->stripes);
    if (kept != NULL)
        *kept = *written;
    *kept_p = kept != NULL;
    return code;
}
