/*
 * Ranks with one piece each, and holes between them: programs that write their part of a file in
 * several calls (IOR with one segment) access in each call equal pieces at equal distances.  Which
 * stripes these meet is another question than for pieces side by side: where a rank's part is a
 * multiple of all stripes, every rank is at the same target in every call.
 */

#include "counts_inside.h"

size_t counts_sparse_pieces(const atm_access *access, atm_piece pieces_p[COUNTS_SPARSE])
{
    uint64_t active = (uint64_t) access->active_ranks, each, more, distance;

    if (access->pieces != NULL || !access->holes || access->strided || access->interleaved ||
        active < 2 || active > COUNTS_SPARSE)
        return 0;
    each = access->bytes / active;
    more = access->bytes % active;
    distance = (access->end - access->start + 1 - each) / (active - 1);
    if (each == 0 || distance <= each)
        return 0;
    for (uint64_t i = 0; i < active; i++)
        pieces_p[i] = (atm_piece){
            .offset = access->start + i * distance, .length = each + (i < more), .rank = (int) i};
    return (size_t) active;
}

/* Bytes for the target of every stripe that the piece meets. */
static void load(const atm_piece *piece, const atm_config *config, uint64_t targets,
                 uint64_t *loads)
{
    uint64_t at = piece->offset, end = piece->offset + piece->length, size = config->stripe_size;

    while (at < end) {
        uint64_t next = counts_min((at / size + 1) * size, end);

        loads[at / size % targets] += next - at;
        at = next;
    }
}

double counts_targets_of_pieces(const atm_access *access, const atm_config *config)
{
    uint64_t loads[COUNTS_TARGETS] = {0}, targets = (uint64_t) counts_targets(config), most = 0;
    uint64_t stripes;

    if (access->pieces == NULL || config->stripe_size == 0 || targets < 2 ||
        targets > COUNTS_TARGETS)
        return 0;
    stripes = access->bytes / config->stripe_size + access->piece_count;
    if (stripes > COUNTS_STRIPES)
        return 0;
    for (size_t i = 0; i < access->piece_count; i++)
        load(&access->pieces[i], config, targets, loads);
    for (uint64_t i = 0; i < targets; i++)
        most = counts_max(most, loads[i]);
    return (double) access->bytes / (double) most;
}
