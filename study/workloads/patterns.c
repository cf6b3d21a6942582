/* The patterns, and the table of them. */

#include "patterns.h"

#include <stddef.h>
#include <string.h>

/* Every pattern but the contiguous one puts the calls one behind the other. */
static int64_t call_start(const shape *s, int call)
{
    return (int64_t) call * s->ranks * s->chunk;
}

static int64_t amount_chunk(const shape *s)
{
    return s->chunk;
}

/* `count` pieces of `length` bytes, every `stride`, in each call's part of the file. */
static void view_pieces(const shape *s, int64_t count, int64_t length, int64_t stride,
                        MPI_Datatype *type_p)
{
    MPI_Datatype pieces;

    MPI_Type_create_hvector((int) count, (int) length, stride, MPI_BYTE, &pieces);
    MPI_Type_create_resized(pieces, 0, s->ranks * s->chunk, type_p);
    MPI_Type_commit(type_p);
    MPI_Type_free(&pieces);
}

/* --- contiguous: a rank's calls follow each other, as in IOR with one segment */

static void view_contiguous(const shape *s, MPI_Offset *displacement_p, MPI_Datatype *type_p)
{
    *displacement_p = (int64_t) s->rank * s->calls * s->chunk;
    *type_p = MPI_BYTE;
}

static int64_t place_contiguous(const shape *s, int call, int64_t at, int64_t *together_p)
{
    *together_p = s->chunk - at;
    return ((int64_t) s->rank * s->calls + call) * s->chunk + at;
}

/* --- segmented: in each call the ranks' chunks lie side by side */

static void view_segmented(const shape *s, MPI_Offset *displacement_p, MPI_Datatype *type_p)
{
    *displacement_p = s->rank * s->chunk;
    view_pieces(s, 1, s->chunk, s->chunk, type_p);
}

static int64_t place_segmented(const shape *s, int call, int64_t at, int64_t *together_p)
{
    *together_p = s->chunk - at;
    return call_start(s, call) + s->rank * s->chunk + at;
}

/* --- strided: blocks are dealt to the ranks in turn */

static void view_strided(const shape *s, MPI_Offset *displacement_p, MPI_Datatype *type_p)
{
    *displacement_p = s->rank * s->block;
    view_pieces(s, s->chunk / s->block, s->block, s->ranks * s->block, type_p);
}

static int64_t place_strided(const shape *s, int call, int64_t at, int64_t *together_p)
{
    int64_t block = at / s->block, inside = at % s->block;

    *together_p = s->block - inside;
    return call_start(s, call) + (block * s->ranks + s->rank) * s->block + inside;
}

/* --- uneven: dealt in turn, but the last rank gets most, in the ratio 1:3:5:... */

/* block * rank^2 / ranks, without a product that could overflow */
static int64_t uneven_start(const shape *s, int rank)
{
    return s->block * rank / s->ranks * rank + s->block * rank % s->ranks * rank / s->ranks;
}

static int64_t uneven_length(const shape *s)
{
    return uneven_start(s, s->rank + 1) - uneven_start(s, s->rank);
}

static int64_t amount_uneven(const shape *s)
{
    return s->chunk / s->block * uneven_length(s);
}

static void view_uneven(const shape *s, MPI_Offset *displacement_p, MPI_Datatype *type_p)
{
    *displacement_p = uneven_start(s, s->rank);
    view_pieces(s, s->chunk / s->block, uneven_length(s), s->ranks * s->block, type_p);
}

static int64_t place_uneven(const shape *s, int call, int64_t at, int64_t *together_p)
{
    int64_t length = uneven_length(s), round = at / length, inside = at % length;

    *together_p = length - inside;
    return call_start(s, call) + round * s->ranks * s->block + uneven_start(s, s->rank) + inside;
}

/* --- blocks of a 2-D or 3-D array of bytes, a new array in each call
 * A rank's lines are `block` bytes long; the slowest dimension comes first. */

/* The largest divisor up to the square root: planes and lines of a 3-D block. */
static int64_t divisor(int64_t number)
{
    int64_t best = 1;

    for (int64_t i = 2; i <= number / i; i++)
        if (number % i == 0)
            best = i;
    return best;
}

void pattern_lay_out(const pattern *p, shape *s)
{
    int last = p->dimensions - 1, rest = s->rank;
    int64_t lines = s->chunk / s->block;

    if (p->dimensions == 0)
        return;
    memset(s->processes, 0, sizeof(s->processes));
    MPI_Dims_create(s->ranks, p->dimensions, s->processes);
    s->own[0] = (int) (p->dimensions == 3 ? divisor(lines) : lines);
    s->own[1] = (int) (lines / s->own[0]);
    s->own[last] = (int) s->block;
    for (int i = last; i >= 0; i--) {
        s->place[i] = rest % s->processes[i];
        rest /= s->processes[i];
    }
}

static void view_grid(const shape *s, int dimensions, MPI_Offset *displacement_p,
                      MPI_Datatype *type_p)
{
    int all[3], start[3];

    for (int i = 0; i < dimensions; i++) {
        all[i] = s->own[i] * s->processes[i];
        start[i] = s->own[i] * s->place[i];
    }
    *displacement_p = 0;
    MPI_Type_create_subarray(dimensions, all, s->own, start, MPI_ORDER_C, MPI_BYTE, type_p);
    MPI_Type_commit(type_p);
}

static int64_t place_grid(const shape *s, int dimensions, int call, int64_t at, int64_t *together_p)
{
    int64_t offset = 0, extent = 1;

    *together_p = s->block - at % s->block;
    for (int i = dimensions - 1; i >= 0; i--) {
        offset += (at % s->own[i] + (int64_t) s->own[i] * s->place[i]) * extent;
        extent *= (int64_t) s->own[i] * s->processes[i];
        at /= s->own[i];
    }
    return call_start(s, call) + offset;
}

static void view_2d(const shape *s, MPI_Offset *displacement_p, MPI_Datatype *type_p)
{
    view_grid(s, 2, displacement_p, type_p);
}

static int64_t place_2d(const shape *s, int call, int64_t at, int64_t *together_p)
{
    return place_grid(s, 2, call, at, together_p);
}

static void view_3d(const shape *s, MPI_Offset *displacement_p, MPI_Datatype *type_p)
{
    view_grid(s, 3, displacement_p, type_p);
}

static int64_t place_3d(const shape *s, int call, int64_t at, int64_t *together_p)
{
    return place_grid(s, 3, call, at, together_p);
}

#define KIB INT64_C(1024)
#define MIB (1024 * KIB)

static const pattern patterns[] = {
    {"contiguous", "one part of the file per rank, as IOR's", 8 * MIB, 0, 8, 0, amount_chunk,
     view_contiguous, place_contiguous},
    {"segmented", "chunks side by side in each call", 8 * MIB, 0, 8, 0, amount_chunk,
     view_segmented, place_segmented},
    {"strided", "blocks dealt to the ranks in turn", 8 * MIB, 16 * KIB, 1, 0, amount_chunk,
     view_strided, place_strided},
    {"2d", "blocks of a 2-D array; --block is a line's length", 8 * MIB, 4 * KIB, 1, 2,
     amount_chunk, view_2d, place_2d},
    {"3d", "blocks of a 3-D array; --block is a line's length", 8 * MIB, 1 * KIB, 1, 3,
     amount_chunk, view_3d, place_3d},
    {"uneven", "dealt in turn in the ratio 1:3:5:...; --block is the mean", 8 * MIB, 64 * KIB, 1, 0,
     amount_uneven, view_uneven, place_uneven},
    {"tiny", "many calls of a few small records dealt in turn", 16 * KIB, 64, 16, 0, amount_chunk,
     view_strided, place_strided},
};

const pattern *pattern_at(int index)
{
    return (size_t) index < sizeof(patterns) / sizeof(patterns[0]) ? &patterns[index] : NULL;
}

const pattern *pattern_find(const char *name)
{
    for (int i = 0; pattern_at(i) != NULL; i++)
        if (strcmp(pattern_at(i)->name, name) == 0)
            return pattern_at(i);
    return NULL;
}
