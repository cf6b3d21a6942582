/*
 * Where the bytes of each rank lie in a file.  The ranks together cover it from
 * the first byte to the last, without holes.
 */

#ifndef PATTERNS_H
#define PATTERNS_H

#include <mpi.h>
#include <stdint.h>

typedef struct shape {
    int rank, ranks;
    int calls;
    int64_t chunk; /* bytes of a process in one call, in the mean */
    int64_t block; /* divides chunk */
    /* For arrays, slowest dimension first: processes along each, bytes of a process,
     * and this rank's place among the processes; by pattern_lay_out. */
    int processes[3], own[3], place[3];
} shape;

typedef struct pattern {
    const char *name, *about;
    int64_t bytes, block; /* defaults; block 0: the pattern has no blocks */
    int calls;
    int dimensions; /* of the array; 0: it is none */
    /* What this rank moves in one call, in bytes. */
    int64_t (*amount)(const shape *s);
    /* The view in which call k begins at offset k * amount.  The caller frees the
     * type unless it is MPI_BYTE. */
    void (*view)(const shape *s, MPI_Offset *displacement_p, MPI_Datatype *type_p);
    /* The file offset of byte `at` of the rank's buffer in a call, and how many
     * bytes from there on lie together: found apart from the view, so that the
     * two check each other. */
    int64_t (*place)(const shape *s, int call, int64_t at, int64_t *together_p);
} pattern;

/* Completes a shape whose other members are set. */
void pattern_lay_out(const pattern *p, shape *s);

/* NULL: there is none of that name. */
const pattern *pattern_find(const char *name);
/* NULL: there are no more. */
const pattern *pattern_at(int index);

#endif /* PATTERNS_H */
