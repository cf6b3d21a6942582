/*
 * What module hdf5 is made of.
 *
 *     module_hdf5.c   the table
 *     h5.c            functions of HDF5
 *     h5_job.c        the processes that open a file together, and the hints they pass to MPI-IO
 *     h5_rule.c       which rule of advice holds for a file; its first process finds out
 *     h5_file.c       access and creation lists of a file
 *     h5_known.c      what holds for files that were opened
 *     h5_set.c        the creation list of a data set
 *     h5_explain.c    what was set
 *
 * All processes of a file do the same, whatever each of them could read: copying a list of MPI-IO's
 * is collective.
 */

#ifndef ATW_H5_TUNE_H
#define ATW_H5_TUNE_H

#include "advice/advice.h"
#include "h5.h"
#include "lists.h"

_Static_assert(ATM_SETTING_COUNT <= 32, "settings are bits");

static inline uint32_t atw_h5_bit(atm_setting setting)
{
    return UINT32_C(1) << setting;
}

/* --- h5_job.c */

/* Handles are as wide as MPI has them, with zeros behind. */
typedef struct atw_h5_job {
    bool mpi; /* else one process */
    int rank, ranks;
    uint64_t comm, info;
} atw_h5_job;

/* Communicator and info of a list with the MPI-IO driver; false for any other list.  Collective, as
 * opening is.  Free them with atw_h5_job_free. */
bool atw_h5_job_get(const atw_h5 *h5, int64_t list, atw_h5_job *job_p);
void atw_h5_job_free(atw_h5_job *job);
/* Gives all processes what the first one has. */
void atw_h5_job_agree(const atw_h5_job *job, void *bytes, size_t length);
/* The program's hint; "": none. */
void atw_h5_job_hint(const atw_h5_job *job, const char *key, size_t size, char *value_p);

/* Selects the settings that become hints: none that the user gave, and none at all where our driver
 * is in use, which follows the same advice. */
uint32_t atw_h5_hints(const atw_h5_job *job, const char *name, bool creates,
                      const atm_settings *set);
/* Adds them to what a list has; collective. */
bool atw_h5_job_put_hints(const atw_h5 *h5, atw_h5_job *job, int64_t list, const atm_settings *set,
                          uint32_t hints);

/* --- h5_rule.c */

enum { ATW_H5_NO_RULE = -1, ATW_H5_NO_ADVICE = -2 };

/* Sent as it is. */
typedef struct atw_h5_rule {
    int32_t number; /* or one of those above */
    uint32_t hints;
    atm_settings set;
} atw_h5_rule;

/* For the explanation. */
typedef struct atw_h5_told {
    char where[4096];  /* "stderr", a path, ...; "": nowhere */
    char advice[4096]; /* its file */
    char rule[160];    /* and why it is to be believed */
} atw_h5_told;

/* In the first process; without a rule only its number is set.  named: the file that the
 * configuration names, or "". */
void atw_h5_find_rule(const atw_h5_job *job, const atw_lists *lists, const char *named,
                      atw_h5_rule *rule_p, atw_h5_told *told_p);
/* Says once, in one process of a job, why advice is not used. */
void atw_h5_complain(const char *sentence);

/* --- h5_explain.c */

/* What came of settings, as bits. */
typedef struct atw_h5_outcome {
    uint32_t done;
    uint32_t kept;   /* the program has set it */
    uint32_t cannot; /* this HDF5, or its list, does not take it */
} atw_h5_outcome;

/* Settings of data sets: made when these are. */
uint32_t atw_h5_of_sets(void);

void atw_h5_explain(const char *name, const atw_h5_rule *rule, const atw_h5_outcome *outcome,
                    const atw_h5_told *told);

/* --- h5_known.c */

/* Remembers a file's settings (NULL: none).  True if they are new. */
bool atw_h5_know(const char *name, const atm_settings *set);
/* The settings known for an open file; NULL: none. */
const atm_settings *atw_h5_known(const char *name);
/* false: no file has any. */
bool atw_h5_knows_any(void);

/* --- h5_file.c, h5_set.c; errors are muted */

void atw_h5_file(const atw_h5 *h5, atw_lists *lists, const char *named);
void atw_h5_set(const atw_h5 *h5, atw_lists *lists);

#endif /* ATW_H5_TUNE_H */
