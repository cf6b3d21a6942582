/*
 * VPIC-IO: particles of a plasma in one dimension, with eight variables.  Of each
 * variable a rank writes one contiguous part.
 */

#include "kernel.h"

#include <stdio.h>

/* "8M particles per MPI process", of floats: 32 MB a variable */
#define PARTICLES (8.0 * 1024 * 1024)

static const char *const variables[] = {"x", "y", "z", "px", "py", "pz", "id1", "id2"};

enum { VARIABLES = sizeof(variables) / sizeof(variables[0]) };

static int vpic_sets(const kernel_size *size)
{
    return size->steps * VARIABLES;
}

static void vpic_set(const kernel_size *size, int index, kernel_set *set_p)
{
    hsize_t own = kernel_scaled(PARTICLES, size->scale);

    *set_p = (kernel_set){.type = H5T_NATIVE_FLOAT,
                          .dimensions = 1,
                          .all = {1, 1, own * (hsize_t) size->ranks},
                          .start = {0, 0, own * (hsize_t) size->rank},
                          .stride = {1, 1, own},
                          .count = {1, 1, 1},
                          .block = {1, 1, own}};
    snprintf(set_p->name, sizeof(set_p->name), "Step#%d/%s", index / VARIABLES,
             variables[index % VARIABLES]);
}

const kernel the_kernel = {
    .name = "vpic",
    .usage = "vpic [options] FILE",
    .about = "VPIC-IO: write FILE (any name that ROMIO takes) with 8 variables of particles,\n"
             "8M of them a process at scale 1 (256 MiB), and time it.\n",
    .steps = 1,
    .sets = vpic_sets,
    .set = vpic_set,
};
