/* The pieces of each rank. */

#include "pieces.h"

#include <stdlib.h>

/* --- the list */

void atm_h5_pieces_free(atm_h5_pieces *pieces)
{
    free(pieces->pieces);
    *pieces = (atm_h5_pieces){.pieces = NULL};
}

/* What adjoins the last piece is part of it, as in ROMIO's own lists. */
static atm_status add(atm_h5_pieces *list, atm_piece piece)
{
    atm_piece *last = list->count > 0 ? &list->pieces[list->count - 1] : NULL;

    if (last != NULL && last->offset + last->length == piece.offset) {
        last->length += piece.length;
        return ATM_OK;
    }
    if (list->count == list->room) {
        size_t room = list->room > 0 ? 2 * list->room : 64;
        atm_piece *more =
            room <= ATM_H5_PIECES_MAX ? realloc(list->pieces, room * sizeof(*more)) : NULL;

        if (more == NULL)
            return room > ATM_H5_PIECES_MAX ? ATM_BAD_ARGUMENT : ATM_NO_MEMORY;
        list->pieces = more;
        list->room = room;
    }
    list->pieces[list->count++] = piece;
    return ATM_OK;
}

static int by_offset(const void *left, const void *right)
{
    const atm_piece *a = left, *b = right;

    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Chunks need not be in the order of the file (H5D__sort_chunk). */
static void sort(atm_h5_pieces *list)
{
    size_t count = list->count, kept = 0;

    if (count == 0)
        return;
    qsort(list->pieces, count, sizeof(*list->pieces), by_offset);
    for (size_t i = 1; i < count; i++) {
        atm_piece *last = &list->pieces[kept];

        if (last->offset + last->length == list->pieces[i].offset)
            last->length += list->pieces[i].length;
        else
            list->pieces[++kept] = list->pieces[i];
    }
    list->count = kept + 1;
}

/* --- selections */

static bool is_empty(const atm_h5_set *set, const atm_h5_slab *slab)
{
    for (int i = 0; i < set->dimensions; i++)
        if (slab->count[i] == 0 || slab->block[i] == 0)
            return true;
    return false;
}

/* The last coordinate of one that is not empty. */
static uint64_t last_of(const atm_h5_slab *slab, int i)
{
    return slab->start[i] + (slab->count[i] - 1) * slab->stride[i] + slab->block[i] - 1;
}

bool atm_h5_slab_fits(const atm_h5_set *set, const atm_h5_slab *slab)
{
    if (is_empty(set, slab))
        return true;
    for (int i = 0; i < set->dimensions; i++) {
        uint64_t size = set->sizes[i];

        if (slab->start[i] >= size || slab->block[i] > size || slab->count[i] > size)
            return false;
        if (slab->count[i] > 1 && (slab->stride[i] < slab->block[i] || slab->stride[i] >= size))
            return false;
        if ((unsigned __int128) (slab->count[i] - 1) * slab->stride[i] + slab->start[i] +
                slab->block[i] >
            size)
            return false;
    }
    return true;
}

typedef struct run {
    uint64_t first, length;
} run;

/* The first run of selected coordinates in [from, to) of a dimension; false: none. */
static bool next_run(const atm_h5_slab *slab, int i, uint64_t from, uint64_t to, run *run_p)
{
    uint64_t index = 0, first, end;

    if (from > slab->start[i] && slab->count[i] > 1)
        index = (from - slab->start[i]) / slab->stride[i];
    for (; index < slab->count[i]; index++) {
        first = slab->start[i] + index * slab->stride[i];
        end = first + slab->block[i];
        /* Blocks may adjoin. */
        while (index + 1 < slab->count[i] && slab->stride[i] == slab->block[i]) {
            index++;
            end += slab->block[i];
        }
        first = first > from ? first : from;
        end = end < to ? end : to;
        if (first < end) {
            *run_p = (run){first, end - first};
            return true;
        }
        if (first >= to)
            return false;
    }
    return false;
}

/* --- what is selected of a chunk */

typedef struct walk {
    const atm_h5_placed *placed;
    const atm_h5_slab *slab;
    int rank;
    atm_h5_pieces *list;
    uint64_t low[ATM_H5_DIMENSIONS], high[ATM_H5_DIMENSIONS]; /* of the chunk, in the data set */
    uint64_t step[ATM_H5_DIMENSIONS];                         /* bytes, in the chunk */
    int line; /* the last dimension in which not all is selected, or the first */
} walk;

static atm_status visit(walk *walk, int i, uint64_t offset)
{
    uint64_t from = walk->low[i];
    atm_status status = ATM_OK;
    run run;

    while (status == ATM_OK && next_run(walk->slab, i, from, walk->high[i], &run)) {
        uint64_t at = offset + (run.first - walk->low[i]) * walk->step[i];

        if (i == walk->line)
            status = add(walk->list, (atm_piece){at, run.length * walk->step[i], walk->rank});
        else
            for (uint64_t k = 0; status == ATM_OK && k < run.length; k++)
                status = visit(walk, i + 1, at + k * walk->step[i]);
        from = run.first + run.length;
    }
    return status;
}

static bool is_whole(const walk *walk, int i)
{
    uint64_t length = walk->placed->set.chunk[i];
    run run;

    return next_run(walk->slab, i, walk->low[i], walk->high[i], &run) && run.length == length;
}

static atm_status visit_chunk(walk *walk, const uint64_t *place)
{
    const atm_h5_set *set = &walk->placed->set;
    uint64_t index = 0, step = set->element;

    for (int i = 0; i < set->dimensions; i++) {
        index = index * walk->placed->across[i] + place[i];
        walk->low[i] = place[i] * set->chunk[i];
        walk->high[i] = walk->low[i] + set->chunk[i];
        walk->high[i] = walk->high[i] < set->sizes[i] ? walk->high[i] : set->sizes[i];
    }
    for (int i = set->dimensions - 1; i >= 0; i--) {
        walk->step[i] = step;
        step *= set->chunk[i];
    }
    walk->line = set->dimensions - 1;
    while (walk->line > 0 && is_whole(walk, walk->line))
        walk->line--;
    return visit(walk, 0, walk->placed->at[index]);
}

/* All chunks between the first and the last coordinate, the last dimension fastest. */
static atm_status visit_chunks(walk *walk)
{
    const atm_h5_set *set = &walk->placed->set;
    uint64_t first[ATM_H5_DIMENSIONS], last[ATM_H5_DIMENSIONS], place[ATM_H5_DIMENSIONS];
    atm_status status;
    int i;

    for (i = 0; i < set->dimensions; i++) {
        first[i] = place[i] = walk->slab->start[i] / set->chunk[i];
        last[i] = last_of(walk->slab, i) / set->chunk[i];
    }
    do {
        status = visit_chunk(walk, place);
        for (i = set->dimensions - 1; i >= 0 && place[i] == last[i]; i--)
            place[i] = first[i];
        if (i >= 0)
            place[i]++;
    } while (status == ATM_OK && i >= 0);
    return status;
}

atm_status atm_h5_written(const atm_h5_placed *placed, const atm_h5_slab *slab, int rank,
                          atm_h5_pieces *pieces)
{
    walk walk = {.placed = placed, .slab = slab, .rank = rank, .list = pieces};
    atm_status status;

    pieces->count = 0;
    if (!atm_h5_slab_fits(&placed->set, slab))
        return ATM_BAD_ARGUMENT;
    if (is_empty(&placed->set, slab))
        return ATM_OK;
    status = visit_chunks(&walk);
    sort(pieces);
    return status;
}

/* --- filling */

/* The same number for each rank, one after the other, and what is left one by one. */
atm_status atm_h5_filled(const atm_h5_placed *placed, int ranks, int rank, atm_h5_pieces *pieces)
{
    uint64_t each = placed->chunks / (uint64_t) ranks, first = (uint64_t) rank * each;
    uint64_t extra = each * (uint64_t) ranks + (uint64_t) rank;
    atm_piece piece = {.length = placed->chunk_bytes, .rank = rank};
    atm_status status = ATM_OK;

    pieces->count = 0;
    if (!placed->set.chunked || !placed->set.fill)
        return ATM_OK;
    for (uint64_t i = first; status == ATM_OK && i < first + each; i++) {
        piece.offset = placed->at[i];
        status = add(pieces, piece);
    }
    if (status == ATM_OK && extra < placed->chunks) {
        piece.offset = placed->at[extra];
        status = add(pieces, piece);
    }
    sort(pieces);
    return status;
}
