/*
 * Counts against reality: random accesses run through the installed MPI library,
 * whose calls into MPI and into the file system are counted on the way.
 *
 * ROMIO calls PMPI functions, pread and pwrite through the dynamic linker, so
 * that definitions of the same names in this program come first.
 */

#ifndef TRACE_H
#define TRACE_H

#include <mpi.h>

#include "counts/counts.h"

/* --- what a rank did (trace_hooks.c) */

typedef struct trace_file {
    uint64_t calls, bytes, min, max;
} trace_file;

typedef struct trace_numbers {
    uint64_t allreduces, allgathers, alltoalls, alltoallvs, bcasts, others;
    uint64_t request_messages, request_bytes, data_messages, data_bytes;
    uint64_t received; /* messages, both kinds */
    uint64_t waits;    /* between the last two collectives: rounds on Lustre */
    trace_file reads, writes;
} trace_numbers;

void trace_begin(void);
trace_numbers trace_end(void);

/* Ranks of nodes nodes, by rank modulo nodes; what MPI_Get_processor_name says
 * from now on. */
void trace_set_nodes(int nodes);

/* --- what they are asked to do (trace_case.c) */

#define TRACE_MAX_PIECES 512

typedef struct trace_case {
    atm_driver driver;
    atm_job job;
    atm_access access; /* points to pieces */
    atm_config config;
    const char *pattern;
    int nodes;    /* as MPI_Get_processor_name has it */
    int cb_nodes; /* hint */
    atm_piece pieces[TRACE_MAX_PIECES];
} trace_case;

/* The same on every rank. */
void trace_case_make(trace_case *c, atm_driver driver, int ranks, uint64_t block, uint64_t seed);

/* --- how it compares (trace_compare.c) */

/* Collective; mine is of this rank.  Returns on rank 0 whether all numbers are
 * as predicted, and prints those that are not. */
int trace_compare(const trace_case *c, const trace_numbers *mine);

#endif /* TRACE_H */
