/*
 * Passive sources: what a Lustre client has counted by itself, without a write of ours.
 *
 *     osc.scratch-OST0003-osc-ffff8881.stats=       cumulative times of its requests
 *     req_waittime 1234 samples [usecs] 50 30000 5000000 123456789
 *     osc.scratch-OST0003-osc-ffff8881.active=1
 *
 * is what "lctl get_param" prints; /proc/fs/lustre (up to 2.16) and /sys/fs/lustre have the
 * same in files, which passive_print turns into the same text.
 *
 * import's avg_waittime and rpc_stats are not used for times: the one is a mean over all time
 * in whole microseconds, the other has no times, and differences of their products are noise
 * after a few days.
 */

#ifndef PROBE_PASSIVE_H
#define PROBE_PASSIVE_H

#include "target.h"

typedef struct passive_row {
    double samples, seconds; /* cumulative */
    double available, total; /* kB; 0: not known */
    bool known;              /* state has something */
    target_state state;
} passive_row;

typedef struct passive_look {
    int count;
    const int *indices; /* [count] of targets, ascending; the caller's */
    passive_row *rows;  /* [count] the caller's */
} passive_look;

/* For command_start_call, with the root of /proc and /sys as argument ("" but in tests):
 * prints the files, and goes on as lctl where they have no times. */
void passive_print(const void *root);

/* Adds what a text tells of one file system's targets; several mounts of it add up.  Lines
 * of others, of servers, and of no use are left out. */
void passive_parse(const char *text, const char *file_system, passive_look *look);

/* "scratch-OST0003" is of "scratch"; false for another name */
bool passive_file_system(const char *target_name, char name_p[TARGET_NAME]);

/* Requests between two looks and the mean time of one.  False if there were none, or if the
 * counters were reset. */
bool passive_between(const passive_row *before, const passive_row *after, double *samples_p,
                     double *mean_p);

#endif /* PROBE_PASSIVE_H */
