/* What a program is, as far as the driver is concerned: which MPI library it will use. */

#ifndef PROGRAM_H
#define PROGRAM_H

#include <limits.h>
#include <stdbool.h>

typedef enum program_kind {
    PROGRAM_SCRIPT,  /* interpreter says which */
    PROGRAM_STATIC,  /* its MPI library, if any, is a part of it */
    PROGRAM_DYNAMIC, /* library says which MPI library; "": none among its libraries */
    PROGRAM_OTHER    /* no program of this machine */
} program_kind;

/* Which MPI library a program uses. */
typedef enum program_mpi {
    PROGRAM_NO_MPI,
    PROGRAM_OURS,      /* MPICH with the driver built in */
    PROGRAM_MPICH_ABI, /* MPICH or one whose programs could use it */
    PROGRAM_OPEN_MPI,
    PROGRAM_UNKNOWN_MPI
} program_mpi;

typedef struct program {
    program_kind kind;
    program_mpi mpi;
    char interpreter[PATH_MAX];
    char library[PATH_MAX];
    bool hdf5;         /* HDF5 is among its libraries */
    char version[256]; /* of the library: its name, and its number if that can be read */
    char missing[256]; /* a library that is nowhere; "": none */
} program;

/* name: a path, or found in PATH as execvp would.  NULL, or what is wrong with it. */
const char *program_examine(const char *name, program *program_p);

#endif /* PROGRAM_H */
