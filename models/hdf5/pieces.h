/*
 * What HDF5 passes to MPI-IO when all ranks write a data set together: the pieces of the file in
 * each rank's view, of every call.
 *
 *   create  chunks that are filled: one MPI_File_write_at_all of all of them, dealt out to the
 *           ranks (H5D__chunk_collective_fill)
 *   write   one MPI_File_write_at_all of all that is selected, of all chunks
 *           (H5D__inter_collective_io, H5D__link_chunk_collective_io)
 *
 * Covered: collective transfers (H5FD_MPIO_COLLECTIVE) of hyperslabs that are regular, of
 * elements that need no conversion, with HDF5's own choice of how chunks are written, which is
 * one call for all.  Not covered: programs that choose otherwise (H5Pset_dxpl_mpio_chunk_opt and
 * its relatives), irregular selections, points.  Metadata is written apart, by few ranks: it is
 * not counted.
 */

#ifndef ATM_H5_PIECES_H
#define ATM_H5_PIECES_H

#include "set.h"

/* What a rank selects, as H5Sselect_hyperslab has it: in each dimension `count` blocks, one every
 * `stride`.  A count of 0: nothing. */
typedef struct atm_h5_slab {
    uint64_t start[ATM_H5_DIMENSIONS], stride[ATM_H5_DIMENSIONS];
    uint64_t count[ATM_H5_DIMENSIONS], block[ATM_H5_DIMENSIONS];
} atm_h5_slab;

/* Inside of the data set, and its blocks apart. */
bool atm_h5_slab_fits(const atm_h5_set *set, const atm_h5_slab *slab);

#define ATM_H5_PIECES_MAX (UINT64_C(1) << 26)

/* Pieces by offset, no two adjoining.  Begins as {0}. */
typedef struct atm_h5_pieces {
    atm_piece *pieces;
    size_t count, room;
} atm_h5_pieces;

void atm_h5_pieces_free(atm_h5_pieces *pieces);

/* Both replace what the list has.  ATM_BAD_ARGUMENT for more pieces than ATM_H5_PIECES_MAX, or a
 * slab that does not fit. */
atm_status atm_h5_written(const atm_h5_placed *placed, const atm_h5_slab *slab, int rank,
                          atm_h5_pieces *pieces);
/* Nothing where nothing is filled. */
atm_status atm_h5_filled(const atm_h5_placed *placed, int ranks, int rank, atm_h5_pieces *pieces);

#endif /* ATM_H5_PIECES_H */
