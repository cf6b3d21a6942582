/* Space at the end of a file, and in blocks for small requests.  Lines are those of HDF5 1.10.8. */

#include "allocation_inside.h"

#include <stdlib.h>

/* What H5Fcreate allocates: superblock, header of the root group, its B-tree, its heap of names
 * (H5Fpkg.h:103, H5Gobj.c, H5B.c, H5Gstab.c). */
static const uint64_t root_group[] = {96, 40, 544, 120};

/* H5FD__alloc_real; the gap becomes the caller's. */
static uint64_t append(atm_h5_space *space, uint64_t size, atm_h5_section *gap_p)
{
    uint64_t gap = atm_h5_gap(space->end, atm_h5_alignment(space, size));

    *gap_p = (atm_h5_section){space->end, gap};
    space->end += gap + size;
    return space->end - size;
}

/* H5FD_try_extend: what ends where the file does can grow. */
static bool extend(atm_h5_space *space, const atm_h5_aggregator *own, uint64_t more)
{
    if (own->at == 0 || own->at + own->size != space->end)
        return false;
    space->end += more;
    return true;
}

/* H5MFaggr.c: a block at the end that was extended, and of which enough is used, makes room. */
static void make_room(atm_h5_space *space, atm_h5_aggregator *other)
{
    if (other->size == 0 || other->at + other->size != space->end || other->total <= other->size ||
        other->total - other->size < other->block)
        return;
    space->end = other->at;
    *other = (atm_h5_aggregator){.block = other->block};
}

/* A request that is no smaller than a block. */
static uint64_t take_large(atm_h5_space *space, atm_h5_kind kind, uint64_t size, uint64_t gap)
{
    atm_h5_aggregator *own = &space->aggregators[kind];
    uint64_t before = own->at, at;
    atm_h5_section left = {before, gap};

    if (extend(space, own, size + gap)) {
        own->at += size + gap;
        own->total += size + gap;
        at = before + gap;
    } else {
        make_room(space, &space->aggregators[1 - kind]);
        at = append(space, size, &left);
    }
    atm_h5_release(space, kind, left);
    return at;
}

/* Another block, elsewhere.  The gap before it is part of it, unless the request is aligned. */
static atm_h5_section move_block(atm_h5_space *space, atm_h5_kind kind, bool aligned)
{
    atm_h5_aggregator *own = &space->aggregators[kind];
    atm_h5_section left;
    uint64_t at;

    make_room(space, &space->aggregators[1 - kind]);
    at = append(space, own->block, &left);
    atm_h5_release(space, kind, (atm_h5_section){own->at, own->size});
    *own = (atm_h5_aggregator){own->block, at, own->block, own->block};
    if (left.size > 0 && !aligned) {
        own->at = left.at;
        own->size += left.size;
        own->total = own->size;
        left.size = 0;
    }
    return left;
}

/* A request for which there is not enough left of the block. */
static uint64_t take_anew(atm_h5_space *space, atm_h5_kind kind, uint64_t size, uint64_t gap)
{
    atm_h5_aggregator *own = &space->aggregators[kind];
    atm_h5_section left = {own->at, gap};
    uint64_t more = own->block, at;

    if (gap > more - size)
        more = gap + size;
    if (extend(space, own, more)) {
        own->at += gap;
        own->size += more - gap;
        own->total += more;
    } else {
        left = move_block(space, kind, atm_h5_alignment(space, size) > 0);
    }
    at = own->at;
    own->at += size;
    own->size -= size;
    atm_h5_release(space, kind, left);
    return at;
}

/* H5MF__aggr_alloc */
static uint64_t take(atm_h5_space *space, atm_h5_kind kind, uint64_t size)
{
    atm_h5_aggregator *own = &space->aggregators[kind];
    uint64_t alignment = own->at > 0 ? atm_h5_alignment(space, size) : 0;
    uint64_t gap = atm_h5_gap(own->at, alignment);
    atm_h5_section left = {own->at, gap};

    if (size + gap > own->size)
        return size >= own->block ? take_large(space, kind, size, gap)
                                  : take_anew(space, kind, size, gap);
    own->at += size + gap;
    own->size -= size + gap;
    atm_h5_release(space, kind, left);
    return own->at - size;
}

atm_status atm_h5_allocate(atm_h5_space *space, atm_h5_kind kind, uint64_t size, uint64_t *at_p)
{
    uint64_t at;

    if (size == 0 || size > INT64_MAX / 4 || space->end > INT64_MAX / 4)
        return ATM_BAD_ARGUMENT;
    if (!atm_h5_reuse(space, kind, size, &at))
        at = take(space, kind, size);
    if (space->failed)
        return ATM_NO_MEMORY;
    *at_p = at;
    return ATM_OK;
}

uint64_t atm_h5_space_end(const atm_h5_space *space)
{
    return space->end;
}

int atm_h5_space_link(atm_h5_space *space)
{
    return space->sets++;
}

atm_status atm_h5_space_create(const atm_h5_file *file, atm_h5_space **space_p)
{
    uint64_t block = file->metadata_block > 0 ? file->metadata_block : ATM_H5_BLOCK, at;
    atm_h5_space *space;
    atm_status status = ATM_OK;

    if (file->alignment > ATM_H5_ALIGNMENT_MAX || block > ATM_H5_ALIGNMENT_MAX)
        return ATM_BAD_ARGUMENT;
    space = calloc(1, sizeof(*space));
    if (space == NULL)
        return ATM_NO_MEMORY;
    space->file = *file;
    space->aggregators[ATM_H5_METADATA].block = block;
    space->aggregators[ATM_H5_RAW].block = ATM_H5_BLOCK;
    for (size_t i = 0; status == ATM_OK && i < sizeof(root_group) / sizeof(root_group[0]); i++)
        status = atm_h5_allocate(space, ATM_H5_METADATA, root_group[i], &at);
    if (status == ATM_OK)
        *space_p = space;
    else
        atm_h5_space_destroy(space);
    return status;
}

void atm_h5_space_destroy(atm_h5_space *space)
{
    if (space == NULL)
        return;
    for (int i = 0; i < ATM_H5_KIND_COUNT; i++)
        free(space->free[i].sections);
    free(space);
}
