/* The ABIs of MPI libraries: for the preload library and for autotune doctor. */

#ifndef ABI_H
#define ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* By what a library says of itself: those with the ABI name MPICH, or themselves. */
static inline bool abi_is_mpich(const char *version)
{
    static const char *const families[] = {"MPICH", "Intel(R) MPI", "MVAPICH", "ParaStation",
                                           "CRAY"};

    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
        if (strstr(version, families[i]) != NULL)
            return true;
    return false;
}

/* What programs of Open MPI need beside the preload library. */
#define ABI_OPENMPI_LIBRARY "libromio-autotune-openmpi.so"

static inline bool abi_is_openmpi(const char *version)
{
    return strstr(version, "Open MPI") != NULL || strstr(version, "Open RTE") != NULL;
}

#endif /* ABI_H */
