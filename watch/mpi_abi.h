/* What differs between MPI libraries. */

#ifndef ATW_MPI_H
#define ATW_MPI_H

#include <stddef.h>

typedef struct atw_mpi {
    void *byte;
    const void *status_ignore; /* and for arrays of them */
    size_t request_bytes, status_bytes;
    const void *info_null;
} atw_mpi;

/* The ABI of the process's MPI library; known once one of its functions is called. */
const atw_mpi *atw_mpi_abi(void);

/* Strips a prefix of ROMIO's from a path. */
const char *atw_mpi_path(const char *name);

#endif /* ATW_MPI_H */
