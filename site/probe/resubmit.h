/*
 * A prober in a Slurm job that never ends: shortly before its time is over the job's script
 * is submitted again, to start when this job has ended.  Not at its start, so that a job that
 * somebody cancels has no successor.
 */

#ifndef PROBE_RESUBMIT_H
#define PROBE_RESUBMIT_H

#include "command.h"

typedef struct resubmit {
    const char *job, *script; /* script NULL: nothing to do, or done */
    char *const *arguments;   /* of the script, ended by NULL */
    double before;            /* seconds before its end */
    double ask_at;            /* by the steady clock */
    command left, submit;     /* how much time is left; the submission */
    int failures;
} resubmit;

void resubmit_make(const char *script, char *const *arguments, double before, resubmit *resubmit_p);

/* Call this when something may have happened.  True, with a sentence, if it is to be said. */
bool resubmit_go_on(resubmit *resubmit, double now, char *message, size_t room);

void resubmit_clear(resubmit *resubmit);

/* When to ask Slurm again how much time is left: it may have been given more. */
double resubmit_pause(double left, double before);

#endif /* PROBE_RESUBMIT_H */
