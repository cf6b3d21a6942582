/* A data set and where it lies.  Lines are those of HDF5 1.10.8. */

#include "set.h"

#include <stdlib.h>

#define CHUNK_BYTES_MAX ((UINT64_C(1) << 32) - 1)
#define BYTES_MAX (INT64_MAX / 8)

enum {
    HEADER = 16 + 256, /* H5Dpkg.h:45 */
    SYMBOLS = 328,     /* of eight objects: H5Gpkg.h:47 */
    CHILDREN = 64,     /* of a node of a B-tree of chunks: H5Fprivate.h:648 */
    LEVELS = 8
};

/* --- what is covered */

static const char *sizes_refused(const atm_h5_set *set)
{
    uint64_t bytes = set->element;

    if (set->dimensions < 1 || set->dimensions > ATM_H5_DIMENSIONS)
        return "has no dimensions, or more than 5";
    if (set->element == 0 || set->element > CHUNK_BYTES_MAX)
        return "has elements of no size, or of 4 GiB and more";
    for (int i = 0; i < set->dimensions; i++) {
        if (set->sizes[i] == 0)
            return "has a dimension of 0";
        if (__builtin_mul_overflow(bytes, set->sizes[i], &bytes) || bytes > BYTES_MAX)
            return "is too large";
    }
    return NULL;
}

static const char *chunks_refused(const atm_h5_set *set)
{
    uint64_t bytes = set->element, count = 1;

    for (int i = 0; i < set->dimensions; i++) {
        if (set->chunk[i] == 0 || set->chunk[i] > set->sizes[i])
            return "has chunks of no size, or larger than itself";
        if (__builtin_mul_overflow(bytes, set->chunk[i], &bytes) || bytes > CHUNK_BYTES_MAX)
            return "has chunks of 4 GiB and more";
        count *= (set->sizes[i] - 1) / set->chunk[i] + 1;
        if (count > ATM_H5_CHUNKS)
            return "has more than a million chunks";
    }
    return NULL;
}

const char *atm_h5_set_refused(const atm_h5_set *set)
{
    const char *why = sizes_refused(set);

    return why == NULL && set->chunked ? chunks_refused(set) : why;
}

/* --- the index of chunks */

/* H5D__btree_shared_create and H5B_shared_new: the size of an element is a dimension. */
static uint64_t node_bytes(const atm_h5_set *set)
{
    return 24 + CHILDREN * 8 + (CHILDREN + 1) * (4 + 4 + 8 * ((uint64_t) set->dimensions + 1));
}

/* Chunks come in the order of their keys, so that only the last node of a level grows. */
typedef struct tree {
    uint64_t bytes;
    int children[LEVELS]; /* of that node */
    int levels;
} tree;

static atm_status add_node(atm_h5_space *space, const tree *tree)
{
    uint64_t at;

    return atm_h5_allocate(space, ATM_H5_METADATA, tree->bytes, &at);
}

/* H5B_insert and H5B__split: a full node keeps 0.9f of its children (H5Pdxpl.c:69); a root that
 * splits moves, so that the new root is where it was. */
static atm_status grow(atm_h5_space *space, tree *tree)
{
    const int keeps = (int) ((double) CHILDREN * (double) 0.9f);
    atm_status status = ATM_OK;

    for (int i = 0; status == ATM_OK && i < tree->levels; i++) {
        if (tree->children[i] < CHILDREN) {
            tree->children[i]++;
            return ATM_OK;
        }
        tree->children[i] = CHILDREN - keeps + 1;
        status = add_node(space, tree);
    }
    if (status != ATM_OK)
        return status;
    tree->children[tree->levels++] = 2;
    return add_node(space, tree);
}

/* --- placing */

static atm_h5_placed *prepare(const atm_h5_set *set)
{
    atm_h5_placed *placed = calloc(1, sizeof(*placed));

    if (placed == NULL)
        return NULL;
    placed->set = *set;
    placed->chunk_bytes = set->element;
    placed->chunks = 1;
    for (int i = 0; i < set->dimensions; i++) {
        if (!set->chunked)
            placed->set.chunk[i] = set->sizes[i];
        placed->across[i] = (set->sizes[i] - 1) / placed->set.chunk[i] + 1;
        placed->chunk_bytes *= placed->set.chunk[i];
        placed->chunks *= placed->across[i];
    }
    placed->at = calloc(placed->chunks, sizeof(*placed->at));
    if (placed->at != NULL)
        return placed;
    free(placed);
    return NULL;
}

/* H5D__chunk_allocate, or H5D__contig_alloc */
static atm_status place_data(atm_h5_space *space, atm_h5_placed *placed)
{
    tree tree = {.bytes = node_bytes(&placed->set), .levels = 1};
    bool chunked = placed->set.chunked;
    atm_status status = chunked ? add_node(space, &tree) : ATM_OK;

    for (uint64_t i = 0; status == ATM_OK && i < placed->chunks; i++) {
        status = atm_h5_allocate(space, ATM_H5_RAW, placed->chunk_bytes, &placed->at[i]);
        if (status == ATM_OK && chunked)
            status = grow(space, &tree);
    }
    return status;
}

/* The link follows the data: H5D__create_named. */
static atm_status place(atm_h5_space *space, atm_h5_placed *placed)
{
    uint64_t at;
    atm_status status = atm_h5_allocate(space, ATM_H5_METADATA, HEADER, &at);
    int before;

    if (status == ATM_OK)
        status = place_data(space, placed);
    if (status != ATM_OK)
        return status;
    before = atm_h5_space_link(space);
    if (before >= ATM_H5_SETS)
        return ATM_BAD_ARGUMENT;
    return before == 0 ? atm_h5_allocate(space, ATM_H5_METADATA, SYMBOLS, &at) : ATM_OK;
}

atm_status atm_h5_set_place(atm_h5_space *space, const atm_h5_set *set, atm_h5_placed **placed_p)
{
    atm_h5_placed *placed;
    atm_status status;

    if (atm_h5_set_refused(set) != NULL)
        return ATM_BAD_ARGUMENT;
    placed = prepare(set);
    if (placed == NULL)
        return ATM_NO_MEMORY;
    status = place(space, placed);
    if (status == ATM_OK)
        *placed_p = placed;
    else
        atm_h5_placed_destroy(placed);
    return status;
}

void atm_h5_placed_destroy(atm_h5_placed *placed)
{
    if (placed == NULL)
        return;
    free(placed->at);
    free(placed);
}
