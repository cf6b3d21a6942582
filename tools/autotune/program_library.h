/* What an MPI library is, by its symbols and the texts in it. */

#ifndef PROGRAM_LIBRARY_H
#define PROGRAM_LIBRARY_H

#include <stddef.h>

#include "program.h"

/* False if the file is no MPI library.  It is only read: its own code is another's, who may not be
 * who asks. */
bool program_library_ask(const char *path, program_mpi *mpi_p, char *version, size_t size);

#endif /* PROGRAM_LIBRARY_H */
