/* autotune-write: what it measures (write.c) and prints (write_print.c). */

#ifndef AUTOTUNE_WRITE_H
#define AUTOTUNE_WRITE_H

#include <mpi.h>

typedef struct options {
    const char *directory;
    long bytes; /* of each process */
    long block; /* contiguous in the file; processes take turns */
    int repeats;
    int read;         /* instead of writing */
    int heading;      /* of the lines, and nothing else */
    const char *line; /* its name: one line of a table, instead of a report */
} options;

enum { AUTOTUNE, WRAPPED, KINDS };

/* What a collective access took, and the file's hints then. */
typedef struct outcome {
    double *seconds; /* [repeats] of the slowest rank */
    MPI_Info info;   /* of the first access, which warms up */
} outcome;

/* value has room for MPI_MAX_INFO_VAL + 1 bytes; "-" where there is none. */
void write_hint(MPI_Info info, const char *key, char *value);

/* Column heads for the lines of write_gain. */
void write_heading(void);

/* The report, or a line; ratios[repeats] is for its use. */
void write_gain(const options *opts, int ranks, const outcome *outcomes, double *ratios);

#endif /* AUTOTUNE_WRITE_H */
