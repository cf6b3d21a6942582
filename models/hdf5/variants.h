/*
 * Ways to store a data set, and what each would cost: the calls that result are counted
 * (hdf5/access.h) and predicted as any other (choose/choose.h).
 *
 * The first is the data set as it was given.  The others differ from it in layout (contiguous,
 * chunks as large as the largest block of a rank, chunks of whole rows), in alignment, and in
 * whether chunks are filled: in what module hdf5 of libautotune-watch.so can set where the program
 * does not.
 *
 * A time is that of filling and writing as many data sets as the request has calls, without the
 * metadata.  Filling is done with the configuration that is chosen for writing.
 */

#ifndef ATM_H5_VARIANTS_H
#define ATM_H5_VARIANTS_H

#include "access.h"
#include "advice/settings.h"
#include "choose/choose.h"

enum { ATM_H5_VARIANTS = 8 };

typedef struct atm_h5_question {
    atm_h5_file file;
    atm_h5_set set;
    const atm_h5_slab *slabs; /* of each rank of the request's job */
} atm_h5_question;

typedef struct atm_h5_time {
    double seconds;
    double fill; /* of them */
    double uncertainty;
} atm_h5_time;

typedef struct atm_h5_variant {
    const char *name;
    atm_h5_file file;
    atm_h5_set set;
    atm_settings settings; /* advice that makes it of a data set with HDF5's defaults; none for
                              the first and for what is contiguous and not aligned */
    atm_h5_calls calls;
    atm_config config;    /* that is chosen for writing it */
    atm_h5_time chosen;   /* with it */
    atm_h5_time defaults; /* with ROMIO's own hints */
} atm_h5_variant;

typedef struct atm_h5_variants {
    atm_h5_variant variants[ATM_H5_VARIANTS];
    int count;
    int best;      /* the first whose time is within ATM_TIE of the shortest */
    uint64_t unit; /* what is aligned is aligned to this */
} atm_h5_variants;

/* What variants are aligned to: stripes, blocks of GPFS, else 1 MiB.  Chunks of less than half of
 * it are not. */
uint64_t atm_h5_unit(const atm_request *request);

/* The request's access is that of each variant in turn.  Destroy the variants.  Variants that are
 * not covered are left out; if the first is not, ATM_BAD_ARGUMENT. */
atm_status atm_h5_compare(const atm_request *request, const atm_profile *profile,
                          const atm_h5_question *question, atm_h5_variants **variants_p);
void atm_h5_variants_destroy(atm_h5_variants *variants);

#endif /* ATM_H5_VARIANTS_H */
