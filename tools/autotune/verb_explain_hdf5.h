/* autotune explain --hdf5: ways to store a data set, and what each would cost. */

#ifndef VERB_EXPLAIN_HDF5_H
#define VERB_EXPLAIN_HDF5_H

#include "job_options.h"

/* rule: the file of advice that the best layout is added to, or NULL; for the program and the file
 * of the options.  Returns the exit code. */
int explain_hdf5(const option_table *table, const job_options *options, const char *text,
                 const char *rule, bool json);

#endif /* VERB_EXPLAIN_HDF5_H */
