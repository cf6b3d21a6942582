/* autotune search: what its files share. */

#ifndef VERB_SEARCH_H
#define VERB_SEARCH_H

#include "common/options.h"
#include "advice/advice.h"
#include "launched.h"
#include "search/crew.h"
#include "search/rank.h"

typedef struct search_command {
    const char *space, *parameters, *output, *merge, *import, *profile;
    const char *library, *watch_library; /* to preload; NULL: the installed ones */
    const char *launcher, *before, *file, *program, *match;
    const ats_strategy *strategy;
    ats_metric metric;
    int runs, parallel, seed, pairs;
    double time, limit, hopeless;
    bool verify, force, keep;
    char **command; /* [count] of the user, and the words of the launcher before; ended by NULL */
} search_command;

/* --- verb_search_options.c: the exit code, or -1 to go on; free command->command */

int search_options(int argc, char **argv, search_command *command_p);
int search_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- verb_search_progress.c: lines on standard error */

typedef struct search_progress {
    const search_command *command;
    const ats_space *space;
    int planned, done, known;
    double wall;        /* of all runs */
    double best, usual; /* INFINITY, NaN: none yet */
    bool told;          /* that runs were known */
} search_progress;

/* ats_crew's. */
void search_told(void *progress, const ats_trial *trial, const ats_outcome *outcome, bool known);

/* --- verb_search_look.c: after the first run, for ats_plan.look */

/* Fixes parameters that can change nothing.  ATM_NO_CHOICE and a message: none can. */
atm_status search_look(const search_command *command, const launched *launched,
                       const ats_journal *journal, ats_space *space, atm_message *message);

/* --- verb_search_result.c: what remains; exit codes */

int search_result(const search_command *command, const ats_space *space, const ats_journal *journal,
                  const ats_seen *seen, const char *folder);
/* --import without a command */
int search_convert(const search_command *command, const atm_advice *imported, const char *folder);

#endif /* VERB_SEARCH_H */
