/*
 * GCRM-IO: variables on a geodesic mesh of cells with vertical levels.  The mesh
 * is structured inside each of ten panels only: a rank has one sub-domain in
 * every panel, and so ten runs of cells in every level.
 */

#include "kernel.h"

#include <stdio.h>

/*
 * "25 vertical levels", 26 interfaces between them as in the paper's chunks of
 * (1, 26, 327680) floats.  327680 cells a process are 10 * 4^11 on 128 and
 * 10 * 4^13 on 2048 processes: geodesic grids of resolution 11 and 13.  Ten
 * variables then give the paper's 40, 650 and 1300 GB.
 */
#define CELLS 327680.0
enum { PANELS = 10, INTERFACES = 26, VARIABLES = 10 };

static int gcrm_sets(const kernel_size *size)
{
    return size->steps * VARIABLES;
}

static void gcrm_set(const kernel_size *size, int index, kernel_set *set_p)
{
    hsize_t own = kernel_scaled(CELLS / PANELS, size->scale);
    hsize_t panel = own * (hsize_t) size->ranks;

    *set_p = (kernel_set){.type = H5T_NATIVE_FLOAT,
                          .dimensions = 3,
                          .all = {1, INTERFACES, PANELS * panel},
                          .start = {0, 0, own * (hsize_t) size->rank},
                          .stride = {1, INTERFACES, panel},
                          .count = {1, 1, PANELS},
                          .block = {1, INTERFACES, own}};
    snprintf(set_p->name, sizeof(set_p->name), "Step#%d/variable%d", index / VARIABLES,
             index % VARIABLES);
}

const kernel the_kernel = {
    .name = "gcrm",
    .usage = "gcrm [options] FILE",
    .about = "GCRM-IO: write FILE (any name that ROMIO takes) with 10 variables on a geodesic\n"
             "mesh, 327680 cells x 26 a process at scale 1 (325 MiB), and time it.\n",
    .steps = 1,
    .sets = gcrm_sets,
    .set = gcrm_set,
};
