/*
 * Extent locks of one object, after Lustre's: a lock is given as wide as others
 * leave room for, so that the first writer gets the whole object; who needs a
 * part that another holds takes it and all that follows, and leaves what lies
 * before.
 */

#include "standin_time.h"

#include <string.h>

static void forget(struct standin_object *object, uint32_t index)
{
    object->count--;
    memmove(&object->extents[index], &object->extents[index + 1],
            (object->count - index) * sizeof object->extents[0]);
}

static bool holds(const struct standin_object *object, const struct standin_extent *wanted)
{
    for (uint32_t i = 0; i < object->count; i++) {
        const struct standin_extent *held = &object->extents[i];

        if (held->node == wanted->node && held->write >= wanted->write &&
            held->start <= wanted->start && held->end >= wanted->end)
            return true;
    }
    return false;
}

/* Other nodes' locks make room, and limit how wide the new one is. */
static unsigned make_room(struct standin_object *object, const struct standin_extent *wanted,
                          struct standin_extent *wide)
{
    unsigned transfers = 0;

    for (uint32_t i = 0; i < object->count; i++) {
        struct standin_extent *held = &object->extents[i];

        if (held->node == wanted->node || !(held->write || wanted->write))
            continue;
        if (held->start >= wanted->end) {
            if (held->start < wide->end)
                wide->end = held->start;
            continue;
        }
        if (held->end > wanted->start) {
            transfers++;
            held->end = wanted->start;
        }
        if (held->end > wide->start)
            wide->start = held->end;
        if (held->start >= held->end)
            forget(object, i--);
    }
    return transfers;
}

/* The node's own locks of the kind that touch the new one become part of it;
 * weaker ones inside of it are of no use any more. */
static void join(struct standin_object *object, struct standin_extent *wide)
{
    for (uint32_t i = 0; i < object->count; i++) {
        const struct standin_extent *held = &object->extents[i];
        bool touches = held->start <= wide->end && held->end >= wide->start;
        bool inside = held->start >= wide->start && held->end <= wide->end;

        if (held->node != wide->node || held->write > wide->write)
            continue;
        if (held->write == wide->write ? !touches : !inside)
            continue;
        if (held->start < wide->start)
            wide->start = held->start;
        if (held->end > wide->end)
            wide->end = held->end;
        forget(object, i--);
    }
}

unsigned standin_lock(struct standin_object *object, uint32_t node, bool write, uint64_t start,
                      uint64_t end, bool *granted_p)
{
    const struct standin_extent wanted = {.start = start, .end = end, .node = node, .write = write};
    struct standin_extent wide = {.start = 0, .end = UINT64_MAX, .node = node, .write = write};
    unsigned transfers;

    *granted_p = !holds(object, &wanted);
    if (!*granted_p)
        return 0;
    transfers = make_room(object, &wanted, &wide);
    join(object, &wide);
    if (object->count == STANDIN_EXTENTS)
        forget(object, 0);
    object->extents[object->count++] = wide;
    return transfers;
}
