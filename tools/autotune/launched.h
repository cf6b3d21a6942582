/* Commands that start an MPI program, directly or with a launcher before it. */

#ifndef LAUNCHED_H
#define LAUNCHED_H

#include "program.h"

typedef struct launched {
    const char *name; /* the first word that is a program with an MPI library; NULL: none is */
    program program;
    bool preloads; /* the driver is preloaded already, by the command or by LD_PRELOAD */
    bool watches;  /* so is the library that sees calls */
    bool hdf5;     /* and it sets what HDF5 does */
} launched;

/* To be preloaded; NULL: none. */
typedef struct launched_libraries {
    const char *driver, *hdf5;
} launched_libraries;

/* command ends with NULL and must outlive it.  Nothing of it is run. */
void launched_examine(char *const *command, launched *launched_p);

/* Whether the driver is not in the program and can be preloaded. */
bool launched_needs_preload(const launched *launched);

/* Whether the program uses HDF5, and what sets it can be preloaded. */
bool launched_needs_hdf5(const launched *launched);

/* The command behind "autotune run", which preloads one library or both; the words remain the
 * caller's, who frees the array.  NULL after a complaint to stderr in the name of verb. */
char **launched_preload(const launched *launched, char *const *command,
                        const launched_libraries *libraries, const char *verb);

/* Why the driver may have been absent, and what to do: a sentence. */
const char *launched_absent(const launched *launched);

#endif /* LAUNCHED_H */
