/* Space that was given back: H5MF.c, H5MFsection.c, H5FSsection.c of HDF5 1.10.8. */

#include "allocation_inside.h"

#include <stdlib.h>
#include <string.h>

uint64_t atm_h5_alignment(const atm_h5_space *space, uint64_t size)
{
    const atm_h5_file *file = &space->file;

    return file->alignment > 1 && size >= file->threshold ? file->alignment : 0;
}

uint64_t atm_h5_gap(uint64_t at, uint64_t alignment)
{
    uint64_t past = alignment > 0 ? at % alignment : 0;

    return past > 0 ? alignment - past : 0;
}

static uint64_t end_of(atm_h5_section section)
{
    return section.at + section.size;
}

/* --- the list */

static void drop(atm_h5_free *list, size_t index)
{
    list->count--;
    memmove(list->sections + index, list->sections + index + 1,
            (list->count - index) * sizeof(*list->sections));
}

static void insert(atm_h5_space *space, atm_h5_kind kind, atm_h5_section section)
{
    atm_h5_free *list = &space->free[kind];
    size_t index = 0;

    if (list->count == list->room) {
        size_t room = list->room > 0 ? 2 * list->room : 16;
        atm_h5_section *more = realloc(list->sections, room * sizeof(*more));

        if (more == NULL) {
            space->failed = true;
            return;
        }
        list->sections = more;
        list->room = room;
    }
    while (index < list->count && list->sections[index].at < section.at)
        index++;
    memmove(list->sections + index + 1, list->sections + index,
            (list->count - index) * sizeof(section));
    list->sections[index] = section;
    list->count++;
}

/* --- giving back */

typedef enum fate { STAYS, GROWS, GONE } fate;

/* H5MF__sect_simple_can_shrink and _shrink: the file ends earlier, or the block has more; if that
 * is too much for a block, may_grow lets the section take the block. */
static fate undo(atm_h5_space *space, atm_h5_kind kind, bool may_grow, atm_h5_section *section)
{
    atm_h5_aggregator *own = &space->aggregators[kind];
    bool before = end_of(*section) == own->at, after = own->at + own->size == section->at;

    if (end_of(*section) == space->end) {
        space->end = section->at;
        return GONE;
    }
    if (!before && !after)
        return STAYS;
    if (may_grow && own->size + section->size >= own->block) {
        if (after)
            section->at = own->at;
        section->size += own->size;
        *own = (atm_h5_aggregator){.block = own->block};
        return GROWS;
    }
    if (before) {
        own->at = section->at;
        own->total -= own->total < section->size ? own->total : section->size;
    }
    own->size += section->size;
    return GONE;
}

/* Merges a section with adjoining ones, which leave the list. */
static atm_h5_section join(atm_h5_free *list, atm_h5_section section)
{
    for (size_t i = list->count; i-- > 0;) {
        atm_h5_section other = list->sections[i];

        if (end_of(other) != section.at && end_of(section) != other.at)
            continue;
        section.at = other.at < section.at ? other.at : section.at;
        section.size += other.size;
        drop(list, i);
    }
    return section;
}

/* H5FS_sect_add: if a section goes, the last one may go, too. */
static void add(atm_h5_space *space, atm_h5_kind kind, atm_h5_section section)
{
    atm_h5_free *list = &space->free[kind];
    fate fate;

    section = join(list, section);
    do {
        fate = undo(space, kind, true, &section);
    } while (fate == GROWS);
    if (fate == STAYS)
        insert(space, kind, section);
    while (fate == GONE && list->count > 0) {
        section = list->sections[list->count - 1];
        do {
            fate = undo(space, kind, true, &section);
            if (fate == GROWS)
                list->sections[list->count - 1] = section;
        } while (fate == GROWS);
        if (fate == GONE)
            drop(list, list->count - 1);
    }
}

void atm_h5_release(atm_h5_space *space, atm_h5_kind kind, atm_h5_section section)
{
    atm_h5_free *list = &space->free[kind];

    if (section.size == 0)
        return;
    if (!list->started && undo(space, kind, false, &section) == GONE)
        return;
    list->started = true;
    add(space, kind, section);
}

/* --- taking */

/* H5FS__sect_find_node: the smallest that is large enough, of these the first. */
bool atm_h5_reuse(atm_h5_space *space, atm_h5_kind kind, uint64_t size, uint64_t *at_p)
{
    atm_h5_free *list = &space->free[kind];
    uint64_t alignment = atm_h5_alignment(space, size), gap;
    size_t best = list->count;
    atm_h5_section found;

    for (size_t i = 0; i < list->count; i++)
        if (list->sections[i].size >= size + atm_h5_gap(list->sections[i].at, alignment) &&
            (best == list->count || list->sections[i].size < list->sections[best].size))
            best = i;
    if (best == list->count)
        return false;
    found = list->sections[best];
    drop(list, best);
    gap = atm_h5_gap(found.at, alignment);
    if (gap > 0)
        insert(space, kind, (atm_h5_section){found.at, gap});
    *at_p = found.at + gap;
    if (found.size > gap + size)
        add(space, kind, (atm_h5_section){found.at + gap + size, found.size - gap - size});
    return true;
}
