/*
 * A data set of HDF5 and where its data lies in the file, as the driver for MPI-IO creates it:
 * all space is allocated at once, whatever the program asks for (H5Dint.c:1283).
 *
 * Covered: contiguous and chunked layout, without filters; a size that is fixed; elements of
 * a fixed size; the oldest format, in which a B-tree is the index of chunks; the first eight data
 * sets in the root group of a new file, with names of at most 7 bytes and without attributes, one
 * after the other.  Not covered: compact, external and virtual data sets, filters, unlimited
 * dimensions, groups, newer formats (version_low) and paged files.
 */

#ifndef ATM_H5_SET_H
#define ATM_H5_SET_H

#include "allocation.h"

enum { ATM_H5_DIMENSIONS = 5, ATM_H5_SETS = 8, ATM_H5_CHUNKS = 1 << 20 };

typedef struct atm_h5_set {
    int dimensions;
    uint64_t sizes[ATM_H5_DIMENSIONS]; /* the slowest first */
    uint64_t element;                  /* bytes of one */
    bool chunked;
    uint64_t chunk[ATM_H5_DIMENSIONS];
    /* Chunks are written when they are allocated: HDF5's default (fill time ifset), although no
     * value to fill with is set (H5Dchunk.c, H5D__chunk_allocate).  Contiguous data is not. */
    bool fill;
} atm_h5_set;

/* What is not covered, or impossible: a phrase about the data set ("has ..."); NULL: nothing. */
const char *atm_h5_set_refused(const atm_h5_set *set);

/* Contiguous data is one chunk. */
typedef struct atm_h5_placed {
    atm_h5_set set;                     /* with a chunk also if it is contiguous */
    uint64_t across[ATM_H5_DIMENSIONS]; /* chunks in each dimension */
    uint64_t chunk_bytes;
    uint64_t chunks;
    uint64_t *at; /* of each, the last dimension fastest */
} atm_h5_placed;

/* H5Dcreate; destroy it.  ATM_BAD_ARGUMENT for a data set that is refused, or one too many. */
atm_status atm_h5_set_place(atm_h5_space *space, const atm_h5_set *set, atm_h5_placed **placed_p);
void atm_h5_placed_destroy(atm_h5_placed *placed);

#endif /* ATM_H5_SET_H */
