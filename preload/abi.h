/* The ABIs of MPI libraries: for the preload library and for autotune doctor. */

#ifndef ABI_H
#define ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What libraries with MPICH's ABI say of themselves. */
static const char *const abi_mpich_families[] = {"MPICH", "Intel(R) MPI", "MVAPICH", "ParaStation",
                                                 "CRAY"};

enum { ABI_MPICH_FAMILIES = sizeof(abi_mpich_families) / sizeof(abi_mpich_families[0]) };

static inline bool abi_is_mpich(const char *version)
{
    for (size_t i = 0; i < ABI_MPICH_FAMILIES; i++)
        if (strstr(version, abi_mpich_families[i]) != NULL)
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
