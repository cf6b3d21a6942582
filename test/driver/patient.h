/*
 * MPI_Wait for tests with more ranks than cores: ROMIO's nonblocking collectives
 * progress by polling, and ranks that wait would take the processor from those that
 * work.
 */

#ifndef DRIVER_PATIENT_H
#define DRIVER_PATIENT_H

#include <mpi.h>
#include <unistd.h>

static inline int patient_wait(MPI_Request *request, MPI_Status *status)
{
    int done = 0, code = MPI_Test(request, &done, status);

    while (code == MPI_SUCCESS && !done) {
        usleep(100);
        code = MPI_Test(request, &done, status);
    }
    return code;
}

#endif /* DRIVER_PATIENT_H */
