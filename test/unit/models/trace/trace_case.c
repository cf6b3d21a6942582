/* Random accesses: contiguous and strided, even and uneven, with and without
 * holes, some of them of a kind whose counts need no list of pieces. */

#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "unit/models/summarise.h"
#include "trace.h"

typedef struct builder {
    trace_case *c;
    uint64_t random; /* state */
    uint64_t at;     /* end of the last piece */
    uint64_t unit;   /* typical length of a piece */
} builder;

static uint64_t draw(builder *b, uint64_t below)
{
    return rng_next(&b->random) % below;
}

static uint64_t pick(builder *b, int count, const uint64_t *values)
{
    return values[draw(b, (uint64_t) count)];
}

/* The next piece of the file; one that continues a piece of its rank is joined
 * to it, as ROMIO does. */
static void piece(builder *b, int rank, uint64_t length)
{
    atm_access *access = &b->c->access;
    atm_piece *before = access->piece_count > 0 ? &b->c->pieces[access->piece_count - 1] : NULL;

    if (length == 0 || access->piece_count == TRACE_MAX_PIECES)
        return;
    if (before != NULL && before->rank == rank && before->offset + before->length == b->at)
        before->length += length;
    else
        b->c->pieces[access->piece_count++] = (atm_piece){b->at, length, rank};
    b->at += length;
}

static void contiguous(builder *b)
{
    for (int rank = 0; rank < b->c->job.ranks; rank++)
        piece(b, rank, b->unit);
}

static void uneven(builder *b)
{
    for (int rank = 0; rank < b->c->job.ranks; rank++)
        piece(b, rank, draw(b, 4) == 0 ? 0 : draw(b, 2 * b->unit) + 1);
}

static void gaps(builder *b)
{
    for (int rank = 0; rank < b->c->job.ranks; rank++) {
        piece(b, rank, draw(b, b->unit) + 1);
        uint64_t times = draw(b, 3);
        b->at += times * draw(b, 2 * b->unit);
    }
}

static void dealt_out(builder *b)
{
    int times = 2 + (int) draw(b, 20);

    for (int i = 0; i < times; i++)
        for (int rank = 0; rank < b->c->job.ranks; rank++)
            piece(b, rank, b->unit);
}

static void combed(builder *b)
{
    int times = 2 + (int) draw(b, 12);
    uint64_t wide = draw(b, 2), hole = 1 + wide * draw(b, 2 * b->unit);

    for (int i = 0; i < times; i++)
        for (int rank = 0; rank < b->c->job.ranks; rank++) {
            piece(b, rank, b->unit);
            b->at += hole;
        }
}

static void scattered(builder *b)
{
    int times = 5 + (int) draw(b, 120);
    int holes = (int) draw(b, 2);

    for (int i = 0; i < times; i++) {
        int rank = (int) draw(b, (uint64_t) b->c->job.ranks);
        piece(b, rank, draw(b, 2 * b->unit) + 1);
        if (holes && draw(b, 4) == 0)
            b->at += draw(b, 8 * b->unit);
    }
}

/* Far apart: whole buffers without data */
static void sparse(builder *b)
{
    for (int i = 0; i < 12; i++) {
        int rank = (int) draw(b, (uint64_t) b->c->job.ranks);
        piece(b, rank, draw(b, b->unit) + 1);
        b->at += draw(b, 40 * b->unit);
    }
}

static int by_offset(const void *a, const void *b)
{
    const atm_piece *x = a, *y = b;

    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Ranks read the same bytes: reads only. */
static void shared(builder *b)
{
    uint64_t start = b->at;

    for (int rank = 0; rank < b->c->job.ranks; rank++) {
        b->at = start + draw(b, 3) * b->unit;
        piece(b, rank, b->unit + draw(b, 4 * b->unit));
    }
    qsort(b->c->pieces, b->c->access.piece_count, sizeof b->c->pieces[0], by_offset);
}

static const struct {
    const char *name;
    void (*build)(builder *b);
} patterns[] = {{"contiguous", contiguous}, {"uneven", uneven}, {"gaps", gaps},
                {"dealt out", dealt_out},   {"combed", combed}, {"scattered", scattered},
                {"sparse", sparse},         {"shared", shared}};

#define PATTERNS (sizeof patterns / sizeof patterns[0])

static void build_access(builder *b, uint64_t window)
{
    trace_case *c = b->c;
    int write = (int) draw(b, 2);
    size_t which = (size_t) draw(b, write ? PATTERNS - 1 : PATTERNS);

    /* From several pieces in a window to several windows in a piece. */
    b->unit =
        pick(b, 5, (uint64_t[]){window / 8 + 1, window / 3 + 1, window, window / 2, 2 * window});
    if (draw(b, 3) == 0)
        b->unit += draw(b, b->unit + 1);
    b->at = pick(b, 4, (uint64_t[]){0, window, window + window / 2, draw(b, 3 * window)});
    c->pattern = patterns[which].name;
    patterns[which].build(b);
    if (c->access.piece_count == 0)
        piece(b, 0, 1);
    if (c->driver == ATM_GPFS && which != PATTERNS - 1 && draw(b, 4) == 0) {
        /* The last byte is the first of a block. */
        b->at += (c->config.block - b->at % c->config.block) % c->config.block;
        piece(b, (int) draw(b, (uint64_t) c->job.ranks), 1);
    }

    if (access_summarise(c->pieces, c->access.piece_count, &c->access) != ATM_OK)
        abort();
    c->access.write = write != 0;
}

static void build_config(builder *b, uint64_t block, uint64_t window)
{
    trace_case *c = b->c;
    atm_config *config = &c->config;
    int mode = (int) draw(b, 8);
    int ranks = c->job.ranks;

    config->automatic = mode == 0;
    config->collective = mode > 1;
    config->buffer = window;
    config->stripe_count = 1;
    c->nodes = 1 + (int) draw(b, (uint64_t) ranks);
    c->cb_nodes = 1 + (int) draw(b, (uint64_t) ranks);
    config->aggregators = c->driver == ATM_GPFS ? c->nodes : c->cb_nodes;
    if (c->driver == ATM_GPFS)
        config->block = block;
    if (c->driver == ATM_UFS && draw(b, 2) == 0)
        config->stripe_size =
            pick(b, 4, (uint64_t[]){window, window / 2 + 1, 2 * window, 3 * window});
    if (c->driver == ATM_LUSTRE) {
        config->stripe_size = 65536 * (1 + draw(b, 2));
        config->stripe_count = 1 + (int) draw(b, 8);
        config->co_ratio = 1 + (int) draw(b, 3);
        config->buffer = pick(b, 3, (uint64_t[]){10000, 65536, 200000});
    }
}

void trace_case_make(trace_case *c, atm_driver driver, int ranks, uint64_t block, uint64_t seed)
{
    builder b = {.c = c, .random = seed * 1000003 + (uint64_t) ranks * 101 + driver};
    uint64_t window = pick(&b, 5, (uint64_t[]){64, 1000, 4096, 10000, 65536});

    memset(c, 0, sizeof *c);
    c->driver = driver;
    c->job = (atm_job){.ranks = ranks, .nodes = 1, .mpich = MPICH_NUMVERSION / 1000};
    build_config(&b, block, window);
    build_access(&b, driver == ATM_LUSTRE ? c->config.stripe_size : window);
}
