/* autotune state: what its commands share. */

#ifndef VERB_STATE_H
#define VERB_STATE_H

#include "common/options.h"
#include "state/learn_classifier.h"
#include "state/say.h"

/* Each gets its own name as argv[0] and returns the exit code. */
int state_train(int argc, char **argv);
int state_show(int argc, char **argv);
int state_check(int argc, char **argv);
int state_watch(int argc, char **argv);

/* Parts arguments that are no options from argv, with -o for --output, and parses the
 * options.  files_p: as many as count_p; the caller frees the array. */
option_result state_arguments(const option_table *table, int argc, char **argv, void *variables,
                              char ***files_p, int *count_p);

/* Says what is wrong; exit code 2 for bad files and files that cannot be read, else 1. */
int state_complain(const char *command, const char *file, atm_status status,
                   const atm_message *message);

/* A state model or a state; atm_value_destroy.  0, or the exit code after a complaint. */
int state_open(const char *command, const char *file, atm_message *message, atm_value **root_p,
               bool *state_p);

/* All files, and all traces in folders, in the order of time; trace_destroy.  0, or the exit code
 * after a complaint. */
int state_read_traces(const char *command, char *const *names, int count, trace **trace_p);

typedef struct state_when {
    char text[32];
} state_when;
/* "2018-03-10 18:58:08", in UTC */
state_when state_time(double time);

/* The largest and the mean over targets of one kind, in words, after training. */
void state_print_result(const learn_result *result);

#endif /* VERB_STATE_H */
