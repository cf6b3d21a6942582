/* Supervisors of runs. */

#include "crew.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "spawn.h"

/* One for each trial; pid 0: not under way. */
typedef struct worker {
    pid_t pid;
    bool known; /* by the journal */
    bool begun;
} worker;

typedef struct shift {
    ats_crew *crew;
    const ats_trial *trials;
    int count;
    const ats_limit *limit;
    worker workers[ATS_BATCH];
} shift;

/* --- in the supervisor */

/* The search has written down that this run began, or is gone: then nobody knows of it. */
static bool may_begin(int gate)
{
    char byte;
    ssize_t got;

    do
        got = read(gate, &byte, 1);
    while (got < 0 && errno == EINTR);
    return got == 1;
}

static void supervise(const shift *s, const ats_trial *trial, int gate)
{
    atm_message message = {""};
    ats_outcome outcome;
    atm_value *facts = NULL;
    int code = 0;

    setpgid(0, 0); /* signals of a terminal are for the search */
    close(s->crew->journal->lock);
    if (!may_begin(gate))
        _exit(0);
    close(gate);
    if (ats_run(s->crew->job, trial, s->limit, &outcome, &facts) &&
        ats_journal_result(s->crew->journal, trial, &outcome, facts, &message) != ATM_OK) {
        fprintf(stderr, "autotune search: %s\n", message.text);
        code = 1;
    }
    _exit(code);
}

/* --- in the search */

static atm_status give_up(ats_crew *crew, const char *what)
{
    snprintf(crew->message.text, sizeof(crew->message.text), "%s: %s", what, strerror(errno));
    return ATM_NO_ACCESS;
}

static atm_status begin(shift *s, int index)
{
    ats_crew *crew = s->crew;
    const ats_trial *trial = &s->trials[index];
    worker *w = &s->workers[index];
    int gate[2];
    atm_status status;

    if (crew->told != NULL)
        crew->told(crew->context, trial, NULL, false);
    fflush(NULL);
    if (pipe2(gate, O_CLOEXEC) != 0)
        return give_up(crew, "a pipe");
    w->pid = fork();
    if (w->pid == 0) {
        close(gate[1]);
        supervise(s, trial, gate[0]);
    }
    close(gate[0]);
    if (w->pid < 0) {
        w->pid = 0;
        close(gate[1]);
        return give_up(crew, "a process");
    }
    status = ats_journal_start(crew->journal, trial, w->pid, &crew->message);
    if (status == ATM_OK && write(gate[1], "", 1) != 1)
        status = give_up(crew, "a supervisor");
    close(gate[1]);
    w->begun = status == ATM_OK;
    return status;
}

static atm_status finish(shift *s, int index)
{
    ats_crew *crew = s->crew;
    const ats_trial *trial = &s->trials[index];
    const ats_entry *entry;
    atm_status status = ats_journal_read(crew->journal, &crew->message);

    s->workers[index].pid = 0;
    if (status != ATM_OK || crew->signal != 0)
        return status;
    if (ats_journal_find(crew->journal, trial) == NULL) {
        ats_outcome lost = {.end = ATS_FAILED, .why = "the process that supervised it has died"};

        status = ats_journal_result(crew->journal, trial, &lost, NULL, &crew->message);
        if (status == ATM_OK)
            status = ats_journal_read(crew->journal, &crew->message);
    }
    entry = ats_journal_find(crew->journal, trial);
    if (status == ATM_OK && entry != NULL && crew->told != NULL)
        crew->told(crew->context, trial, &entry->outcome, false);
    return status;
}

static int under_way(const shift *s)
{
    int count = 0;

    for (int i = 0; i < s->count; i++)
        count += s->workers[i].pid > 0;
    return count;
}

/* Those that have ended. */
static atm_status collect(shift *s)
{
    atm_status status = ATM_OK;

    for (int i = 0; i < s->count && status == ATM_OK; i++)
        if (s->workers[i].pid > 0 && waitpid(s->workers[i].pid, NULL, WNOHANG) != 0)
            status = finish(s, i);
    return status;
}

static void end_all(shift *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->workers[i].pid > 0)
            kill(s->workers[i].pid, SIGTERM);
    for (int i = 0; i < s->count; i++)
        if (s->workers[i].pid > 0) {
            while (waitpid(s->workers[i].pid, NULL, 0) < 0 && errno == EINTR)
                continue;
            s->workers[i].pid = 0;
        }
}

/* A signal that ends the search, or none within half a second. */
static void wait_for_signal(shift *s, const sigset_t *set)
{
    int number = sigtimedwait(set, NULL, &(struct timespec){.tv_nsec = 500000000});

    if (number > 0 && number != SIGCHLD)
        s->crew->signal = number;
}

static atm_status begin_more(shift *s)
{
    atm_status status = ATM_OK;

    for (int i = 0; i < s->count && status == ATM_OK && under_way(s) < s->crew->parallel; i++)
        if (!s->workers[i].known && !s->workers[i].begun)
            status = begin(s, i);
    return status;
}

static atm_status work(shift *s)
{
    sigset_t set, before;
    atm_status status;

    ats_signals_of_interest(&set);
    sigprocmask(SIG_BLOCK, &set, &before);
    do {
        status = begin_more(s);
        if (status == ATM_OK && under_way(s) > 0)
            wait_for_signal(s, &set);
        if (status == ATM_OK && s->crew->signal != 0) {
            snprintf(s->crew->message.text, sizeof(s->crew->message.text),
                     "ended by signal %d (%s)", s->crew->signal, strsignal(s->crew->signal));
            status = ATM_NO_ACCESS;
        }
        if (status == ATM_OK)
            status = collect(s);
    } while (status == ATM_OK && under_way(s) > 0);
    end_all(s);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

static bool has_more(const shift *s)
{
    for (int i = 0; i < s->count; i++)
        if (!s->workers[i].known && !s->workers[i].begun)
            return true;
    return false;
}

static atm_status look_up(shift *s)
{
    ats_crew *crew = s->crew;
    atm_status status = ATM_OK;

    for (int i = 0; i < s->count && status == ATM_OK; i++) {
        const ats_entry *entry = ats_journal_find(crew->journal, &s->trials[i]);

        status = ats_journal_check(crew->journal, &s->trials[i], &crew->message);
        s->workers[i].known = entry != NULL;
        if (status == ATM_OK && entry != NULL && crew->told != NULL)
            crew->told(crew->context, &s->trials[i], &entry->outcome, true);
    }
    return status;
}

atm_status ats_crew_measure(void *context, const ats_trial *trials, int count,
                            const ats_limit *limit, ats_outcome *outcomes_p)
{
    shift s = {.crew = context, .trials = trials, .count = count, .limit = limit};
    atm_status status = look_up(&s);

    while (status == ATM_OK && has_more(&s))
        status = work(&s);
    for (int i = 0; i < count && status == ATM_OK; i++) {
        const ats_entry *entry = ats_journal_find(s.crew->journal, &trials[i]);

        if (entry == NULL)
            return ATM_BAD_FILE;
        outcomes_p[i] = entry->outcome;
    }
    return status;
}
