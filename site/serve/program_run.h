/*
 * One run of a program: a job's processes of it, what they did by which layer, in which sizes, and
 * when.
 */

#ifndef SERVE_PROGRAM_RUN_H
#define SERVE_PROGRAM_RUN_H

#include "pages.h"

enum { RUN_LAYERS = 4, RUN_SIZES = 10, RUN_ROWS = 32, RUN_COLUMNS = 60 };

/* Reads, writes, and all other calls */
enum { RUN_READS, RUN_WRITES, RUN_OTHERS, RUN_WAYS };

typedef struct run_process {
    int64_t id, rank;
    double started, lasted; /* s since 1970, s until its last call */
} run_process;

typedef struct program_run {
    serve_visit *visit;
    char job[ASK_TEXT];
    run_process *processes; /* by rank */
    size_t count, room;
    double began, ended; /* s since 1970 */
    int64_t activities;  /* of which one in `step` is looked at for sizes and times of ranks */
    int64_t step;
    double time; /* s of all processes */
    double calls[RUN_LAYERS][RUN_WAYS], bytes[RUN_LAYERS][RUN_WAYS], seconds[RUN_LAYERS][RUN_WAYS];
    double sizes[RUN_LAYERS][2][RUN_SIZES]; /* accesses */
    double heat[RUN_ROWS * RUN_COLUMNS];    /* s in calls of POSIX and stdio, by rank and time */
    bool has_activities;
} program_run;

extern const char *const run_layers[RUN_LAYERS];
extern const char *const run_sizes[RUN_SIZES]; /* those of Darshan */

/* The job that is asked for, or the latest; without processes if there is none.  Clear it, also
 * after a failure. */
ath_status program_run_read(serve_visit *visit, program_run *run_p);
void program_run_clear(program_run *run);

/* Share of the run time of all processes that POSIX and stdio took; 0 if no run time is known. */
double program_run_share(const program_run *run);
/* The heat map has a row for each process or, of many, for neighbouring ones. */
int program_run_rows(const program_run *run);
int program_run_row(const program_run *run, size_t process);

#endif /* SERVE_PROGRAM_RUN_H */
