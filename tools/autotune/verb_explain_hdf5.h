/* autotune explain --hdf5: ways to store a data set, and what each would cost. */

#ifndef VERB_EXPLAIN_HDF5_H
#define VERB_EXPLAIN_HDF5_H

#include "job_options.h"

/* Returns the exit code. */
int explain_hdf5(const option_table *table, const job_options *options, const char *text,
                 bool json);

#endif /* VERB_EXPLAIN_HDF5_H */
