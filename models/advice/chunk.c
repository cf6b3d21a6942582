/* Shapes of chunks. */

#include "chunk.h"

#include <string.h>

#define BYTES_MAX ((UINT64_C(1) << 32) - 1) /* HDF5's */

static uint64_t least(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static void by_shape(const uint64_t *wanted, const uint64_t *sizes, int rank, uint64_t *shape_p)
{
    for (int i = 0; i < rank; i++)
        shape_p[i] = least(wanted[i], sizes[i]);
}

/* room: elements that fit; before a dimension that is cut, only 1. */
static void by_bytes(uint64_t room, const uint64_t *sizes, int rank, uint64_t *shape_p)
{
    for (int i = rank - 1; i >= 0; i--) {
        shape_p[i] = least(room, sizes[i]);
        room = shape_p[i] == sizes[i] ? room / sizes[i] : 1;
    }
}

/* Whether HDF5 takes chunks of that shape, and they are worth having. */
static bool is_good(const uint64_t *shape, const uint64_t *sizes, int rank, uint64_t element)
{
    uint64_t bytes = element, count = 1;

    for (int i = 0; i < rank; i++) {
        uint64_t chunks = sizes[i] / shape[i] + (sizes[i] % shape[i] > 0);

        if (__builtin_mul_overflow(bytes, shape[i], &bytes) ||
            __builtin_mul_overflow(count, chunks, &count))
            return false;
    }
    return bytes <= BYTES_MAX && count > 1 && count <= ATM_CHUNK_COUNT;
}

bool atm_chunk_shape(const atm_settings *settings, const uint64_t *sizes, int rank,
                     uint64_t element, uint64_t *shape_p)
{
    uint64_t shape[ATM_CHUNK_RANK];

    if (rank < 1 || rank > ATM_CHUNK_RANK || element == 0 || element > BYTES_MAX)
        return false;
    for (int i = 0; i < rank; i++)
        if (sizes[i] == 0)
            return false;
    if (settings->has[ATM_SET_HDF5_CHUNK] &&
        settings->values[ATM_SET_HDF5_CHUNK] == (uint64_t) rank)
        by_shape(settings->chunk, sizes, rank, shape);
    else if (settings->has[ATM_SET_HDF5_CHUNK_BYTES] &&
             settings->values[ATM_SET_HDF5_CHUNK_BYTES] >= element)
        by_bytes(settings->values[ATM_SET_HDF5_CHUNK_BYTES] / element, sizes, rank, shape);
    else
        return false;
    if (!is_good(shape, sizes, rank, element))
        return false;
    memcpy(shape_p, shape, (size_t) rank * sizeof(*shape));
    return true;
}
