/* A command in a process group of its own, until it ends, takes too long or is told to end. */

#ifndef ATS_SPAWN_H
#define ATS_SPAWN_H

#include <signal.h>
#include <stdbool.h>

typedef enum ats_spawned {
    ATS_ENDED, /* *status_p as of waitpid */
    ATS_TOO_LONG,
    ATS_TOLD,   /* by SIGTERM, SIGINT or SIGHUP */
    ATS_NOT_RUN /* *status_p is errno */
} ats_spawned;

/* Standard output and error go to files.  A command that must end gets SIGTERM and, seconds later,
 * SIGKILL, with all of its group. */
ats_spawned ats_spawn(char *const *command, const char *output, const char *errors, double limit,
                      double *seconds_p, int *status_p);

/* SIGCHLD and the signals that end a search: to be blocked and waited for. */
void ats_signals_of_interest(sigset_t *set_p);

#endif /* ATS_SPAWN_H */
