/* Pieces summarised over all ranks. */

#include "access.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

typedef struct summary {
    atm_h5_call call;
    bool irregular;       /* no stride is everybody's */
    uint64_t last_before; /* byte of the rank before; 0: it has none */
} summary;

static void add_pieces(summary *s, const atm_h5_pieces *list, uint64_t *bytes_p)
{
    atm_access *access = &s->call.access;

    for (size_t i = 0; i < list->count; i++) {
        const atm_piece *piece = &list->pieces[i];

        *bytes_p += piece->length;
        s->call.smallest =
            s->call.pieces == 0 ? piece->length : least(s->call.smallest, piece->length);
        s->call.largest = most(s->call.largest, piece->length);
        s->call.pieces++;
        if (i > 0) {
            uint64_t distance = piece->offset - piece[-1].offset;

            s->irregular = s->irregular || (access->stride != 0 && access->stride != distance);
            access->stride = distance;
        }
    }
}

static void add_rank(summary *s, const atm_h5_pieces *list)
{
    atm_access *access = &s->call.access;
    uint64_t bytes = 0, first, last;

    if (list->count == 0) {
        s->last_before = 0;
        return;
    }
    add_pieces(s, list, &bytes);
    first = list->pieces[0].offset;
    last = list->pieces[list->count - 1].offset + list->pieces[list->count - 1].length - 1;
    access->start = access->active_ranks == 0 ? first : least(access->start, first);
    access->end = most(access->end, last);
    access->bytes_min = access->active_ranks == 0 ? bytes : least(access->bytes_min, bytes);
    access->bytes_max = most(access->bytes_max, bytes);
    access->bytes += bytes;
    access->strided = access->strided || list->count > 1;
    /* ad_write_coll.c:121 looks at neighbours only. */
    access->interleaved = access->interleaved || first < s->last_before;
    access->active_ranks++;
    s->call.pieces_max = most(s->call.pieces_max, list->count);
    s->last_before = last;
}

static atm_h5_call finish(summary *s)
{
    atm_access *access = &s->call.access;

    access->write = true;
    if (access->bytes == 0)
        return s->call;
    access->holes = access->bytes < access->end - access->start + 1;
    access->block =
        access->strided ? (access->bytes + s->call.pieces - 1) / s->call.pieces : access->bytes_max;
    if (s->irregular || s->call.smallest != s->call.largest)
        access->stride = 0;
    return s->call;
}

static void add_place(const atm_h5_placed *placed, atm_h5_calls *calls)
{
    uint64_t first = placed->at[0], end = 0, bytes = placed->set.element;

    for (uint64_t i = 0; i < placed->chunks; i++) {
        first = least(first, placed->at[i]);
        end = most(end, placed->at[i] + placed->chunk_bytes);
    }
    for (int i = 0; i < placed->set.dimensions; i++)
        bytes *= placed->set.sizes[i];
    calls->first = first;
    calls->padded = end - first - bytes;
    calls->chunks = placed->set.chunked ? placed->chunks : 0;
}

atm_status atm_h5_summarise(const atm_h5_placed *placed, const atm_h5_slab *slabs, int ranks,
                            atm_h5_calls *calls_p)
{
    summary fill = {.irregular = false}, write = {.irregular = false};
    atm_h5_pieces list = {.pieces = NULL};
    atm_status status = ranks > 0 ? ATM_OK : ATM_BAD_ARGUMENT;

    for (int i = 0; status == ATM_OK && i < ranks; i++) {
        status = atm_h5_filled(placed, ranks, i, &list);
        if (status == ATM_OK)
            add_rank(&fill, &list);
        if (status == ATM_OK)
            status = atm_h5_written(placed, &slabs[i], i, &list);
        if (status == ATM_OK)
            add_rank(&write, &list);
        if (status == ATM_OK && write.call.pieces > ATM_H5_PIECES_MAX)
            status = ATM_BAD_ARGUMENT;
    }
    atm_h5_pieces_free(&list);
    if (status != ATM_OK)
        return status;
    *calls_p = (atm_h5_calls){.fill = finish(&fill), .write = finish(&write)};
    add_place(placed, calls_p);
    return ATM_OK;
}

atm_status atm_h5_count(const atm_h5_file *file, const atm_h5_set *set, const atm_h5_slab *slabs,
                        int ranks, atm_h5_calls *calls_p)
{
    atm_h5_space *space = NULL;
    atm_h5_placed *placed = NULL;
    atm_status status = atm_h5_space_create(file, &space);

    if (status == ATM_OK)
        status = atm_h5_set_place(space, set, &placed);
    if (status == ATM_OK)
        status = atm_h5_summarise(placed, slabs, ranks, calls_p);
    atm_h5_placed_destroy(placed);
    atm_h5_space_destroy(space);
    return status;
}
