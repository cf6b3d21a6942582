/*
 * The crew: supervisors, each a process that makes one run and writes its result to the journal.
 * If the search is killed, they go on to the end of their runs; if it is ended by a signal that can
 * be caught, they end their runs and write nothing.
 */

#ifndef ATS_CREW_H
#define ATS_CREW_H

#include "journal.h"
#include "run_command.h"

typedef struct ats_crew {
    const ats_job *job;
    ats_journal *journal;
    int parallel;
    /* When a trial is begun (outcome NULL) and when it has ended, also if the journal had it. */
    void (*told)(void *context, const ats_trial *trial, const ats_outcome *outcome, bool known);
    void *context;
    atm_message message; /* why it could not go on */
    int signal;          /* that ended it; 0: none */
} ats_crew;

/* An ats_measure; its context is the crew.  Trials of the journal are not made again. */
atm_status ats_crew_measure(void *crew, const ats_trial *trials, int count, const ats_limit *limit,
                            ats_outcome *outcomes_p);

#endif /* ATS_CREW_H */
