/*
 * Rounds of file accesses.  Writes of a visit go to a file of their own: its
 * first round, in which locks are granted, is a repetition of write_first and
 * the warm-up of all others.  Reads are from a file that is written when first
 * needed; read_first opens it again.
 */

#include "calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    ROUNDS_MAX = 1 << 20,
    FEW = 4 /* rounds, of which the first ones would be a large part */
};

/* Part of a cache that a visit may fill: systems slow writers down before it is full. */
#define ROOM 0.5

/* Part of a full cache that a repetition writes: writers are held up now and then, for
 * longer than one small write takes. */
#define DRAINED 0.25

/* After which stripes that drain as fast as they are written to are as good as full. */
#define FILL_SECONDS 10.0

/* Of a cache that was measured: written, it is full. */
#define FULL 1.25

typedef struct storage {
    const cal_place *place;
    const plan_point *point;
    cal_files *files;
    char path[PATH_MAX];
    int turn;        /* of this rank among those that access, or -1 */
    int writers;     /* ranks with a file domain */
    int rounds;      /* of a domain */
    uint64_t step;   /* bytes of a round in a domain, with the round before, */
    uint64_t stripe; /* or a stripe that begins with them */
    uint64_t domain;
    int file; /* open, or -1 */
    int code; /* first failure */
    int done; /* rounds since the file was empty, if they start over, */
    int last; /* and those before the last repetition */
    int made; /* files */
} storage;

static void fail(storage *s, int code)
{
    if (s->code == 0)
        s->code = code;
}

/* A write that is measured with room in the cache. */
static bool finds_room(const storage *s)
{
    return s->files->absorb && !plan_is_read(s->point->operation) &&
           s->point->operation != ATM_WRITE_DRAINED;
}

/* Rounds of writes begin anew with an empty file: else memory is used that the host of a virtual
 * machine has to find first, which takes longer than to write to it.  Elsewhere that would cost
 * locks, and nodes may still write to what another has cut off. */
static bool starts_over(const storage *s)
{
    return s->files->is_local && !plan_is_read(s->point->operation) &&
           s->point->operation != ATM_WRITE_DRAINED && s->point->operation != ATM_WRITE_FIRST;
}

/* Where a round is in the file.  Stripes of Lustre are dealt out in turn
 * (ad_lustre_aggregate.c:115), as are the pieces of ranks that write for
 * themselves; other file domains are one piece each (ad_aggregate.c:213). */
static uint64_t position(const storage *s, int repetition)
{
    uint64_t round = (uint64_t) (repetition % s->rounds), turn = (uint64_t) s->turn;

    if (s->domain == 0)
        return (round * (uint64_t) s->writers + turn) * s->step;
    return turn * s->domain + round * s->step;
}

static void transfer(storage *s, uint64_t bytes, uint64_t offset)
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
        fail(s, code);
}

static void open_file(storage *s)
{
    if (s->turn < 0)
        return;
    s->file = open(s->path, O_RDWR | O_CLOEXEC);
    if (s->file < 0)
        fail(s, errno);
}

static void close_file(storage *s)
{
    if (s->file >= 0 && close(s->file) != 0)
        fail(s, errno);
    s->file = -1;
}

static void remove_file(storage *s)
{
    if (s->turn == 0 && s->made > 0 && unlink(s->path) != 0 && errno != ENOENT)
        fail(s, errno);
}

/* The first aggregator makes the file, then all open it (ad_opencoll.c:72-120).  It has a name of
 * its own: nodes may remember for a while what the last one was, and open that, which is gone. */
static void open_new(storage *s)
{
    int file, code;

    remove_file(s);
    snprintf(s->path, sizeof(s->path), "%s/write-%d-%d.data", s->files->directory, s->files->visit,
             s->made++);
    if (s->turn == 0) {
        code = s->files->driver->create(s->path, s->point->stripes, s->stripe, &file);
        if (code == 0)
            close(file);
        else
            fail(s, code);
    }
    MPI_Barrier(s->place->comm);
    open_file(s);
}

/* --- one repetition */

static bool is_first(const storage *s)
{
    return s->point->operation == ATM_WRITE_FIRST || s->point->operation == ATM_READ_FIRST;
}

/* If there is no room for as many rounds as the last repetition had. */
static void start_over(storage *s)
{
    int repetition = s->done - s->last;

    if (s->done + repetition > s->rounds) {
        MPI_Barrier(s->place->comm);
        if (s->turn == 0 && ftruncate(s->file, 0) != 0)
            fail(s, errno);
        s->done = 0;
    }
    s->last = s->done;
}

static int number_of(const storage *s, int repetition)
{
    return starts_over(s) ? s->done : repetition;
}

/* Of partial rounds: the full one before. */
static int before(void *state, int repetition)
{
    storage *s = state;

    if (is_first(s)) {
        /* ROMIO allocates a collective buffer at open: its pages do not exist yet */
        if (!s->files->touched_apart && s->turn >= 0)
            touch_forget(s->place->buffer, s->point->bytes);
        if (plan_is_read(s->point->operation))
            open_file(s);
        else
            open_new(s);
        return s->code;
    }
    if (starts_over(s))
        start_over(s);
    if (s->point->before_bytes > 0 && s->turn >= 0)
        transfer(s, s->point->before_bytes, position(s, number_of(s, repetition)));
    return s->code;
}

static int run_round(void *state, int repetition)
{
    storage *s = state;

    if (s->turn >= 0 && s->point->operation == ATM_WRITE_FIRST && !s->files->touched_apart)
        touch_pages(s->place->buffer, s->point->bytes);
    if (s->turn >= 0)
        transfer(s, s->point->bytes,
                 position(s, number_of(s, repetition)) + s->point->before_bytes);
    s->done++;
    return s->code;
}

/* What was read is dropped from the cache, so that it is not read from there again, unless this
 * is what is measured. */
static int after(void *state, int repetition)
{
    storage *s = state;

    if (s->file >= 0 && plan_is_read(s->point->operation) &&
        s->point->operation != ATM_READ_CACHED && s->files->cache > 0)
        posix_fadvise(s->file, (off_t) position(s, repetition), (off_t) s->step,
                      POSIX_FADV_DONTNEED);
    if (is_first(s))
        close_file(s);
    return s->code;
}

/* --- a visit */

/* Rounds that fit on disk, of those wanted; files to read are used again. */
static void lay_out(storage *s)
{
    const plan_point *point = s->point;
    bool read = plan_is_read(point->operation);
    bool dealt = !read && s->files->driver == &access_drivers[ATM_LUSTRE];
    double round;

    s->stripe = plan_stripe(point, dealt ? ATM_LUSTRE : ATM_UFS, s->files->stripe_size);
    s->writers = point->receivers;
    s->step = point->before_bytes + point->bytes;
    if (dealt && !plan_is_independent(point->operation))
        s->step = s->stripe;
    round = (double) s->step * s->writers;
    s->rounds = is_first(s) && !read ? 1 : read || starts_over(s) ? 2 : s->place->most + 2;
    if (s->rounds > 1 && s->rounds * round < CAL_DATA_SET)
        s->rounds = (int) fmin(CAL_DATA_SET / round, ROUNDS_MAX);
    if (s->rounds * round > (double) s->files->disk)
        s->rounds = (int) ((double) s->files->disk / round);
    if (finds_room(s) && s->rounds * round > ROOM * (double) s->files->cache)
        s->rounds = (int) (ROOM * (double) s->files->cache / round);
    s->domain = s->step * (uint64_t) s->rounds;
    if (plan_is_independent(point->operation) || dealt)
        s->domain = 0;
    for (int i = 0; i < s->writers; i++)
        if (s->place->chosen[i] == s->place->rank)
            s->turn = i;
}

/* Stripes have caches of their own, which only writes to the same stripes fill. */
static int fill_own(storage *s)
{
    double round = (double) s->step * s->writers, start = MPI_Wtime();
    double wanted = FULL * (double) s->files->cache * s->point->stripes / round;
    int enough = 0;

    for (int i = 0; i < wanted && !enough; i++) {
        if (s->turn >= 0)
            transfer(s, s->point->bytes, position(s, i));
        enough = s->code != 0 || MPI_Wtime() - start > FILL_SECONDS;
        MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MAX, s->place->comm);
    }
    return world_agree(s->place->comm, s->code);
}

/* So that memory that starts over is there. */
static void write_once(storage *s)
{
    for (int i = 0; s->turn >= 0 && s->turn < s->point->receivers && i < s->rounds; i++)
        transfer(s, s->point->bytes, position(s, i));
    MPI_Barrier(s->place->comm);
    if (s->turn == 0 && s->code == 0 && ftruncate(s->file, 0) != 0)
        fail(s, errno);
}

/* So that all of it is in the cache of the node that will read it. */
static void read_once(storage *s)
{
    for (int i = 0; s->turn >= 0 && i < s->rounds; i++)
        transfer(s, s->point->bytes, position(s, i));
}

static int begin(storage *s)
{
    bool read = plan_is_read(s->point->operation);
    int code = 0;

    if (read) {
        snprintf(s->path, sizeof(s->path), "%s/read-%d.data", s->files->directory,
                 s->point->stripes);
        code =
            provide_file(s->place, s->path, s->step * (uint64_t) s->rounds * (uint64_t) s->writers);
    } else if (finds_room(s)) {
        code = cache_drain(s->place->comm, s->files);
    } else if (s->files->cache > 0 && s->files->servers == 1) {
        code = cache_fill(s->place->comm, s->files, s->place->buffer, s->place->buffer_bytes);
    }
    if (code != 0 || is_first(s))
        return code;
    if (read)
        open_file(s);
    else
        open_new(s);
    if (s->point->operation == ATM_READ_CACHED)
        read_once(s);
    if (starts_over(s) && s->rounds <= FEW)
        write_once(s);
    code = world_agree(s->place->comm, s->code);
    if (code == 0 && !read && !finds_room(s) && s->files->cache > 0 && s->files->servers > 1)
        code = fill_own(s);
    return code;
}

/* Files that were written go, those that are read stay.  What has not reached the disk goes, too,
 * and leaves room in the cache. */
static int end(storage *s, double written)
{
    if (s->point->operation == ATM_WRITE_DRAINED)
        s->files->level = fmax(0, s->files->level - written);
    close_file(s);
    MPI_Barrier(s->place->comm);
    remove_file(s);
    return world_agree(s->place->comm, s->code);
}

/* Rounds of a repetition, of which there must be two. */
static int batch_of(const storage *s)
{
    double round = (double) s->step * s->writers, wanted = DRAINED * (double) s->files->cache;

    if (s->point->operation != ATM_WRITE_DRAINED || wanted <= round)
        return 1;
    return (int) fmin(wanted / round, s->rounds / 2.0);
}

/* *count_p is 0 for a write that the cache is too small for, or that needs one. */
int measure_storage(const cal_place *place, double *seconds, int *count_p)
{
    storage state = {
        .place = place, .point = place->point, .files = place->files, .turn = -1, .file = -1};
    double written = 0; /* with the repetition that warms up */
    int code, ended;

    lay_out(&state);
    *count_p = 0;
    if (state.rounds < (is_first(&state) ? 1 : 2) ||
        (state.point->operation == ATM_WRITE_DRAINED && !place->files->absorb))
        return 0;
    code = begin(&state);
    if (code == 0) {
        bool bounded =
            !plan_is_read(state.point->operation) && !is_first(&state) && !starts_over(&state);
        int batch = batch_of(&state), most = state.rounds / batch;
        cal_work work = {.comm = place->comm,
                         .apart = true,
                         .batch = batch,
                         /* what comes before or after is for one of them */
                         .batches = !is_first(&state) && state.point->before_bytes == 0 &&
                                    place->files->cache == 0,
                         .most = bounded && most < place->most + 2 ? most : place->most + 2,
                         .state = &state,
                         .before = before,
                         .run = run_round,
                         .after = after};

        code = sample_work(&work, place->limit, seconds, place->most, count_p);
        written = (1.0 + *count_p) * batch * (double) state.step * state.writers;
    }
    ended = end(&state, written);
    return code != 0 ? code : ended;
}
