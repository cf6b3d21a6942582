/* autotune history: what its commands share. */

#ifndef VERB_HISTORY_H
#define VERB_HISTORY_H

#include "common/options.h"
#include "history/database.h"
#include "history/list.h"

/* Each gets its own name as argv[0] and returns the exit code. */
int history_import(int argc, char **argv);
int history_jobs(int argc, char **argv);
int history_files(int argc, char **argv);
int history_show(int argc, char **argv);
int history_prune(int argc, char **argv);
int history_export(int argc, char **argv);
int history_learn(int argc, char **argv);

/* Parts arguments that are no options from argv, with -o for --output, and parses the
 * options.  rest_p: as many as count_p; the caller frees the array. */
option_result history_arguments(const option_table *table, int argc, char **argv, void *variables,
                                char ***rest_p, int *count_p);

/* Says what is wrong; exit code 2 for bad files and what cannot be read, else 1. */
int history_complain(const char *command, ath_status status, const atm_message *message);

/* address NULL: the usual one.  Close it.  0, or the exit code after a complaint. */
int history_open(const char *command, const char *address, ath_mode mode,
                 ath_database **database_p);

/* A number of days, or NULL and what is wrong: for options. */
const char *history_days(const char *text, double *days_p);
/* Seconds since 1970, so many days ago; 0 days: since ever. */
double history_since(double days);

#endif /* VERB_HISTORY_H */
