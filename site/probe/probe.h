/* autotune-probe: what its files share. */

#ifndef PROBE_H
#define PROBE_H

#include "common/options.h"

#include "jobs.h"
#include "share.h"
#include "timetable.h"

typedef enum probe_system { SYSTEM_AUTO, SYSTEM_SLURM, SYSTEM_PBS, SYSTEM_NONE } probe_system;

typedef struct probe_options {
    const char *directory, *traces; /* --dir, --traces */
    const char *path;               /* in the trace; NULL: the mount of directory */
    timetable_plan plan;            /* without seed; budget 0: a share of nominal */
    double nominal;                 /* bytes/s of a target; 0: to be measured */
    double deadline;                /* seconds that a probe may take */
    double jobs_every;
    probe_system system;
    const char *site;
    bool always; /* probe also what a passive source tells of */
    int samples; /* of a passive source that stand for a probe */
    uint64_t rotate;
    int keep;
    double silence; /* of another prober, after which it is taken for dead */
    bool no_wait;   /* for another prober to end */
    double length;  /* seconds to run; 0: until a signal */
    bool once;
    share share;
    const char *resubmit; /* script, or NULL */
    double resubmit_before;
    char **resubmit_arguments; /* ended by NULL */
} probe_options;

extern const option_table probe_option_table;

/* -1: go on; else the exit code. */
int probe_options_read(int argc, char **argv, probe_options *options_p);

#endif /* PROBE_H */
