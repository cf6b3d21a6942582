/*
 * The shape of a data set's chunks, where advice fixes it for data sets that have none of their
 * own.
 *
 *     hdf5.chunk         a shape; of a data set that has as many dimensions
 *     hdf5.chunk_bytes   as many whole rows as fit: the last dimensions are kept, one before them
 * is cut, those before that are 1.  So a chunk is one piece of what the data set would be in one
 * piece, and who accesses whole chunks accesses what follows in the file.
 */

#ifndef ATM_CHUNK_H
#define ATM_CHUNK_H

#include "settings.h"

enum {
    ATM_CHUNK_RANK = 32, /* dimensions: HDF5's H5S_MAX_RANK */
    ATM_CHUNK_COUNT =
        1 << 20 /* chunks of a data set, at most: beyond that their index costs more */
};

/* False, and the shape as it was, where a data set has nothing of it: settings that have neither,
 * another number of dimensions, a dimension of 0, a single chunk or too many, too large ones.
 * element: bytes of one. */
bool atm_chunk_shape(const atm_settings *settings, const uint64_t *sizes, int rank,
                     uint64_t element, uint64_t *shape_p);

#endif /* ATM_CHUNK_H */
