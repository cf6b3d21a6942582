/*
 * How many aggregators OMPIO, Open MPI's MPI-IO, chooses: the cost model of
 * S. Jha and E. Gabriel, "Performance models for communication in collective I/O
 * operations", CCGrid workshops 2017, which replaced that of M. Chaarawi and
 * E. Gabriel, "Automatically selecting the number of aggregators for collective
 * I/O operations", IEEE Cluster 2011.  Written anew from what they describe, with
 * the defaults of Open MPI's source of 2026.
 */

#ifndef OMPIO_H
#define OMPIO_H

#include <stdbool.h>
#include <stdint.h>

/* Its collective buffer (bytes_per_agg). */
#define OMPIO_BUFFER ((uint64_t) 32 << 20)

/* chunk: contiguous bytes of a rank; whole: they are all that it accesses, else
 * ranks are taken to hold blocks of a square.  chunk > 0. */
int ompio_aggregators(int ranks, uint64_t chunk, bool whole);

#endif /* OMPIO_H */
