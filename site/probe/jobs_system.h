/* Batch systems: which there is, and the command that tells its running jobs. */

#ifndef PROBE_JOBS_SYSTEM_H
#define PROBE_JOBS_SYSTEM_H

#include "jobs.h"
#include "probe.h"

/* Wide enough for what there may be: squeue cuts what is longer. */
#define JOBS_SLURM_FORMAT "partition:63,numnodes:16,timeused:20,timelimit:20,tres-alloc:512"

typedef struct jobs_system {
    const char *name;
    char *const *arguments;
    jobs_parser parse;
} jobs_system;

/* NULL: none.  AUTO is the first whose command is in PATH. */
const jobs_system *jobs_system_find(probe_system wanted);

#endif /* PROBE_JOBS_SYSTEM_H */
