/*
 * I/O kernels of applications on parallel HDF5: a file of several data sets, each
 * written by all ranks in one collective call.  A kernel is one table.
 */

#ifndef KERNEL_H
#define KERNEL_H

#include "workload.h"

#include <hdf5.h>

/* One data set and what this rank writes of it.  Always three dimensions here,
 * the slowest first; the file has the last `dimensions` of them. */
typedef struct kernel_set {
    char name[64]; /* with its groups */
    hid_t type;
    int dimensions;
    hsize_t all[3];
    /* in each dimension `count` blocks, one every `stride` */
    hsize_t start[3], stride[3], count[3], block[3];
} kernel_set;

typedef struct kernel_size {
    int rank, ranks;
    double scale; /* 1: as in the paper */
    int steps;
} kernel_size;

typedef struct kernel {
    const char *name, *usage, *about;
    int steps; /* as in the paper */
    int (*sets)(const kernel_size *size);
    void (*set)(const kernel_size *size, int index, kernel_set *set_p);
} kernel;

/* What each program defines. */
extern const kernel the_kernel;

/* round(number * scale), 1 or more */
hsize_t kernel_scaled(double number, double scale);

/* --- the file (kernel_file.c); whatever fails ends the run */

size_t kernel_bytes(const kernel_set *set); /* of this rank's part */
hid_t kernel_create(const workload *w);
/* The caller frees the hints. */
MPI_Info kernel_hints(const workload *w, hid_t file);
void kernel_fill(const kernel_set *set, int index, void *buffer);
void kernel_write(const workload *w, hid_t file, const kernel_set *set, const void *buffer);
void kernel_close(const workload *w, hid_t file);
/* Reads everything back, in parts other than those written. */
bool kernel_verify(const workload *w, const kernel_size *size);

#endif /* KERNEL_H */
