/*
 * Rounds of file accesses.  Writes of a visit go to a file of their own: its
 * first round, in which locks are granted, is a repetition of write_first and
 * the warm-up of all others.  Reads are from what writes have left (provide.c);
 * read_first opens it again.
 */

#include "storage.h"

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

/* After which stripes that drain as fast as they are written to are as good as full, at most. */
#define FILL_SECONDS 10.0

/* Multiple of its measured size that is written to a cache to fill it for certain. */
#define FULL 1.25

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

    if (s->kept != NULL)
        return s->part + round * s->step;
    if (s->domain == 0)
        return (round * (uint64_t) s->writers + turn) * s->step;
    return turn * s->domain + round * s->step;
}

/* --- one repetition */

static bool is_first(const storage *s)
{
    return s->point->operation == ATM_WRITE_FIRST || s->point->operation == ATM_READ_FIRST;
}

/* Truncates the file if it has no room for as many rounds as the last repetition had. */
static void start_over(storage *s)
{
    int repetition = s->done - s->last;

    if (s->done + repetition > s->rounds) {
        MPI_Barrier(s->place->comm);
        if (s->turn == 0 && ftruncate(s->file, 0) != 0)
            storage_fail(s, errno);
        s->done = 0;
    }
    s->last = s->done;
}

static int number_of(const storage *s, int repetition)
{
    return starts_over(s) ? s->done : repetition;
}

/* Prepares a repetition; for partial rounds that is the full round before, untimed. */
static int before(void *state, int repetition)
{
    storage *s = state;

    if (is_first(s)) {
        /* ROMIO allocates a collective buffer at open: its pages do not exist yet */
        if (!s->files->touched_apart && s->turn >= 0)
            touch_forget(s->place->buffer, s->point->bytes);
        if (plan_is_read(s->point->operation))
            storage_open(s);
        else
            storage_open_new(s);
        return s->code;
    }
    if (starts_over(s))
        start_over(s);
    if (s->point->before_bytes > 0 && s->turn >= 0)
        storage_transfer(s, s->point->before_bytes, position(s, number_of(s, repetition)));
    return s->code;
}

static int run_round(void *state, int repetition)
{
    storage *s = state;

    if (s->turn >= 0 && s->point->operation == ATM_WRITE_FIRST && !s->files->touched_apart)
        touch_pages(s->place->buffer, s->point->bytes);
    if (s->turn >= 0)
        storage_transfer(s, s->point->bytes,
                         position(s, number_of(s, repetition)) + s->point->before_bytes);
    s->done++;
    return s->code;
}

/* Drops what was read from the page cache, unless reading from it is what is measured. */
static int after(void *state, int repetition)
{
    storage *s = state;

    if (s->file >= 0 && plan_is_read(s->point->operation) &&
        s->point->operation != ATM_READ_CACHED && s->files->drops)
        posix_fadvise(s->file, (off_t) position(s, repetition), (off_t) s->step,
                      POSIX_FADV_DONTNEED);
    if (is_first(s))
        storage_close(s);
    return s->code;
}

/* --- a visit */

/* Limits the wanted rounds to what fits on disk; files to read are used again. */
static void lay_out(storage *s)
{
    const plan_point *point = s->point;
    bool read = plan_is_read(point->operation);
    bool dealt = !read && s->files->driver == &access_drivers[ATM_LUSTRE];
    double round, data_set;

    s->stripe = plan_stripe(point, dealt ? ATM_LUSTRE : ATM_UFS, s->files->stripe_size);
    s->writers = point->receivers;
    s->step = point->before_bytes + point->bytes;
    if (dealt && !plan_is_independent(point->operation))
        s->step = s->stripe;
    round = (double) s->step * s->writers;
    s->rounds = is_first(s) && !read ? 1 : read || starts_over(s) ? 2 : s->place->most + 2;
    data_set = read ? provide_wanted(s->place) : CAL_DATA_SET;
    if (s->rounds > 1 && s->rounds * round < data_set)
        s->rounds = (int) fmin(data_set / round, ROUNDS_MAX);
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

/* Fills the caches of this file's own stripes: each stripe has a cache, which only writes to it
 * fill. */
static int fill_own(storage *s)
{
    double round = (double) s->step * s->writers, start = MPI_Wtime();
    double wanted = FULL * (double) s->files->cache * s->point->stripes / round;
    double most = fmin(FILL_SECONDS, s->files->longest);
    int enough = 0;

    for (int i = 0; i < wanted && !enough; i++) {
        if (s->turn >= 0)
            storage_transfer(s, s->point->bytes, position(s, i));
        enough = s->code != 0 || MPI_Wtime() - start > most;
        MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MAX, s->place->comm);
    }
    return world_agree(s->place->comm, s->code);
}

/* Has the page cache get its memory before rounds that start over with an empty file. */
static void write_once(storage *s)
{
    for (int i = 0; s->turn >= 0 && s->turn < s->point->receivers && i < s->rounds; i++)
        storage_transfer(s, s->point->bytes, position(s, i));
    MPI_Barrier(s->place->comm);
    if (s->turn == 0 && s->code == 0 && ftruncate(s->file, 0) != 0)
        storage_fail(s, errno);
}

/* Brings the file into the page cache of the node that will read it. */
static void read_once(storage *s)
{
    for (int i = 0; s->turn >= 0 && i < s->rounds; i++)
        storage_transfer(s, s->point->bytes, position(s, i));
}

/* Limits rounds to what there is to read. */
static int begin_reading(storage *s)
{
    int code = provide_file(s->place, 2 * s->step, s->step * (uint64_t) s->rounds, &s->kept);
    uint64_t bytes;

    if (code != 0 || s->kept == NULL)
        return code;
    provide_name(s->files, s->kept, s->path);
    s->part = provide_part(s->kept, s->writers, s->turn > 0 ? s->turn : 0, &bytes);
    s->rounds = (int) fmin((double) (bytes / s->step), s->rounds);
    return 0;
}

static int begin(storage *s)
{
    bool read = plan_is_read(s->point->operation);
    int code = 0;

    if (read) {
        code = begin_reading(s);
        if (code == 0 && s->kept == NULL)
            return 0;
    } else if (finds_room(s)) {
        code = cache_drain(s->place->comm, s->files);
    } else if (s->files->cache > 0 && s->files->servers == 1) {
        code = cache_fill(s->place->comm, s->files, s->place->buffer, s->place->buffer_bytes);
    }
    if (code != 0 || is_first(s))
        return code;
    if (read)
        storage_open(s);
    else
        storage_open_new(s);
    if (s->point->operation == ATM_READ_CACHED)
        read_once(s);
    if (starts_over(s) && s->rounds <= FEW)
        write_once(s);
    code = world_agree(s->place->comm, s->code);
    if (code == 0 && !read && !finds_room(s) && s->files->cache > 0 && s->files->servers > 1)
        code = fill_own(s);
    return code;
}

/* Describes the written file as one to read; it has no bytes if it has holes. */
static cal_kept left_by(const storage *s)
{
    uint64_t rounds = (uint64_t) (s->done < s->rounds ? s->done : s->rounds);
    cal_kept written = {.stripes = s->point->stripes,
                        .visit = s->files->visit,
                        .number = s->made - 1,
                        .pieces = (uint64_t) s->writers,
                        .spacing = s->domain,
                        .bytes = rounds * s->step};

    if (s->domain == 0) {
        written.spacing = written.bytes *= written.pieces;
        written.pieces = 1;
    }
    if (plan_is_read(s->point->operation) || is_first(s) ||
        s->step != s->point->before_bytes + s->point->bytes)
        written.bytes = 0;
    return written;
}

/* Removes the written file unless it is kept for reading.  Data not yet on disk goes with it and
 * leaves room in the cache. */
static int end(storage *s, double written)
{
    const cal_kept left = left_by(s);
    bool kept;
    int code = provide_keep(s->place, &left, s->file, &kept);

    if (s->point->operation == ATM_WRITE_DRAINED)
        s->files->level = fmax(0, s->files->level - written);
    storage_close(s);
    MPI_Barrier(s->place->comm);
    if (!kept)
        storage_remove(s);
    return world_agree(s->place->comm, s->code != 0 ? s->code : code);
}

/* Rounds of a repetition, of which there must be two. */
static int batch_of(const storage *s)
{
    double round = (double) s->step * s->writers, wanted = DRAINED * (double) s->files->cache;

    if (s->point->operation != ATM_WRITE_DRAINED || wanted <= round)
        return 1;
    return (int) fmin(wanted / round, s->rounds / 2.0);
}

/* *count_p is 0 for a write that the cache is too small for, or that needs one, and for a read of
 * more than there is time to write. */
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
    if (code == 0 && plan_is_read(state.point->operation) && state.kept == NULL)
        return 0;
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
