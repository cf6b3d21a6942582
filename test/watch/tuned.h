/* Programs that a seed makes: what they set themselves, what advice has for them, and their data.
 */

#ifndef TUNED_H
#define TUNED_H

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "random.h"

enum { SETS = 5, FILES = 2, RANK = 3 };

/* Advice for a file; 0 or -1: none. */
typedef struct wanted {
    int alignment, block, sieve, cache, writes, chunk_bytes, shape, cb_nodes;
    hsize_t threshold, chunk[RANK];
    int allocation, fill; /* as HDF5 numbers them */
} wanted;

typedef enum kind {
    CONTIGUOUS,
    CHUNKED,
    EXTENSIBLE,
    FILTERED,
    FILLED, /* in half, the rest is the program's own value */
    EARLY,  /* its own times */
    EMPTY,
    SHARED_KINDS, /* those below are for one process */
    COMPACT = SHARED_KINDS,
    EXTERNAL,
    STRINGS,
    KINDS
} kind;

typedef struct data_set {
    kind kind;
    int rank, old_call, collective;
    hsize_t sizes[RANK];
} data_set;

typedef enum driver { SEC2, CORE, STDIO, SHARED } driver;

typedef struct program {
    driver driver;
    int defaults;                       /* no list of its own */
    int alignment, block, sieve, cache; /* of its own */
    int hint;
    int files, sets;
    data_set set[SETS];
    wanted wanted;
} program;

enum {
    OWN_ALIGNMENT = 512,
    OWN_THRESHOLD = 100,
    OWN_BLOCK = 8192,
    OWN_SIEVE = 32768,
    OWN_CACHE = 3 << 20,
    OWN_FILL = -77
};

static unsigned below(uint64_t *rng, unsigned number)
{
    return (unsigned) (atm_random(rng) >> 32) % number;
}

static int one_in(uint64_t *rng, unsigned number)
{
    return below(rng, number) == 0;
}

static int one_of(uint64_t *rng, int first, int second, int third)
{
    unsigned which = below(rng, 3);

    return which == 0 ? first : which == 1 ? second : third;
}

static wanted draw_wanted(uint64_t *rng)
{
    wanted w = {.allocation = -1, .fill = -1};

    if (one_in(rng, 2)) {
        w.alignment = one_of(rng, 4096, 65536, 1048576);
        w.threshold = (hsize_t) one_of(rng, 0, 4096, 500);
    }
    if (one_in(rng, 3))
        w.block = one_of(rng, 4096, 65536, 1048576);
    if (one_in(rng, 3))
        w.sieve = one_of(rng, 4096, 262144, 1048576);
    if (one_in(rng, 3))
        w.cache = one_of(rng, 65536, 4194304, 33554432);
    if (one_in(rng, 2))
        w.chunk_bytes = one_of(rng, 100, 4096, 65536);
    if (one_in(rng, 4)) {
        w.shape = (int) below(rng, RANK) + 1;
        for (int i = 0; i < w.shape; i++)
            w.chunk[i] = below(rng, 40) + 1;
    }
    w.writes = one_in(rng, 2);
    w.cb_nodes = one_of(rng, 0, 1, 2);
    if (one_in(rng, 2))
        w.allocation = one_of(rng, H5D_ALLOC_TIME_EARLY, H5D_ALLOC_TIME_LATE, H5D_ALLOC_TIME_INCR);
    if (one_in(rng, 2))
        w.fill = one_of(rng, H5D_FILL_TIME_NEVER, H5D_FILL_TIME_IFSET, H5D_FILL_TIME_ALLOC);
    return w;
}

static data_set draw_set(uint64_t *rng, driver driver)
{
    data_set s = {.kind = CONTIGUOUS};

    if (one_in(rng, 2))
        s.kind = (kind) below(rng, driver == SHARED ? SHARED_KINDS : KINDS);
    s.rank = (int) below(rng, RANK) + 1;
    for (int i = 0; i < s.rank; i++)
        s.sizes[i] = below(rng, s.rank == 1 ? 30000 : 50) + 2;
    if (s.kind == EMPTY)
        s.sizes[0] = 0;
    if (s.kind == COMPACT)
        for (int i = 0; i < s.rank; i++)
            s.sizes[i] = 5;
    s.old_call = one_in(rng, 3);
    s.collective = one_in(rng, 2);
    return s;
}

static program draw_program(uint64_t seed, int number, int mpi)
{
    uint64_t rng = seed * 1000003u + (uint64_t) number;
    program p = {.files = 1};

    p.driver = (driver) below(&rng, 3);
    if (one_in(&rng, 2))
        p.driver = SEC2;
    if (mpi && !one_in(&rng, 4))
        p.driver = SHARED;
    p.defaults = one_in(&rng, 2);
    p.defaults = p.defaults && p.driver == SEC2;
    p.alignment = one_in(&rng, 4);
    p.block = one_in(&rng, 4);
    p.sieve = one_in(&rng, 4);
    p.cache = one_in(&rng, 4);
    p.hint = one_in(&rng, 3);
    if (p.defaults)
        p.alignment = p.block = p.sieve = p.cache = 0;
    p.files += (int) below(&rng, FILES);
    p.sets = (int) below(&rng, SETS) + 1;
    for (int i = 0; i < p.sets; i++)
        p.set[i] = draw_set(&rng, p.driver);
    p.wanted = draw_wanted(&rng);
    return p;
}

/* --- advice */

static void print_rule(const wanted *w, int number, const char *before)
{
    static const char *const allocations[] = {"early", "late", "incremental"};
    static const char *const fills[] = {"alloc", "never", "ifset"};
    const char *comma = "";

    printf("%s{\"match\": {\"file\": \"case-%d-*\"}, \"set\": {", before, number);
    if (w->alignment)
        printf("\"hdf5_alignment\": [%d, %d], ", (int) w->threshold, w->alignment);
    if (w->cb_nodes)
        printf("\"cb_nodes\": %d, ", w->cb_nodes);
    printf("\"hdf5\": {");
#define MEMBER(name, value)                                                                        \
    if (value) {                                                                                   \
        printf("%s\"" name "\": %d", comma, value);                                                \
        comma = ", ";                                                                              \
    }
    MEMBER("metadata_block_size", w->block)
    MEMBER("sieve_buffer_size", w->sieve)
    MEMBER("chunk_cache_bytes", w->cache)
    MEMBER("chunk_bytes", w->chunk_bytes)
    if (w->allocation > 0) {
        printf("%s\"allocation_time\": \"%s\"", comma, allocations[w->allocation - 1]);
        comma = ", ";
    }
    if (w->fill >= 0) {
        printf("%s\"fill_time\": \"%s\"", comma, fills[w->fill]);
        comma = ", ";
    }
    if (w->shape)
        printf("%s\"chunk\": [", comma);
    for (int i = 0; i < w->shape; i++)
        printf("%d%s", (int) w->chunk[i], i == w->shape - 1 ? "]" : ", ");
    printf("%s\"collective_metadata_writes\": \"%s\"}}}", w->shape ? ", " : comma,
           w->writes ? "enable" : "disable");
}

static void print_advice(uint64_t seed, int count, int mpi)
{
    printf("{\"format\": \"romio-autotune-advice\", \"version\": 1, \"rules\": [");
    for (int i = 0; i < count; i++) {
        program p = draw_program(seed, i, mpi);

        print_rule(&p.wanted, i, i > 0 ? ",\n " : "\n ");
    }
    printf("]}\n");
}

/* --- what chunks must be; false: as they were */

static int expected_chunks(const wanted *w, const data_set *s, hsize_t *shape)
{
    hsize_t room = (hsize_t) w->chunk_bytes / sizeof(int), chunks = 1;

    if (s->kind != CONTIGUOUS && s->kind != FILLED && s->kind != EARLY)
        return 0;
    if (w->shape == s->rank)
        memcpy(shape, w->chunk, sizeof(w->chunk));
    else if (room == 0)
        return 0;
    for (int i = s->rank - 1; i >= 0; i--) {
        if (w->shape != s->rank) {
            shape[i] = room;
            room = room >= s->sizes[i] ? room / s->sizes[i] : 1;
        }
        if (shape[i] > s->sizes[i])
            shape[i] = s->sizes[i];
        chunks *= (s->sizes[i] + shape[i] - 1) / shape[i];
    }
    return chunks > 1;
}

#endif /* TUNED_H */
