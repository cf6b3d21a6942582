/* Is a datatype contiguous?  Random ones, compared with what MPI_Pack makes of them. */

#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "preload/atp.h"
#include "preload/layout.h"
#include "mpitap.h"

enum { TYPES = 4000, ROOM = 1 << 16, DEPTH = 4, PARTS = 4 };

/* Stands for the preload library's lookup in its host: here the host is this program. */
bool atp_find(const char *name, void *function_p)
{
    void *found = dlsym(RTLD_DEFAULT, name);

    memcpy(function_p, &found, sizeof(found));
    return found != NULL;
}

/* --- random datatypes */

static unsigned state;

static int below(int limit)
{
    state = state * 1103515245u + 12345u;
    return (int) (state >> 16) % limit;
}

static MPI_Datatype make_basic(void)
{
    static const MPI_Datatype basic[] = {MPI_BYTE,   MPI_SHORT,      MPI_INT,
                                         MPI_DOUBLE, MPI_DOUBLE_INT, MPI_SHORT_INT};
    MPI_Datatype type;

    MPI_Type_dup(basic[below(6)], &type);
    return type;
}

static MPI_Datatype make(int depth);

/* None is empty: MPICH cannot commit some types with such parts.
 * Places one after the other are as likely as others: contiguous types must be met. */
static void make_places(MPI_Datatype part, int count, int *lengths, int *places, MPI_Aint *bytes)
{
    bool in_order = below(2) == 0;
    MPI_Aint low, extent;
    int next = 0;

    MPI_Type_get_extent(part, &low, &extent);
    for (int i = 0; i < count; i++) {
        lengths[i] = 1 + below(2);
        places[i] = in_order ? next : below(6);
        next = places[i] + lengths[i];
        bytes[i] = places[i] * extent + (below(16) == 0 ? 1 : 0);
    }
}

static MPI_Datatype make_struct(int depth)
{
    int count = 1 + below(PARTS), lengths[PARTS];
    MPI_Datatype parts[PARTS], type;
    MPI_Aint places[PARTS], next = 0;

    for (int i = 0; i < count; i++) {
        MPI_Aint low, extent;

        parts[i] = make(depth - 1);
        MPI_Type_get_extent(parts[i], &low, &extent);
        lengths[i] = 1 + below(2);
        places[i] = next;
        next += lengths[i] * extent + (below(6) == 0 ? 1 : 0);
    }
    MPI_Type_create_struct(count, lengths, places, parts, &type);
    for (int i = 0; i < count; i++)
        MPI_Type_free(&parts[i]);
    return type;
}

static MPI_Datatype make_subarray(MPI_Datatype part)
{
    int dimensions = 1 + below(3), sizes[3], parts[3], starts[3];
    MPI_Datatype type;

    for (int i = 0; i < dimensions; i++) {
        sizes[i] = 1 + below(3);
        parts[i] = below(2) == 0 ? sizes[i] : 1 + below(sizes[i]);
        starts[i] = below(sizes[i] - parts[i] + 1);
    }
    MPI_Type_create_subarray(dimensions, sizes, parts, starts,
                             below(2) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, part, &type);
    return type;
}

static MPI_Datatype make_resized(MPI_Datatype part)
{
    MPI_Aint low, extent;
    MPI_Datatype type;
    int size;

    MPI_Type_size(part, &size);
    MPI_Type_get_true_extent(part, &low, &extent);
    MPI_Type_create_resized(part, below(4) == 0 ? low : 0, below(2) == 0 ? size : extent, &type);
    return type;
}

static MPI_Datatype make_from(MPI_Datatype part)
{
    int count = 1 + below(PARTS), lengths[PARTS], places[PARTS], length = 1 + below(3);
    MPI_Aint bytes[PARTS], low, extent;
    MPI_Datatype type;

    MPI_Type_get_extent(part, &low, &extent);
    make_places(part, count, lengths, places, bytes);
    switch (below(9)) {
        case 0:
            MPI_Type_contiguous(1 + below(3), part, &type);
            return type;
        case 1:
            MPI_Type_vector(count, length, below(2) == 0 ? length : below(5), part, &type);
            return type;
        case 2:
            MPI_Type_create_hvector(count, length, below(2) == 0 ? length * extent : below(64),
                                    part, &type);
            return type;
        case 3:
            MPI_Type_indexed(count, lengths, places, part, &type);
            return type;
        case 4:
            MPI_Type_create_hindexed(count, lengths, bytes, part, &type);
            return type;
        case 5:
            MPI_Type_create_indexed_block(count, length, places, part, &type);
            return type;
        case 6:
            MPI_Type_create_hindexed_block(count, length, bytes, part, &type);
            return type;
        case 7:
            return make_subarray(part);
        default:
            return make_resized(part);
    }
}

static MPI_Datatype make(int depth)
{
    MPI_Datatype part, type;

    if (depth == 0 || below(5) == 0)
        return make_basic();
    if (below(8) == 0)
        return make_struct(depth);
    part = make(depth - 1);
    type = make_from(part);
    MPI_Type_free(&part);
    return type;
}

/* --- the truth */

/* Where a byte of the packed data was tells its two halves, packed one after the other. */
static bool is_identity(MPI_Datatype type, int size, int shift)
{
    static unsigned char from[3 * ROOM], to[ROOM];
    int place = 0;

    for (int i = 0; i < 3 * ROOM; i++)
        from[i] = (unsigned char) (i >> shift);
    MPI_Pack(from + ROOM, 1, type, to, ROOM, &place, MPI_COMM_SELF);
    return place == size && memcmp(from + ROOM, to, (size_t) size) == 0;
}

/* -1: too large to be tried */
static int truth(MPI_Datatype type)
{
    MPI_Aint low, extent, true_low, true_extent;
    int size;

    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &low, &extent);
    MPI_Type_get_true_extent(type, &true_low, &true_extent);
    if (size > ROOM || true_low < -ROOM || true_low + true_extent > ROOM)
        return -1;
    return low == 0 && extent == size && is_identity(type, size, 0) && is_identity(type, size, 8);
}

int main(int argc, char **argv)
{
    int wrong = 0, contiguous = 0, tried = 0, code;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < TYPES; i++) {
        MPI_Datatype type;
        int expected;

        state = (unsigned) i * 2654435761u;
        type = make(DEPTH);
        MPI_Type_commit(&type);
        expected = truth(type);
        if (expected >= 0) {
            tried++;
            contiguous += expected;
            if (atp_is_contiguous(type) != (expected == 1)) {
                wrong++;
                fprintf(stderr, "seed %d: is %scontiguous\n", i, expected == 1 ? "" : "not ");
            }
        }
        MPI_Type_free(&type);
    }
    tap_ok(wrong == 0, "%d of %d random datatypes are judged as MPI_Pack does", tried - wrong,
           tried);
    tap_ok(contiguous > TYPES / 50 && tried - contiguous > TYPES / 50,
           "%d of them are contiguous, %d not", contiguous, tried - contiguous);
    code = tap_done();
    MPI_Finalize();
    return code;
}
