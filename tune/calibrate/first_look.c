/*
 * The first look: some seconds that tell what can be afforded.
 *
 * One rank writes to one server, then all to all servers, in pieces that double until the time
 * is used; each is on the disks before the next one.  What was written last is read back by ranks
 * that did not write it.
 */

#include "calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOK_SECONDS 3.0     /* at most, */
#define LOOK_PART (1.0 / 30) /* and of a budget */
#define CACHED 2.0           /* times as long as a write takes what follows to reach the disks */

enum { SMALL = 4096, PIECE_MIN = 65536, PIECE_MAX = 16 << 20 };

typedef struct look {
    const cal_session *session;
    MPI_Comm comm;
    int rank, writers;
    int file;
    char path[PATH_MAX];      /* or "" */
    uint64_t spacing;         /* of pieces */
    uint64_t base, bytes;     /* of the last ones */
    char *buffer;             /* [PIECE_MAX] */
    double write, disk, code; /* seconds of them: to write, and until they are on the disks */
} look;

static uint64_t at(const look *look, int turn)
{
    return look->base + (uint64_t) turn * look->spacing;
}

/* Reduces both times to the slowest rank's, the same on all ranks. */
static int slowest(look *look, double *one_p, double *other_p, int code)
{
    double all[4] = {*one_p, *other_p, code, sample_signal() != 0};

    MPI_Allreduce(MPI_IN_PLACE, all, 4, MPI_DOUBLE, MPI_MAX, look->comm);
    *one_p = fmax(all[0], MPI_Wtick());
    *other_p = fmax(all[1], MPI_Wtick());
    return all[3] > 0 ? CAL_SIGNAL : (int) all[2];
}

static int write_pieces(look *look, uint64_t bytes)
{
    uint64_t usual = look->session->files.stripe_size;
    bool writes = look->rank < look->writers;
    double start;
    int code = 0;

    look->base += look->spacing * (uint64_t) look->writers;
    look->spacing = bytes > usual ? bytes : usual;
    look->bytes = bytes;
    MPI_Barrier(look->comm);
    start = MPI_Wtime();
    if (writes)
        code = look->session->files.driver->write(look->file, look->buffer, bytes,
                                                  at(look, look->rank));
    look->write = MPI_Wtime() - start;
    if (writes && code == 0 && fsync(look->file) != 0)
        code = errno;
    look->disk = MPI_Wtime() - start - look->write;
    return slowest(look, &look->write, &look->disk, code);
}

static int grow_pieces(look *look, double limit, uint64_t room)
{
    double spent = 0;
    int code = 0;

    for (uint64_t bytes = PIECE_MIN; code == 0 && bytes <= PIECE_MAX && 3 * spent < limit;
         bytes *= 2) {
        if (2 * (look->base + bytes * (uint64_t) look->writers) > room)
            break;
        code = write_pieces(look, bytes);
        spent += look->write + look->disk;
    }
    return code;
}

/* Reads pieces that other ranks wrote. */
static int read_pieces(look *look, double *seconds_p)
{
    int ranks = look->session->world->ranks, code = 0;
    double start, none = 0;

    posix_fadvise(look->file, 0, 0, POSIX_FADV_DONTNEED);
    MPI_Barrier(look->comm);
    start = MPI_Wtime();
    code = look->session->files.driver->read(look->file, look->buffer, look->bytes,
                                             at(look, (look->rank + ranks / 2) % ranks));
    *seconds_p = MPI_Wtime() - start;
    return slowest(look, seconds_p, &none, code);
}

/* The file of so many stripes, in which ranks write; local file. */
static int open_pieces(look *look, int writers, int stripes)
{
    const cal_files *files = &look->session->files;
    int code = 0, file = -1;

    look->writers = writers;
    look->base = look->spacing = 0;
    snprintf(look->path, sizeof(look->path), "%s/look-%d.data", files->directory, stripes);
    if (look->rank == 0) {
        code = files->driver->create(look->path, stripes, files->stripe_size, &file);
        if (code == 0)
            close(file);
    }
    code = world_agree(look->comm, code);
    if (code != 0)
        return code;
    look->file = open(look->path, O_RDWR | O_CLOEXEC);
    return world_agree(look->comm, look->file < 0 ? errno : 0);
}

static void close_pieces(look *look)
{
    if (look->file >= 0)
        close(look->file);
    look->file = -1;
    MPI_Barrier(look->comm);
    if (look->rank == 0)
        unlink(look->path);
    MPI_Barrier(look->comm);
}

static double rate_of(const look *look)
{
    return (double) look->bytes * look->writers / (look->write + look->disk);
}

/* Times the second small write: the first one takes locks. */
static int look_at_one(look *look, double limit, uint64_t room, plan_look *seen)
{
    int code = open_pieces(look, 1, 1);

    for (int i = 0; code == 0 && i < 2; i++)
        code = write_pieces(look, SMALL);
    seen->latency = look->write;
    if (code == 0)
        code = grow_pieces(look, limit, room);
    seen->one = rate_of(look);
    close_pieces(look);
    return code;
}

static int look_at_all(look *look, double limit, uint64_t room, plan_look *seen)
{
    const cal_session *session = look->session;
    double seconds = 1;
    int code = open_pieces(look, session->world->ranks, session->files.servers);

    if (code == 0)
        code = write_pieces(look, PIECE_MIN); /* takes locks */
    if (code == 0)
        code = grow_pieces(look, limit, room);
    seen->all = rate_of(look);
    seen->cached = look->disk > CACHED * look->write;
    if (code == 0)
        code = read_pieces(look, &seconds);
    seen->read = (double) look->bytes * look->writers / seconds;
    close_pieces(look);
    return code;
}

int look_around(const cal_session *session, plan_look *look_p)
{
    double budget = session->options->budget;
    double limit = budget > 0 ? fmin(budget * LOOK_PART, LOOK_SECONDS) : LOOK_SECONDS;
    look look = {.session = session,
                 .comm = session->world->comm,
                 .rank = session->world->rank,
                 .file = -1,
                 .buffer = malloc(PIECE_MAX)};
    plan_look seen = {0};
    uint64_t room = session->files.disk;
    int code = world_agree(look.comm, look.buffer == NULL ? ENOMEM : 0);

    if (code == 0) {
        memset(look.buffer, 1, PIECE_MAX);
        code = look_at_one(&look, limit / 2, room, &seen);
    }
    if (code == 0)
        code = look_at_all(&look, limit / 2, room, &seen);
    free(look.buffer);
    if (code == 0)
        *look_p = seen;
    return code;
}
