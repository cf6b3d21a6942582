/* Ownership of bytes, as MPI types and as segments computed without MPI. */

#include <assert.h>
#include <stdlib.h>

#include "random.h"

enum {
    PURPOSE_PIECES = 1000,
    PURPOSE_CUTS = 2000,
};

static void add_segment(struct layout *layout, int64_t offset, int64_t length)
{
    layout->segments = realloc(layout->segments, (layout->count + 1) * sizeof(struct segment));
    assert(layout->segments);
    layout->segments[layout->count++] = (struct segment){offset, length, layout->bytes};
    layout->bytes += length;
}

static void make_vector(struct layout *layout, const struct test_case *c, int rank)
{
    int64_t stride = c->ranks * c->block + c->gap;

    layout->displacement += rank * c->block * c->etype_size;
    for (int64_t i = 0; i < c->blocks; i++)
        add_segment(layout, i * stride * c->etype_size, c->block * c->etype_size);
    layout->extent = c->blocks * stride * c->etype_size;
}

/* The file is cut into pieces of random length with random owners, possibly
 * nobody.  The first piece belongs to rank 0, so that it owns something. */
static void make_pieces(struct layout *layout, const struct test_case *c, int rank)
{
    struct rng rng = rng_start(c->seed, c->number, PURPOSE_PIECES);
    int64_t offset = 0;

    for (int i = 0; i < c->pieces; i++) {
        int64_t length = rng_between(&rng, 1, c->piece_max) * c->etype_size;
        int owner = rng_between(&rng, c->holes ? -1 : 0, c->ranks - 1);
        if (i == 0)
            owner = 0;
        if (owner == rank)
            add_segment(layout, offset, length);
        offset += length;
    }
    layout->extent = offset;
}

struct block {
    int sizes[3], subsizes[3], starts[3];
};

/* Where part i of dimension d begins: even parts, with the cuts moved a little. */
static int cut(const struct test_case *c, int d, int i)
{
    int width = c->sizes[d] / c->grid[d];
    struct rng rng = rng_start(c->seed, c->number, PURPOSE_CUTS + MAX_RANKS * d + i);

    if (i == 0 || i == c->grid[d])
        return i ? c->sizes[d] : 0;
    return i * width + rng_between(&rng, 0, width / 2);
}

static struct block subarray_block(const struct test_case *c, int rank)
{
    struct block b;

    for (int d = c->dimensions - 1; d >= 0; d--) {
        int coordinate = rank % c->grid[d];
        rank /= c->grid[d];
        b.sizes[d] = c->sizes[d];
        b.starts[d] = cut(c, d, coordinate);
        b.subsizes[d] = cut(c, d, coordinate + 1) - b.starts[d];
        if (b.subsizes[d] > c->margin)
            b.subsizes[d] -= c->margin;
    }
    return b;
}

/* The block with three dimensions in C order: slowest first. */
static struct block in_c_order(const struct test_case *c, struct block b)
{
    struct block padded = {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}};

    for (int d = 0; d < c->dimensions; d++) {
        int to = c->fortran ? 2 - d : 3 - c->dimensions + d;
        padded.sizes[to] = b.sizes[d];
        padded.subsizes[to] = b.subsizes[d];
        padded.starts[to] = b.starts[d];
    }
    return padded;
}

static void make_subarray(struct layout *layout, const struct test_case *c, int rank)
{
    struct block b = in_c_order(c, subarray_block(c, rank));

    for (int i = b.starts[0]; i < b.starts[0] + b.subsizes[0]; i++)
        for (int j = b.starts[1]; j < b.starts[1] + b.subsizes[1]; j++) {
            int64_t offset = ((int64_t) i * b.sizes[1] + j) * b.sizes[2] + b.starts[2];
            add_segment(layout, offset * c->etype_size, (int64_t) b.subsizes[2] * c->etype_size);
        }
    layout->extent = (int64_t) b.sizes[0] * b.sizes[1] * b.sizes[2] * c->etype_size;
}

void layout_make(struct layout *layout, const struct test_case *c, int rank)
{
    *layout = (struct layout){.displacement = c->displacement};

    /* MPI wants the same view on all ranks that share a pointer. */
    if (c->write->pointer == SHARED_POINTER)
        rank = 0;
    switch (c->pattern) {
        case VECTOR:
            make_vector(layout, c, rank);
            break;
        case INDEXED:
        case HINDEXED:
            make_pieces(layout, c, rank);
            break;
        case SUBARRAY:
            make_subarray(layout, c, rank);
            break;
        default:
            layout->extent = INT64_C(1) << 40;
            add_segment(layout, 0, layout->extent);
    }
}

void layout_free(struct layout *layout)
{
    free(layout->segments);
    layout->segments = NULL;
}

struct segment layout_find(const struct layout *layout, int64_t position)
{
    int64_t repetition = position / layout->bytes;
    int64_t rest = position % layout->bytes;
    int low = 0, high = layout->count - 1;

    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (layout->segments[middle].position <= rest)
            low = middle;
        else
            high = middle - 1;
    }
    const struct segment *s = &layout->segments[low];
    int64_t inside = rest - s->position;
    return (struct segment){layout->displacement + repetition * layout->extent + s->offset + inside,
                            s->length - inside, position};
}

int64_t layout_file_end(const struct test_case *c, const struct layout *layouts)
{
    int64_t end = 0;

    for (int step = 0; step < c->steps; step++)
        for (int rank = 0; rank < c->ranks; rank++) {
            struct access a = c->access[step][rank];
            if (a.count == 0)
                continue;
            int64_t last = (a.start + a.count) * c->etype_size - 1;
            int64_t offset = layout_find(&layouts[rank], last).offset;
            end = offset >= end ? offset + 1 : end;
        }
    return end;
}

MPI_Datatype layout_etype(const struct test_case *c)
{
    MPI_Datatype type;

    switch (c->etype_size) {
        case 1:
            return MPI_BYTE;
        case 4:
            return MPI_INT;
        case 8:
            return MPI_DOUBLE;
        default:
            MPI_Type_contiguous(c->etype_size, MPI_BYTE, &type);
            MPI_Type_commit(&type);
            return type;
    }
}

/* An indexed or hindexed type of the segments */
static MPI_Datatype segments_type(const struct test_case *c, const struct layout *layout,
                                  MPI_Datatype etype)
{
    int *lengths = malloc(layout->count * sizeof *lengths);
    int *displacements = malloc(layout->count * sizeof *displacements);
    MPI_Aint *offsets = malloc(layout->count * sizeof *offsets);
    MPI_Datatype type;

    assert(lengths && displacements && offsets);
    for (int i = 0; i < layout->count; i++) {
        lengths[i] = layout->segments[i].length / c->etype_size;
        displacements[i] = layout->segments[i].offset / c->etype_size;
        offsets[i] = layout->segments[i].offset;
    }
    if (c->pattern == HINDEXED)
        MPI_Type_create_hindexed(layout->count, lengths, offsets, etype, &type);
    else
        MPI_Type_indexed(layout->count, lengths, displacements, etype, &type);
    free(lengths);
    free(displacements);
    free(offsets);
    return type;
}

static MPI_Datatype pattern_type(const struct test_case *c, const struct layout *layout, int rank,
                                 MPI_Datatype etype)
{
    MPI_Datatype type;

    if (c->pattern == VECTOR) {
        MPI_Type_vector(c->blocks, c->block, c->ranks * c->block + c->gap, etype, &type);
        return type;
    }
    if (c->pattern == SUBARRAY) {
        struct block b = subarray_block(c, c->write->pointer == SHARED_POINTER ? 0 : rank);
        MPI_Type_create_subarray(c->dimensions, b.sizes, b.subsizes, b.starts,
                                 c->fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, etype, &type);
        return type;
    }
    return segments_type(c, layout, etype);
}

MPI_Datatype layout_filetype(const struct test_case *c, const struct layout *layout, int rank)
{
    MPI_Datatype etype = layout_etype(c), type, resized;

    if (c->pattern == CONTIGUOUS || layout->bytes == 0)
        return etype;
    type = pattern_type(c, layout, rank, etype);
    MPI_Type_create_resized(type, 0, layout->extent, &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&type);
    type_free(&etype);
    return resized;
}

MPI_Datatype layout_memory_type(const struct test_case *c)
{
    MPI_Datatype etype = layout_etype(c), type;

    if (c->memory_gap == 0)
        return etype;
    MPI_Type_create_resized(etype, 0, c->etype_size + c->memory_gap, &type);
    MPI_Type_commit(&type);
    type_free(&etype);
    return type;
}

void type_free(MPI_Datatype *type)
{
    int integers, addresses, types, combiner;

    MPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(type);
}
