/*
 * The prober: one loop that never waits but for the next moment at which something is due.
 *
 *     prober.c         the loop, and its beginning and end
 *     prober_lease.c   one prober at a time
 *     prober_writes.c  probes and truth writes, by workers
 *     prober_looks.c   jobs and passive sources, by commands
 *     prober_say.c     what a terminal sees
 */

#ifndef PROBE_PROBER_H
#define PROBE_PROBER_H

#include <poll.h>
#include <signal.h>

#include "jump.h"
#include "command.h"
#include "jobs_system.h"
#include "lease.h"
#include "passive.h"
#include "probe.h"
#include "resubmit.h"
#include "timetable.h"
#include "trace_write.h"
#include "worker.h"

enum { PROBER_MEASURED = 64 << 20 }; /* bytes of a write that tells what a target can take */

/* A target that this process probes. */
typedef struct prober_row {
    worker worker;
    char name[TARGET_NAME];
    bool truth;     /* its worker does a truth write, or a measurement */
    bool disturbed; /* by a truth write since the last look at passive sources */
    double served_until;
    double asked; /* unix time of what its worker does */
    uint64_t bytes;
    int error;        /* that was said last; 0: none */
    bool told;        /* state is in the trace */
    bool asked_state; /* its worker can tell it */
    target_state state;
    double rate;        /* bytes/s of the measurement; 0: none yet, negative: failed */
    passive_row before; /* last look at passive sources */
} prober_row;

typedef struct prober_counts {
    uint64_t probes, truths, services, errors, skipped, jobs;
} prober_counts;

typedef struct prober {
    const probe_options *options;
    char host[128], path[4096];
    jobs_site site;
    trace *trace;
    lease lease;
    bool lease_said;
    clock_watch clock;
    int count;
    prober_row *rows; /* [count] owned */
    timetable table;
    worker_ground ground;
    pinned_source source;
    bool measuring; /* nominal is not known yet */
    int truths_running;
    int told_files; /* of the trace that has all states */
    const jobs_system *system;
    command jobs;
    double jobs_at;
    bool jobs_error; /* was said */
    command passive;
    double passive_at;
    bool passive_known;            /* a first look was made */
    char file_system[TARGET_NAME]; /* "" where there are no passive sources */
    resubmit resubmit;
    double started, until; /* by the steady clock */
    prober_counts counts;
    double shown;
} prober;

/* Exit code. */
int prober_run(const probe_options *options);

bool prober_ended(void); /* by a signal */
/* Until a file has something, a signal comes or the time is over. */
void prober_pause(double seconds, struct pollfd *files, nfds_t count, const sigset_t *mask);

/* --- prober_lease.c */
void prober_make_lease(prober *prober);
/* True: it is held.  False: an end, with the exit code. */
bool prober_wait_for_lease(prober *prober, const sigset_t *mask, int *code_p);
void prober_keep_lease(prober *prober, double now);

/* --- prober_writes.c */
void prober_say_budget(prober *prober);
void prober_ask_due(prober *prober, double now);
void prober_take_reply(prober *prober, int row, double now);
void prober_give_up_late(prober *prober, double now);
double prober_next_write(const prober *prober);
bool prober_all_idle(const prober *prober);

/* --- prober_looks.c */
void prober_start_looks(prober *prober, double now);
void prober_take_looks(prober *prober, double now);
double prober_next_look(const prober *prober);

/* --- prober_say.c */
void prober_say(prober *prober, const char *format, ...) __attribute__((format(printf, 2, 3)));
void prober_progress(prober *prober, double now);
void prober_summary(prober *prober, double now);

#endif /* PROBE_PROBER_H */
