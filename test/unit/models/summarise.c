/* The summary of a list of pieces. */

#include "summarise.h"

#include <stdlib.h>

#include "counts/counts_inside.h"

typedef struct rank_summary {
    uint64_t first, last; /* byte */
    uint64_t bytes;
    uint64_t at; /* offset of the last piece */
    bool strided;
} rank_summary;

static void add_piece(rank_summary *rank, const atm_piece *piece, atm_access *access,
                      bool *regular_p)
{
    uint64_t distance = piece->offset - rank->at;

    if (rank->bytes == 0) {
        rank->first = piece->offset;
    } else if (piece->offset > rank->last + 1) {
        if (access->stride != 0 && access->stride != distance)
            *regular_p = false;
        access->stride = distance;
        rank->strided = true;
    }
    if (piece->length != access->block)
        *regular_p = false;
    access->block = counts_max(access->block, piece->length);
    rank->at = piece->offset;
    rank->bytes += piece->length;
    rank->last = counts_max(rank->last, piece->offset + piece->length - 1);
}

static void add_rank(const rank_summary *rank, const rank_summary *before, atm_access *access)
{
    if (rank->bytes == 0)
        return;
    access->active_ranks++;
    access->bytes += rank->bytes;
    access->bytes_min = counts_min(access->bytes_min, rank->bytes);
    access->bytes_max = counts_max(access->bytes_max, rank->bytes);
    access->strided = access->strided || rank->strided;
    /* ad_write_coll.c:121 looks at neighbours only, and idle ranks end at 0. */
    if (before != NULL && rank->first < before->last)
        access->interleaved = true;
}

static void add_range(const atm_piece *pieces, size_t count, atm_access *access)
{
    access->start = pieces[0].offset;
    access->end = pieces[0].offset;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && pieces[i].offset > access->end + 1)
            access->holes = true;
        access->end = counts_max(access->end, pieces[i].offset + pieces[i].length - 1);
    }
}

atm_status access_summarise(const atm_piece *pieces, size_t count, atm_access *access_p)
{
    atm_access access = {.pieces = pieces, .piece_count = count, .bytes_min = UINT64_MAX};
    bool regular = true;
    int ranks = 0;

    if (pieces == NULL || !counts_pieces_in_order(pieces, count))
        return ATM_BAD_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        ranks = pieces[i].rank >= ranks ? pieces[i].rank + 1 : ranks;
    rank_summary *rank = calloc((size_t) ranks, sizeof *rank);
    if (rank == NULL)
        return ATM_NO_MEMORY;

    access.block = pieces[0].length;
    for (size_t i = 0; i < count; i++)
        add_piece(&rank[pieces[i].rank], &pieces[i], &access, &regular);
    for (int i = 0; i < ranks; i++)
        add_rank(&rank[i], i > 0 ? &rank[i - 1] : NULL, &access);
    add_range(pieces, count, &access);
    free(rank);

    if (!access.strided)
        access.block = access.bytes_max;
    if (!access.strided || !regular)
        access.stride = 0;
    *access_p = access;
    return ATM_OK;
}
