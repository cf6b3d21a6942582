/* The sizes of file domains, and the rounds that follow from them. */

#include "counts_inside.h"

void counts_shape_add(counts_shape *shape, uint64_t size, uint64_t domains)
{
    if (shape->domains > 1)
        shape->inner_min = counts_min(shape->inner_min, shape->last);
    if (shape->domains == 0)
        shape->first = size;
    if (domains > 1 + (uint64_t) (shape->domains == 0))
        shape->inner_min = counts_min(shape->inner_min, size);
    shape->last = size;
    shape->max = counts_max(shape->max, size);
    shape->domains += domains;
}

void counts_shape_rounds(const counts_shape *shape, uint64_t buffer, counts_tally *tally)
{
    uint64_t filled = shape->domains > 2 ? shape->inner_min : counts_min(shape->first, shape->last);

    tally->domains = shape->domains;
    tally->domain_max = shape->max;
    tally->rounds = counts_ceil(shape->max, buffer);
    tally->full_rounds = filled / buffer;
}
