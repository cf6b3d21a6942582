/* Datatypes taken apart as long as they may be contiguous. */

#include "layout.h"

#include <stdlib.h>

#include "atp.h"

/* What a datatype was made of; a part of it is looked at in the order of its bytes. */
typedef struct recipe {
    int combiner;
    int integer_count, address_count, type_count;
    int *integers;
    MPI_Aint *addresses;
    MPI_Datatype *types;
} recipe;

/* The byte that must be next. */
typedef MPI_Aint place;

static bool follows(MPI_Datatype type, MPI_Aint at, place *next);

/* --- recipes */

static bool is_named(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

static void free_recipe(recipe *r)
{
    for (int i = 0; i < r->type_count; i++) {
        int integers, addresses, types, combiner;

        if (PMPI_Type_get_envelope(r->types[i], &integers, &addresses, &types, &combiner) ==
                MPI_SUCCESS &&
            !is_named(combiner))
            PMPI_Type_free(&r->types[i]);
    }
    free(r->integers);
    free(r->addresses);
    free(r->types);
}

/* Made with counts beyond int, which only newer hosts know: to ask about it as usual is an error.
 */
static bool is_large(MPI_Datatype type)
{
    int (*ask)(MPI_Datatype, MPI_Count *, MPI_Count *, MPI_Count *, MPI_Count *, int *);
    MPI_Count integers, addresses, large = 0, types;
    int combiner;

    return atp_find("PMPI_Type_get_envelope_c", &ask) &&
           (ask(type, &integers, &addresses, &large, &types, &combiner) != MPI_SUCCESS ||
            large > 0);
}

static bool read_recipe(MPI_Datatype type, recipe *r)
{
    *r = (recipe){.type_count = 0};
    if (is_large(type))
        return false;
    if (PMPI_Type_get_envelope(type, &r->integer_count, &r->address_count, &r->type_count,
                               &r->combiner) != MPI_SUCCESS)
        return false;
    if (is_named(r->combiner)) {
        r->type_count = 0;
        return true;
    }
    r->integers = calloc((size_t) r->integer_count + 1, sizeof(*r->integers));
    r->addresses = calloc((size_t) r->address_count + 1, sizeof(*r->addresses));
    r->types = calloc((size_t) r->type_count + 1, sizeof(*r->types));
    if (r->integers != NULL && r->addresses != NULL && r->types != NULL &&
        PMPI_Type_get_contents(type, r->integer_count, r->address_count, r->type_count, r->integers,
                               r->addresses, r->types) == MPI_SUCCESS)
        return true;
    r->type_count = 0;
    free_recipe(r);
    return false;
}

/* --- parts */

/* A block of so many of one type, one after the other. */
static bool block_follows(MPI_Datatype type, MPI_Aint at, MPI_Aint count, place *next)
{
    MPI_Count size;

    if (count <= 1)
        return count == 0 || follows(type, at, next);
    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS)
        return false;
    if (size > 0 && (at != *next || !atp_is_contiguous(type)))
        return false;
    *next += count * (MPI_Aint) size;
    return true;
}

static MPI_Aint extent_of(MPI_Datatype type)
{
    MPI_Aint low, extent = 0;

    PMPI_Type_get_extent(type, &low, &extent);
    return extent;
}

static bool vector_follows(const recipe *r, MPI_Aint at, place *next)
{
    MPI_Aint stride = r->combiner == MPI_COMBINER_VECTOR ? r->integers[2] * extent_of(r->types[0])
                                                         : r->addresses[0];

    for (int i = 0; i < r->integers[0]; i++)
        if (!block_follows(r->types[0], at + i * stride, r->integers[1], next))
            return false;
    return true;
}

/* Blocks of one length or of many, at places in items or in bytes. */
static bool blocks_follow(const recipe *r, MPI_Aint at, place *next)
{
    const bool one_length =
        r->combiner == MPI_COMBINER_INDEXED_BLOCK || r->combiner == MPI_COMBINER_HINDEXED_BLOCK;
    const MPI_Aint extent = r->address_count == 0 ? extent_of(r->types[0]) : 0;
    const int count = r->integers[0], *lengths = r->integers + 1;
    const int *places = lengths + (one_length ? 1 : count);

    for (int i = 0; i < count; i++) {
        MPI_Aint from = r->address_count == 0 ? places[i] * extent : r->addresses[i];
        MPI_Datatype type = r->types[r->combiner == MPI_COMBINER_STRUCT ? i : 0];

        if (!block_follows(type, at + from, lengths[one_length ? 0 : i], next))
            return false;
    }
    return true;
}

/* Rows from the one that changes fastest: as long as they are whole, they are one block; then
 * may come a part of one, and after that a single one. */
static bool subarray_follows(const recipe *r, MPI_Aint at, place *next)
{
    const int dimensions = r->integers[0];
    const int *sizes = r->integers + 1, *parts = sizes + dimensions, *starts = parts + dimensions;
    const bool fortran = starts[dimensions] == MPI_ORDER_FORTRAN;
    MPI_Aint items = 1, before = 0, all = 1;
    bool whole = true;

    for (int k = 0; k < dimensions; k++) {
        int i = fortran ? k : dimensions - 1 - k;

        if (!whole && parts[i] != 1)
            return false;
        whole = whole && parts[i] == sizes[i];
        items *= parts[i];
        before += starts[i] * all;
        all *= sizes[i];
    }
    return block_follows(r->types[0], at + before * extent_of(r->types[0]), items, next);
}

static bool named_follows(MPI_Datatype type, MPI_Aint at, place *next)
{
    MPI_Count size;
    MPI_Aint low, extent;

    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS ||
        PMPI_Type_get_true_extent(type, &low, &extent) != MPI_SUCCESS || at + low != *next ||
        size != extent)
        return false;
    *next += extent;
    return true;
}

static bool recipe_follows(const recipe *r, MPI_Aint at, place *next)
{
    switch (r->combiner) {
        case MPI_COMBINER_DUP:
        case MPI_COMBINER_RESIZED:
            return follows(r->types[0], at, next);
        case MPI_COMBINER_CONTIGUOUS:
            return block_follows(r->types[0], at, r->integers[0], next);
        case MPI_COMBINER_VECTOR:
        case MPI_COMBINER_HVECTOR:
            return vector_follows(r, at, next);
        case MPI_COMBINER_INDEXED:
        case MPI_COMBINER_HINDEXED:
        case MPI_COMBINER_INDEXED_BLOCK:
        case MPI_COMBINER_HINDEXED_BLOCK:
        case MPI_COMBINER_STRUCT:
            return blocks_follow(r, at, next);
        case MPI_COMBINER_SUBARRAY:
            return subarray_follows(r, at, next);
        default:
            return false;
    }
}

/* The bytes of one item at a place. */
static bool follows(MPI_Datatype type, MPI_Aint at, place *next)
{
    MPI_Count size;
    bool good;
    recipe r;

    if (PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size == 0)
        return true;
    if (!read_recipe(type, &r))
        return false;
    good = is_named(r.combiner) ? named_follows(type, at, next) : recipe_follows(&r, at, next);
    free_recipe(&r);
    return good;
}

bool atp_is_contiguous(MPI_Datatype type)
{
    MPI_Count size;
    MPI_Aint low, extent;
    place next = 0;

    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS ||
        PMPI_Type_get_extent(type, &low, &extent) != MPI_SUCCESS || low != 0 || size != extent)
        return false;
    return follows(type, 0, &next) && next == size;
}
