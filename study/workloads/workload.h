/*
 * What the workloads share: options, contents that tell their place, times of
 * the slowest rank, the hints in effect, and the report of a run.  Every
 * function is collective over MPI_COMM_WORLD unless it says otherwise.
 */

#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <mpi.h>
#include <stddef.h>

#include "common/options.h"

enum { WORKLOAD_MAX_HINTS = 32 };

/* The options of every workload; first member of each program's options. */
typedef struct workload {
    int rank, ranks;
    const char *file; /* any name that ROMIO takes */
    const char *hints[WORKLOAD_MAX_HINTS];
    int hint_count;
    int repeat;
    bool verify, damage, delete, json;
} workload;

#define WORKLOAD_OPTIONS                                                                           \
    {"hint",         "KEY=VALUE", "pass this hint to open (several may be given)",                 \
     OPTION_SPECIAL, 0,           workload_add_hint},                                              \
        {"repeat", "N", "so often, one report each (1)", OPTION_COUNT, offsetof(workload, repeat), \
         NULL},                                                                                    \
        {"verify",                                                                                 \
         NULL,                                                                                     \
         "compare every byte with what it must be",                                                \
         OPTION_FLAG,                                                                              \
         offsetof(workload, verify),                                                               \
         NULL},                                                                                    \
        {"damage",                                                                                 \
         NULL,                                                                                     \
         "change a byte of the file first: --verify must fail",                                    \
         OPTION_FLAG,                                                                              \
         offsetof(workload, damage),                                                               \
         NULL},                                                                                    \
        {"delete", NULL, "delete the file at the end", OPTION_FLAG, offsetof(workload, delete),    \
         NULL},                                                                                    \
    {                                                                                              \
        "json", NULL, "report as JSON, one line a repetition", OPTION_FLAG,                        \
            offsetof(workload, json), NULL                                                         \
    }

/* For the options table. */
const char *workload_add_hint(const char *value, void *variables);

/* --- a program's begin and end */

/* MPI_Init and the options, of which rank 0 complains for all.  False: the
 * program has finalized MPI and ends with *code_p.  w is the first member of
 * the variables of the table. */
bool workload_start(int *argc, char ***argv, const option_table *table, workload *w, int *code_p);
/* The same complaint on all ranks: rank 0 prints it; returns exit code 2 after MPI_Finalize. */
int workload_refuse(const workload *w, const option_table *table, const char *problem);
/* Deletes the file if asked; the exit code. */
int workload_finish(const workload *w, bool verified);

/* --- MPI with errors that end the run; not collective by themselves */

/* Prints what failed on the file and aborts unless error is MPI_SUCCESS. */
void workload_check(const workload *w, int error, const char *what);
/* The file, open on all ranks.  An open fails on all or on none (ADIO_Open agrees on it), so that a
 * failing one ends the run in order: a launcher may lose the last words of a program that aborts.
 */
MPI_File workload_open(const workload *w, int mode, MPI_Info info);
/* The caller frees it. */
MPI_Info workload_info(const workload *w);
/* No file of that name is left, whether there was one or not. */
void workload_remove(const workload *w);
/* Changes the byte in the middle of the file. */
void workload_damage(const workload *w);
/* Memory or the end of the run; the caller frees it. */
void *workload_memory(size_t bytes);

/* --- contents (not collective)
 * A file, or data set number `set` of one, is filled with words that occur once
 * in it, so a word that is missing or misplaced is wrong where it is. */

void workload_fill(void *buffer, size_t length, uint64_t offset, unsigned set);
/* How many bytes are wrong; the first of them is *first_p bytes into the buffer. */
size_t workload_wrong(const void *buffer, size_t length, uint64_t offset, unsigned set,
                      size_t *first_p);

/* Adds up over ranks what each found, and rank 0 tells about it; whether nothing
 * was wrong.  first: the first wrong offset; where: NULL or the data set. */
bool workload_verdict(const workload *w, uint64_t wrong, uint64_t first, const char *where);

/* --- times and report */

typedef struct workload_times {
    int calls;
    double *seconds; /* open, each call, close; of this rank, then of the slowest */
} workload_times;

workload_times workload_times_create(int calls);
/* A barrier, so that a phase does not contain waiting for the one before. */
double workload_clock(void);
/* Until all ranks are done: with more ranks than cores, each rank for itself would
 * leave out that it waited for its turn, which only calls that communicate would show. */
double workload_since(double start);

typedef struct workload_report {
    const char *name; /* of the workload */
    bool read, collective;
    uint64_t bytes; /* of all ranks */
    uint64_t block; /* 0: it has none */
    double scale;   /* 0: it has none */
    int repetition; /* from 0 */
    MPI_Info hints; /* those in effect after the first call; MPI_INFO_NULL: unknown */
    workload_times times;
} workload_report;

/* Frees report->hints and destroys report->times. */
void workload_print(const workload *w, workload_report *report);

#endif /* WORKLOAD_H */
