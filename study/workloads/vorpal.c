/*
 * VORPAL-IO: a field on a 3-D grid, of which each rank has a block, written in
 * every time step.  The blocks are of unequal sizes.
 */

#include "kernel.h"

#include <math.h>
#include <stdio.h>

/* "3D blocks of 100x100x60"; three components of doubles give the paper's
 * 34, 549 and 1100 GB on 128, 2048 and 4096 processes in 20 steps. */
static const double edges[3] = {60, 100, 100};

enum { COMPONENTS = 3, STEPS = 20 };

static int vorpal_sets(const kernel_size *size)
{
    return size->steps * COMPONENTS;
}

/* Where the block at `place` of `places` begins: blocks at odd places are a
 * quarter larger than `edge`, their neighbours smaller ("non-uniform chunks"). */
static hsize_t block_start(hsize_t edge, int place, int places)
{
    hsize_t even = edge * (hsize_t) place;

    if (place == 0 || place == places)
        return even;
    return place % 2 == 1 ? even - edge / 8 : even + edge / 8;
}

static void vorpal_set(const kernel_size *size, int index, kernel_set *set_p)
{
    int processes[3] = {0, 0, 0}, rest = size->rank;

    MPI_Dims_create(size->ranks, 3, processes);
    *set_p = (kernel_set){.type = H5T_NATIVE_DOUBLE, .dimensions = 3, .count = {1, 1, 1}};
    for (int i = 2; i >= 0; i--) {
        hsize_t edge = kernel_scaled(edges[i], cbrt(size->scale));
        int place = rest % processes[i];

        rest /= processes[i];
        set_p->all[i] = edge * (hsize_t) processes[i];
        set_p->start[i] = block_start(edge, place, processes[i]);
        set_p->block[i] = block_start(edge, place + 1, processes[i]) - set_p->start[i];
        set_p->stride[i] = set_p->block[i];
    }
    snprintf(set_p->name, sizeof(set_p->name), "Step#%d/Block/E/%d", index / COMPONENTS,
             index % COMPONENTS);
}

const kernel the_kernel = {
    .name = "vorpal",
    .usage = "vorpal [options] FILE",
    .about = "VORPAL-IO: write FILE (any name that ROMIO takes) with 3 components of a field on\n"
             "a 3-D grid, 100x100x60 a process at scale 1 (14.4 MB a step), and time it.\n",
    .steps = STEPS,
    .sets = vorpal_sets,
    .set = vorpal_set,
};
