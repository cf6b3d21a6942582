/*
 * Jobs: the features 1 to 13 of a batch system's running jobs, from what its own command
 * prints.  The parsers are functions of a text; jobs_system.h runs the commands.
 *
 * Sizes and queues are those of a site, from a small file:
 *
 *     {"format": "romio-autotune-site", "version": 1,
 *      "batch": ["batch"], "debug": ["debug"],
 *      "nodes": {"extra_large": 11250, "large": 3750, "medium": 313, "small": 126}}
 *
 * with the fewest nodes of a job of each class.
 */

#ifndef PROBE_JOBS_H
#define PROBE_JOBS_H

#include "value/value.h"

/* In the order of Table II of the paper. */
typedef enum jobs_feature {
    JOBS_TOTAL,
    JOBS_BATCH, /* by queue */
    JOBS_DEBUG,
    JOBS_EXTRA_LARGE, /* by nodes */
    JOBS_LARGE,
    JOBS_MEDIUM,
    JOBS_SMALL,
    JOBS_EXTRA_SMALL,
    JOBS_NEW, /* by the share of their time that they have used: thirds */
    JOBS_MIDDLE_AGED,
    JOBS_OLD,
    JOBS_VIRTUAL_MEMORY, /* bytes of all */
    JOBS_MEMORY,
    JOBS_FEATURES
} jobs_feature;

extern const char *const jobs_names[JOBS_FEATURES];

typedef struct jobs_features {
    double value[JOBS_FEATURES];
} jobs_features;

enum { JOBS_QUEUES = 16, JOBS_QUEUE_NAME = 64, JOBS_CLASSES = 4 };

typedef struct jobs_queues {
    int count;
    char names[JOBS_QUEUES][JOBS_QUEUE_NAME];
} jobs_queues;

typedef struct jobs_site {
    jobs_queues batch, debug;
    int nodes[JOBS_CLASSES]; /* fewest of an extra large, large, medium, small job */
} jobs_site;

/* The paper's, which are Titan's. */
void jobs_site_default(jobs_site *site_p);
atm_status jobs_site_read(const char *path, atm_message *message, jobs_site *site_p);

/* One running job. */
typedef struct jobs_job {
    char queue[JOBS_QUEUE_NAME];
    double nodes;
    double used, limit;            /* seconds; a limit of 0: none, or not known */
    double virtual_memory, memory; /* bytes */
} jobs_job;

void jobs_add(jobs_features *features, const jobs_site *site, const jobs_job *job);

/* Parses what a command printed.  name stands for it in messages; a line that makes no sense is
 * ATM_BAD_FILE. */
typedef atm_status (*jobs_parser)(const char *text, const jobs_site *site, const char *name,
                                  atm_message *message, jobs_features *features_p);
atm_status jobs_parse_slurm(const char *text, const jobs_site *site, const char *name,
                            atm_message *message, jobs_features *features_p);
atm_status jobs_parse_pbs(const char *text, const jobs_site *site, const char *name,
                          atm_message *message, jobs_features *features_p);

/* "2-03:04:05", "03:04:05", "04:05"; Slurm's and PBS's.  UNLIMITED and the like: 0. */
bool jobs_parse_time(const char *text, double *seconds_p);
/* "64G", "1.50T", "200kb"; a plain number is in unit bytes. */
bool jobs_parse_memory(const char *text, double unit, double *bytes_p);

#endif /* PROBE_JOBS_H */
