/*
 * The collective calls of a data set, each summarised over all ranks as the other models take it
 * (atm_access), with the numbers that can be compared with a trace.
 *
 * A rank without data takes part with an offset of 0 if data is chunked, which widens the range
 * that ROMIO divides among aggregators; the summary leaves it out.
 */

#ifndef ATM_H5_ACCESS_H
#define ATM_H5_ACCESS_H

#include "pieces.h"

typedef struct atm_h5_call {
    atm_access access;   /* write; new_file is the caller's.  bytes is 0: there is no such call */
    uint64_t pieces;     /* of all ranks */
    uint64_t pieces_max; /* of a rank */
    uint64_t smallest, largest;
} atm_h5_call;

typedef struct atm_h5_calls {
    atm_h5_call fill;
    atm_h5_call write;
    uint64_t chunks; /* contiguous: 0 */
    uint64_t first;  /* where the data begins in the file */
    uint64_t padded; /* bytes from the first to the last that hold no data of this set: what
                        alignment, the index and chunks at the edge leave */
} atm_h5_calls;

/* slabs[ranks], which must not overlap.  Fails as atm_h5_written. */
atm_status atm_h5_summarise(const atm_h5_placed *placed, const atm_h5_slab *slabs, int ranks,
                            atm_h5_calls *calls_p);

/* The first data set of a new file. */
atm_status atm_h5_count(const atm_h5_file *file, const atm_h5_set *set, const atm_h5_slab *slabs,
                        int ranks, atm_h5_calls *calls_p);

#endif /* ATM_H5_ACCESS_H */
