/*
 * Lists of what a history has: one statement and its columns for each (listings.c), printed as text
 * for people, as JSON or as CSV (list.c).
 */

#ifndef ATH_LIST_H
#define ATH_LIST_H

#include <stdio.h>

#include "database.h"

typedef enum ath_kind {
    ATH_WORDS,
    ATH_COUNT,
    ATH_BYTES,
    ATH_SECONDS,
    ATH_NANOSECONDS, /* a whole number of them; for people as seconds */
    ATH_TIME         /* seconds since 1970, UTC */
} ath_kind;

/* The job of a row of process or record: outside of a batch system each process is its own. */
#define ATH_JOB "CASE WHEN job <> '' THEN job ELSE host || ':' || pid END"

/* When the process of a row started, and ns from then until its last activity.  Spools of libraries
 * before version 3 store when recording began, which may be after the first activities. */
#define ATH_STARTED "(started + CASE WHEN began < 0 THEN began / 1e9 ELSE 0 END)"
#define ATH_LASTED "(lasted - CASE WHEN began < 0 THEN began ELSE 0 END)"

/* True for paths of system files, which programs open without knowing. */
#define ATH_OF_SYSTEM(path)                                                                        \
    "(" path " LIKE '/usr/%' OR " path " LIKE '/etc/%' OR " path " LIKE '/proc/%' OR " path        \
    " LIKE '/sys/%' OR " path " LIKE '/lib%/%.so%' OR " path " LIKE '/bin/%' OR " path             \
    " LIKE '/sbin/%' OR " path " LIKE '/opt/%' OR " path " LIKE '/run/%' OR " path                 \
    " LIKE '/var/lib/%' OR " path " LIKE '/var/cache/%' OR (" path " LIKE '/dev/%' AND " path      \
    " NOT LIKE '/dev/shm/%') OR " path " LIKE 'pipe:%' OR " path " LIKE 'socket:%' OR " path       \
    " LIKE 'anon_inode:%' OR " path " = 'unknown')"

enum { ATH_COLUMNS = 16 };

typedef struct ath_column {
    const char *name; /* NULL after the last */
    ath_kind kind;
} ath_column;

/* Parameters of its statement, in this order, each a letter: s(ince), u(ser), p(rogram), j(ob),
 * i(d), l(imit). */
typedef struct ath_list {
    const char *name;
    const char *parameters;
    const char *sql;
    ath_column columns[ATH_COLUMNS];
} ath_list;

/* What is listed; all zero is everything. */
typedef struct ath_filter {
    double since;
    const char *user, *program, *job; /* NULL: any */
    int64_t id;                       /* of a process or record, where a list is about one */
    int64_t limit;                    /* 0: none */
} ath_filter;

extern const ath_list ath_jobs, ath_files, ath_processes, ath_records, ath_trials, ath_activities,
    ath_activity, ath_calls, ath_process_records;

typedef enum ath_form { ATH_PEOPLE, ATH_JSON, ATH_CSV } ath_form;

/* *count_p: rows that were printed; may be NULL. */
ath_status ath_list_print(ath_database *database, const ath_list *list, const ath_filter *filter,
                          ath_form form, FILE *out, atm_message *message, int64_t *count_p);

#endif /* ATH_LIST_H */
