/* Data sets and what ranks write of them: as VPIC-IO, VORPAL-IO and GCRM-IO do, and any. */

#include <mpi.h>
#include <stdlib.h>

#include "common/rng.h"
#include "hdf5_trace.h"

enum { RANKS_MAX = 64, CHUNKS_MAX = 2000, MANY = 6000 };

static uint64_t draw(uint64_t *random, uint64_t below)
{
    return rng_next(random) % below;
}

/* --- selections, none of which overlap */

/* 1-D, one part of each rank */
static void vpic(hdf5_case *c, int ranks, uint64_t *random)
{
    uint64_t own = 1 + draw(random, 3000);

    c->set.dimensions = 1;
    c->set.sizes[0] = own * (uint64_t) ranks;
    for (int i = 0; i < ranks; i++)
        c->slabs[i] = (atm_h5_slab){
            .start = {own * (uint64_t) i}, .stride = {own}, .count = {1}, .block = {own}};
}

/* 3-D, blocks of unequal sizes */
static void vorpal(hdf5_case *c, int ranks, uint64_t *random)
{
    int grid[3] = {0, 0, 0};
    uint64_t cuts[3][RANKS_MAX + 1];

    MPI_Dims_create(ranks, 3, grid);
    c->set.dimensions = 3;
    for (int i = 0; i < 3; i++) {
        cuts[i][0] = 0;
        for (int k = 0; k < grid[i]; k++)
            cuts[i][k + 1] = cuts[i][k] + 1 + draw(random, 12);
        c->set.sizes[i] = cuts[i][grid[i]];
    }
    for (int rank = 0; rank < ranks; rank++) {
        int rest = rank;

        for (int i = 2; i >= 0; i--) {
            int place = rest % grid[i];

            rest /= grid[i];
            c->slabs[rank].start[i] = cuts[i][place];
            c->slabs[rank].block[i] = cuts[i][place + 1] - cuts[i][place];
            c->slabs[rank].stride[i] = c->slabs[rank].block[i];
            c->slabs[rank].count[i] = 1;
        }
    }
}

/* 3-D, several runs of the last dimension */
static void gcrm(hdf5_case *c, int ranks, uint64_t *random)
{
    uint64_t own = 1 + draw(random, 20), levels = 1 + draw(random, 26);
    uint64_t panels = 1 + draw(random, 10), panel = own * (uint64_t) ranks;

    c->set.dimensions = 3;
    c->set.sizes[0] = 1;
    c->set.sizes[1] = levels;
    c->set.sizes[2] = panels * panel;
    for (int i = 0; i < ranks; i++)
        c->slabs[i] = (atm_h5_slab){.start = {0, 0, own * (uint64_t) i},
                                    .stride = {1, levels, panel},
                                    .count = {1, 1, panels},
                                    .block = {1, levels, own}};
}

/* Anything in a part of the first dimension; some ranks have nothing. */
static void any(hdf5_case *c, int ranks, uint64_t *random)
{
    uint64_t part = 1 + draw(random, 20);

    c->set.dimensions = 1 + (int) draw(random, ATM_H5_DIMENSIONS);
    for (int i = 0; i < c->set.dimensions; i++)
        c->set.sizes[i] = i == 0 ? part * (uint64_t) ranks : 1 + draw(random, 6);
    for (int rank = 0; rank < ranks; rank++) {
        atm_h5_slab *slab = &c->slabs[rank];
        bool idle = draw(random, 8) == 0;

        for (int i = 0; i < c->set.dimensions; i++) {
            uint64_t size = i == 0 ? part : c->set.sizes[i], first;

            slab->block[i] = 1 + draw(random, size);
            slab->stride[i] = slab->block[i] + draw(random, 3);
            first = draw(random, size - slab->block[i] + 1);
            slab->count[i] =
                idle ? 0 : 1 + draw(random, (size - first - slab->block[i]) / slab->stride[i] + 1);
            slab->start[i] = first + (i == 0 ? part * (uint64_t) rank : 0);
        }
    }
}

/* Thousands of chunks: the index has several levels. */
static void many(hdf5_case *c, int ranks, uint64_t *random)
{
    vpic(c, ranks, random);
    c->set.sizes[0] = MANY;
    for (int i = 0; i < ranks; i++) {
        uint64_t from = c->set.sizes[0] * (uint64_t) i / (uint64_t) ranks;
        uint64_t to = c->set.sizes[0] * (uint64_t) (i + 1) / (uint64_t) ranks;

        c->slabs[i].start[0] = from;
        c->slabs[i].block[0] = c->slabs[i].stride[0] = to - from;
    }
}

static const struct {
    const char *name;
    void (*make)(hdf5_case *c, int ranks, uint64_t *random);
} kinds[] = {{"vpic", vpic}, {"vorpal", vorpal}, {"gcrm", gcrm}, {"any", any}, {"many", many}};

/* --- how it is stored */

static uint64_t chunks_of(const atm_h5_set *set)
{
    uint64_t count = 1;

    for (int i = 0; i < set->dimensions; i++)
        count *= (set->sizes[i] - 1) / set->chunk[i] + 1;
    return count;
}

/* Keeps chunks from being so many that HDF5 takes long to create them. */
static void draw_chunks(atm_h5_set *set, uint64_t *random)
{
    bool small = draw(random, 3) == 0;

    for (int i = 0; i < set->dimensions; i++)
        set->chunk[i] = 1 + draw(random, small ? (set->sizes[i] + 3) / 4 : set->sizes[i]);
    for (int i = 0; chunks_of(set) > CHUNKS_MAX; i = (i + 1) % set->dimensions) {
        set->chunk[i] *= 2;
        if (set->chunk[i] > set->sizes[i])
            set->chunk[i] = set->sizes[i];
    }
}

static void draw_layout(hdf5_case *c, uint64_t *random)
{
    static const uint64_t sizes[] = {1, 2, 4, 8};
    bool many = c->set.sizes[0] == MANY;

    c->set.element = sizes[draw(random, 4)];
    c->set.chunked = many || draw(random, 3) > 0;
    c->set.fill = draw(random, 3) > 0;
    c->fill_always = draw(random, 3) == 0;
    draw_chunks(&c->set, random);
    if (many)
        c->set.chunk[0] = 1;
}

static void draw_file(hdf5_case *c, uint64_t *random)
{
    static const uint64_t alignments[] = {0, 0, 512, 1000, 4096, 65536};
    static const uint64_t thresholds[] = {0, 1, 300, 2048, 4096, 100000};
    static const uint64_t blocks[] = {0, 0, 1, 2096, 4096, 100000};

    c->file.alignment = alignments[draw(random, 6)];
    c->file.threshold = thresholds[draw(random, 6)];
    c->file.metadata_block = blocks[draw(random, 6)];
}

hdf5_case hdf5_case_make(uint64_t seed, int number, int ranks)
{
    const int count = sizeof(kinds) / sizeof(kinds[0]);
    uint64_t random = rng_hash(seed, (uint64_t) number);
    int kind = number % 8 < count ? number % 8 : 3;
    hdf5_case c = {.name = kinds[kind].name, .slabs = calloc((size_t) ranks, sizeof(*c.slabs))};

    if (c.slabs == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    kinds[kind].make(&c, ranks, &random);
    draw_layout(&c, &random);
    draw_file(&c, &random);
    c.sets = c.set.sizes[0] == MANY ? 1 : 1 + (int) draw(&random, ATM_H5_SETS);
    return c;
}
