/* The file of a visit. */

#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void storage_fail(storage *s, int code)
{
    if (s->code == 0)
        s->code = code;
}

void storage_transfer(storage *s, uint64_t bytes, uint64_t offset)
{
    const access_driver *driver = s->files->driver;
    int code;

    if (s->code != 0)
        return;
    if (plan_is_read(s->point->operation))
        code = driver->read(s->file, s->place->buffer, bytes, offset);
    else
        code = driver->write(s->file, s->place->buffer, bytes, offset);
    if (code != 0)
        storage_fail(s, code);
}

void storage_open(storage *s)
{
    if (s->turn < 0)
        return;
    s->file = open(s->path, O_RDWR | O_CLOEXEC);
    if (s->file < 0)
        storage_fail(s, errno);
}

void storage_close(storage *s)
{
    if (s->file >= 0 && close(s->file) != 0)
        storage_fail(s, errno);
    s->file = -1;
}

void storage_remove(storage *s)
{
    if (s->turn == 0 && s->made > 0 && unlink(s->path) != 0 && errno != ENOENT)
        storage_fail(s, errno);
}

/* The first aggregator makes the file, then all open it (ad_opencoll.c:72-120).  It has a name of
 * its own: nodes may remember for a while what the last one was, and open that, which is gone. */
void storage_open_new(storage *s)
{
    int file, code;

    storage_remove(s);
    snprintf(s->path, sizeof(s->path), "%s/write-%d-%d.data", s->files->directory, s->files->visit,
             s->made++);
    if (s->turn == 0) {
        code = s->files->driver->create(s->path, s->point->stripes, s->stripe, &file);
        if (code == 0)
            close(file);
        else
            storage_fail(s, code);
    }
    MPI_Barrier(s->place->comm);
    storage_open(s);
}
