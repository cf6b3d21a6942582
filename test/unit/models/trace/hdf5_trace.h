/* What HDF5 passes to MPI-IO, compared with what is predicted (models/hdf5). */

#ifndef HDF5_TRACE_H
#define HDF5_TRACE_H

#include "hdf5/pieces.h"

/* --- hdf5_hooks.c: collective writes of this rank */

enum { HDF5_CALLS = 4 };

void hdf5_trace_begin(void);
/* How many there were since; their pieces stay until the next begin. */
int hdf5_trace_end(void);
const atm_h5_pieces *hdf5_trace_call(int index);

/* --- hdf5_case.c: the same on all ranks */

typedef struct hdf5_case {
    const char *name;
    atm_h5_file file;
    atm_h5_set set;     /* as the program asks for it */
    bool fill_always;   /* fill time alloc; else ifset, or never if set.fill is false */
    int sets;           /* as many of them, one after the other */
    atm_h5_slab *slabs; /* of each rank; the caller frees them */
} hdf5_case;

/* The first ones are the kernels of study/workloads, the others random. */
hdf5_case hdf5_case_make(uint64_t seed, int number, int ranks);

#endif /* HDF5_TRACE_H */
