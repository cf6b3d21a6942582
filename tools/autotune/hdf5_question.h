/* A data set and its ranks on a command line:
 *
 *     dims=512x512x512,element=8,processes=4x4x4,chunk=1x512x512,alignment=1M
 */

#ifndef HDF5_QUESTION_H
#define HDF5_QUESTION_H

#include "hdf5/variants.h"
#include "common/options.h"

typedef struct hdf5_question {
    atm_h5_question asked;
    uint64_t processes[ATM_H5_DIMENSIONS], runs[ATM_H5_DIMENSIONS];
    atm_h5_slab *slabs;
} hdf5_question;

/* 0: release it; otherwise the exit code, after a complaint. */
int hdf5_question_parse(const option_table *table, const char *text, int ranks,
                        hdf5_question *question_p);
void hdf5_question_release(hdf5_question *question);

#endif /* HDF5_QUESTION_H */
