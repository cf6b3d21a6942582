/* What an MPI library says of itself. */

#ifndef PROGRAM_LIBRARY_H
#define PROGRAM_LIBRARY_H

#include <stddef.h>

#include "program.h"

/* False if the file is no MPI library.  It is loaded, by a child process. */
bool program_library_ask(const char *path, program_mpi *mpi_p, char *version, size_t size);

#endif /* PROGRAM_LIBRARY_H */
