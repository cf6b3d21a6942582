/* Draws a case. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "random.h"

enum {
    PURPOSE_CASE = 0,
    PURPOSE_HINTS = 1,
    PURPOSE_TUNING = 2,
    KIB = 1024,
    /* Pieces in memory cost far more than bytes. */
    MAX_ELEMENTS_WITH_GAPS = 4096,
};

const char *const fs_names[FS_COUNT] = {"ufs", "nfs", "gpfs", "lustre"};

static const char *const pattern_names[PATTERNS] = {"contiguous", "vector", "indexed", "hindexed",
                                                    "subarray"};

/* ---- calls and layout ---- */

/* All calls alike, except that shared pointers come only now and then. */
static const struct call *draw_call(struct rng *rng, int shared_possible)
{
    const struct call *call = &calls[rng_between(rng, 0, call_count - 1)];

    if (call->group == SHARED)
        call = &calls[rng_between(rng, 0, call_count - 1)];
    while (call->group == SHARED && !shared_possible)
        call = &calls[rng_between(rng, 0, call_count - 1)];
    return call;
}

static void draw_grid(struct test_case *c, struct rng *rng)
{
    int rest = c->ranks;

    for (int d = 0; d < c->dimensions; d++) {
        int parts = d == c->dimensions - 1 ? rest : rng_between(rng, 1, rest);
        while (rest % parts)
            parts--;
        c->grid[d] = parts;
        rest /= parts;
    }
}

static void draw_subarray(struct test_case *c, struct rng *rng, int64_t elements)
{
    int most = c->dimensions == 2 ? 256 : 24;

    for (int i = 0; i < c->dimensions; i++) {
        /* the dimension whose elements are neighbours in the file comes last */
        int d = c->fortran ? c->dimensions - 1 - i : i;
        int last = i == c->dimensions - 1;
        c->sizes[d] = last ? elements : rng_size(rng, 1, elements < most ? elements : most);
        elements /= c->sizes[d];
        if (c->sizes[d] < c->grid[d])
            c->sizes[d] = c->grid[d];
    }
}

/* elements: what a rank owns of one repetition of the file type, roughly */
static void draw_pattern(struct test_case *c, struct rng *rng, int64_t elements)
{
    static const int etype_sizes[] = {1, 1, 3, 4, 8, 8};

    c->pattern = rng_between(rng, 0, PATTERNS - 1);
    c->etype_size = etype_sizes[rng_between(rng, 0, 5)];
    c->displacement = rng_chance(rng, 50) ? 0 : rng_size(rng, 1, 20 * KIB);

    c->blocks = rng_size(rng, 1, elements < 256 ? elements : 256);
    c->block = elements / c->blocks;
    c->gap = rng_chance(rng, 50) ? 0 : rng_size(rng, 1, c->ranks * c->block);

    c->pieces = rng_size(rng, 1, 32 * c->ranks);
    c->piece_max = 2 * elements * c->ranks / c->pieces + 1;
    c->holes = rng_chance(rng, 60);

    c->dimensions = rng_between(rng, 2, 3);
    c->fortran = rng_chance(rng, 50);
    c->margin = rng_chance(rng, 40);
    draw_grid(c, rng);
    draw_subarray(c, rng, elements * c->ranks);
}

/* ---- who writes how much ---- */

static int64_t draw_count(struct rng *rng, int64_t most, int empty_percent)
{
    if (rng_chance(rng, empty_percent))
        return 0;
    return rng_chance(rng, 40) ? most : rng_between(rng, 1, most);
}

/* The ranks one behind the other in the same view, from *next on */
static void draw_sequence(struct test_case *c, struct rng *rng, int step, int64_t most,
                          int empty_percent, int gaps, int64_t *next)
{
    for (int rank = 0; rank < c->ranks; rank++) {
        struct access *a = &c->access[step][rank];
        a->start = *next;
        a->count = draw_count(rng, most, empty_percent);
        *next += a->count + (gaps ? rng_size(rng, 1, most) : 0);
    }
}

/* Each rank anywhere in its own view */
static void draw_apart(struct test_case *c, struct rng *rng, int step, int64_t most,
                       int empty_percent, const struct layout *layouts)
{
    for (int rank = 0; rank < c->ranks; rank++) {
        struct access *a = &c->access[step][rank];
        if (layouts[rank].bytes == 0)
            continue;
        a->start = rng_chance(rng, 60) ? 0 : rng_between(rng, 0, 2 * most);
        a->count = draw_count(rng, most, empty_percent);
    }
}

/* An empty access with gaps in memory and in the view gives ROMIO's NFS driver
 * a negative length (ADIOI_NFS_WriteStrided, end_offset stays 0): it locks the
 * bytes before the offset, fails to read, and returns without unlocking, which
 * hangs the other ranks. */
static int empty_access_hangs(const struct test_case *c)
{
    return c->fs == NFS && c->memory_gap && c->pattern != CONTIGUOUS;
}

static void draw_accesses(struct test_case *c, struct rng *rng, int64_t most,
                          const struct layout *layouts)
{
    int shared = c->write->pointer == SHARED_POINTER;
    int empty_percent = rng_chance(rng, 60) ? 0 : rng_chance(rng, 90) ? 30 : 100;
    int64_t next = rng_between(rng, 0, most);

    if (empty_access_hangs(c))
        empty_percent = 0;
    for (int step = 0; step < c->steps; step++) {
        if (!shared)
            next = rng_chance(rng, 60) ? 0 : rng_between(rng, 0, 2 * most);
        if (shared || c->pattern == CONTIGUOUS)
            draw_sequence(c, rng, step, most, empty_percent, !shared && rng_chance(rng, 50), &next);
        else
            draw_apart(c, rng, step, most, empty_percent, layouts);
    }
}

/* ---- the file and how it is opened ---- */

static void draw_file(struct test_case *c, struct rng *rng, int64_t end)
{
    c->prefill = rng_chance(rng, 15) ? NO_PREFILL : rng_chance(rng, 50) ? BEFORE_OPEN : AFTER_OPEN;
    /* where a new file may have no layout yet, POSIX cannot write to it */
    if (c->fs == LUSTRE && c->prefill == AFTER_OPEN)
        c->prefill = BEFORE_OPEN;
    c->prefill_bytes =
        rng_chance(rng, 80) ? end + rng_size(rng, 1, 4 * KIB) : rng_between(rng, 0, end);
    c->set_size = rng_chance(rng, 15) ? rng_between(rng, 1, end + end / 4 + 1) : 0;
    c->atomic = rng_chance(rng, 10);
    c->sync = rng_chance(rng, 5);
    c->write_only = rng_chance(rng, 15);
    c->exclusive = c->prefill != BEFORE_OPEN && rng_chance(rng, 30);
    c->reopen = c->write_only || rng_chance(rng, 25);
    c->preallocate = rng_chance(rng, 10) ? rng_between(rng, 1, end + end / 4 + 1) : 0;
}

/* ---- hints ---- */

__attribute__((format(printf, 4, 5))) static void add_hint(struct test_case *c, const char *key,
                                                           int with_view, const char *format, ...)
{
    struct hint *hint = &c->hints[c->hint_count++];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(hint->value, sizeof hint->value, format, arguments);
    va_end(arguments);
    snprintf(hint->key, sizeof hint->key, "%s", key);
    hint->with_view = with_view;
}

static void draw_switches(struct test_case *c, struct rng *rng)
{
    static const char *const keys[] = {"romio_cb_write", "romio_cb_read", "romio_ds_write",
                                       "romio_ds_read"};
    static const char *const values[] = {"enable", "disable", "automatic"};

    for (int i = 0; i < 4; i++)
        if (rng_chance(rng, 60)) {
            int with_view = rng_chance(rng, 15);
            add_hint(c, keys[i], with_view, "%s", values[rng_between(rng, 0, 2)]);
        }
}

static void draw_sizes(struct test_case *c, struct rng *rng, int64_t end)
{
    if (rng_chance(rng, 80)) {
        /* a number of rounds rather than a size, so that the time stays bounded */
        int64_t bytes = end / rng_size(rng, 1, 48);
        bytes += rng_between(rng, 0, 100);
        bytes = bytes < 4 * KIB ? 4 * KIB : bytes;
        /* Growing the buffer after open overruns it in ROMIO (cb_buffer_size is
         * changed, io_buf is not).  With the view is safe here because then the
         * open had no value, and its default is larger than all of ours. */
        add_hint(c, "cb_buffer_size", rng_chance(rng, 15), "%" PRId64,
                 bytes > KIB * KIB ? KIB * KIB : bytes);
    }
    for (int i = 0; i < 2; i++)
        if (rng_chance(rng, 40)) {
            int with_view = rng_chance(rng, 15);
            add_hint(c, i == 0 ? "ind_wr_buffer_size" : "ind_rd_buffer_size", with_view, "%" PRId64,
                     rng_size(rng, KIB, 64 * KIB));
        }
}

/* A rank that is no aggregator has a file of writes open for writing alone (ad_iopen.c).  Where
 * two-phase I/O is switched off later, it cannot read what is between its data, and ROMIO's Lustre
 * driver returns without unlocking (ad_lustre_wrstr.c:38), which hangs the other ranks. */
static int writing_alone_hangs(const struct test_case *c)
{
    for (int i = 0; i < c->hint_count; i++)
        if (strncmp(c->hints[i].key, "romio_cb", 8) == 0 && c->hints[i].with_view)
            return c->write_only;
    return 0;
}

static void draw_aggregators(struct test_case *c, struct rng *rng)
{
    if (rng_chance(rng, 75)) {
        add_hint(c, "cb_nodes", 0, "%" PRId64, rng_between(rng, 1, c->ranks));
        if (rng_chance(rng, 85))
            add_hint(c, "cb_config_list", 0, "*:*");
    }
    if (c->write->collective && c->read->collective && c->write->group != SHARED &&
        c->read->group != SHARED && rng_chance(rng, 20) && !writing_alone_hangs(c))
        add_hint(c, "romio_no_indep_rw", 0, "true");
}

static void draw_striping(struct test_case *c, struct rng *rng)
{
    if (rng_chance(rng, c->fs == LUSTRE ? 60 : 15)) {
        /* Lustre accepts multiples of 64 KiB only. */
        add_hint(c, "striping_unit", 0, "%d", (64 * KIB) << rng_between(rng, 0, 2));
        add_hint(c, "striping_factor", 0, "%" PRId64, rng_between(rng, 1, 4));
    }
    if (c->fs == LUSTRE && rng_chance(rng, 30))
        add_hint(c, "romio_lustre_co_ratio", 0, "%" PRId64, rng_between(rng, 1, 3));
    if (c->fs == LUSTRE && rng_chance(rng, 20))
        add_hint(c, "romio_lustre_ds_in_coll", 0, "%s", rng_chance(rng, 50) ? "enable" : "disable");
    if (rng_chance(rng, 10))
        add_hint(c, "romio_not_a_hint", 0, "1");
}

/* The wrapped driver does not know this key and ignores it. */
static void draw_mode(struct test_case *c, struct rng *rng)
{
    static const char *const modes[] = {"enable", "disable", "automatic", "nonsense"};

    if (rng_chance(rng, 25)) {
        int with_view = rng_chance(rng, 15);
        add_hint(c, "romio_autotune", with_view, "%s", modes[rng_between(rng, 0, 3)]);
    }
}

static void draw_hints(struct test_case *c, int64_t end)
{
    struct rng rng = rng_start(c->seed, c->number, PURPOSE_HINTS);

    draw_switches(c, &rng);
    draw_sizes(c, &rng, end);
    draw_aggregators(c, &rng);
    draw_striping(c, &rng);
    draw_mode(c, &rng);
}

void case_draw(struct test_case *c, uint64_t seed, int number, enum fs fs, int max_ranks)
{
    struct rng rng = rng_start(seed, number, PURPOSE_CASE);
    struct layout layouts[MAX_RANKS];

    *c = (struct test_case){.seed = seed, .number = number, .fs = fs};
    c->prefix_named = rng_chance(&rng, 70);
    c->plain_first = rng_chance(&rng, 50);
    c->ranks = rng_between(&rng, 1, max_ranks);
    c->write = draw_call(&rng, 1);
    c->read = draw_call(&rng, c->write->group == SHARED);
    c->steps = rng_between(&rng, 1, MAX_STEPS);
    c->in_turns = rng_chance(&rng, 10);
    c->read_shift = rng_between(&rng, 0, c->ranks - 1);

    int64_t budget = rng_size(&rng, 16, rng_chance(&rng, 10) ? 384 * KIB : 48 * KIB);
    int64_t repetitions = rng_between(&rng, 1, 3);
    draw_pattern(c, &rng, budget / 8 / repetitions + 1);
    int64_t most = (budget / 8 / repetitions + 1) * repetitions;
    if (most <= MAX_ELEMENTS_WITH_GAPS && rng_chance(&rng, 30))
        c->memory_gap = rng_size(&rng, 1, 16);

    for (int rank = 0; rank < c->ranks; rank++)
        layout_make(&layouts[rank], c, rank);
    draw_accesses(c, &rng, most, layouts);
    int64_t end = layout_file_end(c, layouts);
    draw_file(c, &rng, end);
    draw_hints(c, end);
    c->end = end;
    for (int rank = 0; rank < c->ranks; rank++)
        layout_free(&layouts[rank]);
}

/* The cap is what makes buffers small enough for several rounds: candidates have
 * 1 MiB at least where they may. */
void case_tune(struct test_case *c, const char *directory)
{
    struct rng rng = rng_start(c->seed, c->number, PURPOSE_TUNING);

    snprintf(c->profile, sizeof c->profile, "%s/%d.json", directory, c->number);
    c->profile_by_hint = rng_chance(&rng, 50);
    if (rng_chance(&rng, 75)) {
        int64_t share = c->end / rng_size(&rng, 1, 48);
        c->memory = c->ranks * (share + rng_between(&rng, 100, 5000));
    }
}

static const char *prefill_text(const struct test_case *c)
{
    return c->prefill == NO_PREFILL    ? "no previous content"
           : c->prefill == BEFORE_OPEN ? "previous content"
                                       : "content after open";
}

void case_describe(const struct test_case *c, char *text, size_t size)
{
    int used = snprintf(text, size,
                        "%s%s, %d ranks, %s, %s, %s, etype %d bytes, memory gap %d, "
                        "%d steps, displacement %" PRId64 ", %s %" PRId64 ", set_size %" PRId64
                        ", preallocate %" PRId64 "%s%s%s%s%s%s%s; hints:",
                        fs_names[c->fs], c->prefix_named ? " by prefix" : " detected", c->ranks,
                        c->write->write_name, c->read->read_name, pattern_names[c->pattern],
                        c->etype_size, c->memory_gap, c->steps, c->displacement, prefill_text(c),
                        c->prefill_bytes, c->set_size, c->preallocate, c->atomic ? ", atomic" : "",
                        c->exclusive ? ", exclusive" : "", c->write_only ? ", write only" : "",
                        c->reopen ? ", reopened" : "", c->sync ? ", sync" : "",
                        c->in_turns ? ", in turns" : "", c->plain_first ? ", plain first" : "");

    if (c->memory && used < (int) size)
        used += snprintf(text + used, size - used, " memory %" PRId64, c->memory);
    for (int i = 0; i < c->hint_count && used < (int) size; i++)
        used += snprintf(text + used, size - used, " %s=%s%s", c->hints[i].key, c->hints[i].value,
                         c->hints[i].with_view ? " (view)" : "");
}
