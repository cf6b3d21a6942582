/*
 * The preload library: ROMIO with the driver, as built into MPICH, in place of the MPI-IO of
 * the MPI library that a program already uses (the host).
 *
 *     names, slots.S      what is taken over, and how calls get there
 *     host.c              who the host is; whether its programs can use this library
 *     errors.c            error codes and texts that the host knows
 *     errhandlers.c       error handlers of files
 *     datatypes.c         questions about datatypes that ROMIO asks MPICH
 *     layout.c            datatypes taken apart
 *     threads.c           one thread at a time, as in MPICH
 *     large.c             a call with large counts, which older hosts lack
 *     newer.c             questions of later versions of ROMIO
 *
 * All from errors.c on are the functions of MPICH that its ROMIO needs (mpir_ext.h), by means of
 * MPI's public functions alone.  Nothing here is linked to an MPI library: names are found when
 * they are first called.
 */

#ifndef ATP_H
#define ATP_H

#include <mpi.h>

/* A function of the host; NULL if it has none of this name. */
void *atp_host_function(const char *name);

#endif /* ATP_H */
