/*
 * Where HDF5 allocates space in a file: the function H5MF_alloc of HDF5 1.10.8, followed line by
 * line, with the driver for MPI-IO and the default strategy (free space of this run is used
 * again, small requests come from blocks).  Nothing is written.
 *
 * Covered: a new file in the oldest format, with the default sizes of addresses, B-trees and
 * symbol tables, without a user block.  Not covered: pages, files that exist.
 */

#ifndef ATM_H5_SPACE_H
#define ATM_H5_SPACE_H

#include "atm.h"

#define ATM_H5_ALIGNMENT_MAX (UINT64_C(1) << 40)
#define ATM_H5_BLOCK UINT64_C(2048) /* of metadata and of small data: H5Fprivate.h:682 */

/* How a file is created. */
typedef struct atm_h5_file {
    uint64_t threshold;      /* what is smaller is not aligned */
    uint64_t alignment;      /* 0 or 1: nothing is */
    uint64_t metadata_block; /* 0: ATM_H5_BLOCK */
} atm_h5_file;

typedef enum atm_h5_kind { ATM_H5_METADATA, ATM_H5_RAW, ATM_H5_KIND_COUNT } atm_h5_kind;

typedef struct atm_h5_space atm_h5_space;

/* As H5Fcreate leaves it, with an empty root group; destroy it. */
atm_status atm_h5_space_create(const atm_h5_file *file, atm_h5_space **space_p);
void atm_h5_space_destroy(atm_h5_space *space);

/* size is not 0.  Once it has failed, the space is good for nothing but to be destroyed. */
atm_status atm_h5_allocate(atm_h5_space *space, atm_h5_kind kind, uint64_t size, uint64_t *at_p);

/* The end of what is allocated (H5Fget_eoa). */
uint64_t atm_h5_space_end(const atm_h5_space *space);
/* Adds one to the data sets in the root group; returns how many there were. */
int atm_h5_space_link(atm_h5_space *space);

#endif /* ATM_H5_SPACE_H */
