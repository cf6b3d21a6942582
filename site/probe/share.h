/*
 * The part of the targets that this process probes, of several that were started at once, on
 * many nodes.  They need nothing of each other, so this is no MPI program: it runs where
 * there is no MPI, none waits for another whose server hangs, and the end of one node is not
 * the end of all.
 */

#ifndef PROBE_SHARE_H
#define PROBE_SHARE_H

#include <stdbool.h>

typedef struct share {
    int part, parts; /* part < parts */
} share;

/* "2/8"; false for anything else */
bool share_parse(const char *text, share *share_p);

/* What srun, MPICH's or Open MPI's mpiexec told this process by its environment; 0/1
 * outside of them. */
share share_from_environment(void);

static inline bool share_has(const share *share, int row)
{
    return row % share->parts == share->part;
}

#endif /* PROBE_SHARE_H */
