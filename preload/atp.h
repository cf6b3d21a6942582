/*
 * The preload library: ROMIO with the driver, as built into MPICH, in place of the MPI-IO of
 * the MPI library that a program already uses (the host).
 *
 *     names, slots.S      what is taken over, and how calls get there
 *     host.c              who the host is; which variant its programs can use
 *     wishes.c            ROMIO_AUTOTUNE_PRELOAD
 *
 * A variant is all of the following with a ROMIO, compiled for one ABI:
 *
 *     functions.c         what it has for the slots, and what the host has for it
 *     error_codes.c       error codes and texts that the host knows
 *     errhandlers.c       error handlers of files
 *     datatypes.c         questions about datatypes that ROMIO asks MPICH
 *     layout.c            datatypes taken apart
 *     one_thread.c        one thread at a time, as in MPICH
 *     large.c             a call with large counts, which older hosts lack
 *     openmpi/            what Open MPI lacks: requests that are polled, long hints; and files
 *                         that stay its own
 *
 * The variant for MPICH's ABI is part of the preload library, that for Open MPI a library beside
 * it.  All from error_codes.c on are the functions of MPICH that its ROMIO needs (mpir_ext.h), by
 * means of MPI's public functions alone.  Nothing here is linked to an MPI library: names are found
 * when they are first called.
 */

#ifndef ATP_H
#define ATP_H

#include <mpi.h>
#include <stdbool.h>

#include "wishes.h"

typedef void atp_function(void);

/* In the order of names; NULL: stays the host's.  host: handle for dlsym, for as long as the
 * process lives.  Of the library beside it, this is the one name that can be seen. */
atp_function *const *atp_functions(void *host, const atp_wishes *wishes);

/* A function of the host.  *function_p, a pointer to it: NULL if it has none of this name. */
bool atp_find(const char *name, void *function_p);

/* For another error than the last one of ROMIO on this thread: error_codes.c. */
void atp_error_forget(void);

/* openmpi/own_files.c: whether the host has opened a file; and its functions for them. */
#ifdef OPEN_MPI
enum { ATP_LEAVES_FILES = 1 };
bool atp_is_theirs(MPI_File file);
void atp_find_theirs(const atp_wishes *wishes);
#else
enum { ATP_LEAVES_FILES = 0 };
static inline bool atp_is_theirs(MPI_File file)
{
    (void) file;
    return false;
}
#endif

/* Whether this thread is inside of ROMIO; and MPIR_Ext_cs_enter, if it need not wait. */
bool atp_is_inside(void);
bool atp_cs_try(void);

#endif /* ATP_H */
