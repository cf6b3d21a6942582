/* The space of a file; private to models/hdf5. */

#ifndef ATM_H5_SPACE_INSIDE_H
#define ATM_H5_SPACE_INSIDE_H

#include "allocation.h"

typedef struct atm_h5_section {
    uint64_t at, size;
} atm_h5_section;

/* The block that small requests come from: H5F_blk_aggr_t. */
typedef struct atm_h5_aggregator {
    uint64_t block;    /* what it is made of, again and again */
    uint64_t at, size; /* what is left of it; at is 0 before there is any */
    uint64_t total;    /* that followed each other in the file */
} atm_h5_aggregator;

/* Free sections, by address. */
typedef struct atm_h5_free {
    bool started; /* something was given back that could not be undone */
    atm_h5_section *sections;
    size_t count, room;
} atm_h5_free;

struct atm_h5_space {
    atm_h5_file file;
    uint64_t end; /* EOA */
    atm_h5_aggregator aggregators[ATM_H5_KIND_COUNT];
    atm_h5_free free[ATM_H5_KIND_COUNT];
    int sets;
    bool failed; /* no memory */
};

/* What a request of that size is aligned to, or 0. */
uint64_t atm_h5_alignment(const atm_h5_space *space, uint64_t size);
/* Bytes from there to the next multiple; alignment 0: none. */
uint64_t atm_h5_gap(uint64_t at, uint64_t alignment);

/* H5MF_xfree: give a section back; one of size 0 is none. */
void atm_h5_release(atm_h5_space *space, atm_h5_kind kind, atm_h5_section section);
/* H5MF__find_sect: take from what was given back. */
bool atm_h5_reuse(atm_h5_space *space, atm_h5_kind kind, uint64_t size, uint64_t *at_p);

#endif /* ATM_H5_SPACE_INSIDE_H */
