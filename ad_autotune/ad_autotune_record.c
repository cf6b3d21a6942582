#include "ad_autotune_record.h"

#include "ad_autotune_report.h"
#include "adioi.h"
#include "files/job.h"
#include "value/text_output.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

void ADIOI_AUTOTUNE_record_begin(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    atm_record *log;

    state->opened_at = MPI_Wtime();
    state->timeline = ADIOI_Calloc(ATM_RECORD_CALLS, sizeof(*state->timeline));
    if (state->root == NULL)
        return;
    log = state->root->log = ADIOI_Calloc(1, sizeof(*log));
    MPI_Comm_size(fd->comm, &log->ranks);
    copy(log->file, sizeof(log->file), fd->filename);
    copy(log->mode, sizeof(log->mode), ADIOI_AUTOTUNE_mode_name(state->mode));
    gethostname(log->host, sizeof(log->host) - 1);
    copy(log->job, sizeof(log->job), atm_job_id());
    ADIOI_AUTOTUNE_who(sizeof(log->program), log->program, sizeof(log->user), log->user);
    log->pid = getpid();
    log->started = time(NULL);
}

/* Whether hints of the user are part of what is in effect. */
static int is_hinted(const ADIOI_AUTOTUNE_settings *settings, int write)
{
    return settings->fixed != 0 || settings->fixed_list ||
           (write ? settings->fixed_write : settings->fixed_read);
}

void ADIOI_AUTOTUNE_record_decision(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    atm_record *log = state->root != NULL ? state->root->log : NULL;
    atm_record_decision entry = {.call = (uint64_t) decision->call,
                                 .tuned = decision->tuned,
                                 .write = decision->access.write,
                                 .config = decision->config,
                                 .rank_count = fd->hints->cb_nodes,
                                 .access = decision->access,
                                 .uncertainty = decision->uncertainty,
                                 .advised = decision->advised[0] != '\0'};

    if (log == NULL)
        return;
    entry.hinted = is_hinted(state->root->settings, entry.write);
    entry.storage_scale = state->root->scale.factor[ATM_STORAGE_KIND];
    entry.communication_scale = state->root->scale.factor[ATM_COMMUNICATION_KIND];
    for (int i = 0; i < entry.rank_count && i < ATM_RECORD_RANKS; i++)
        entry.ranks[i] = fd->hints->ranklist[i];
    memcpy(entry.parts, decision->parts, sizeof(entry.parts));
    copy(entry.reason.text, sizeof(entry.reason.text), decision->reason);
    atm_record_add_decision(log, &entry);
    if (state->root->topology != NULL)
        log->nodes = state->root->topology->nodes;
    if (state->root->profile != NULL)
        copy(log->profile, sizeof(log->profile), state->root->profile->source);
}

void ADIOI_AUTOTUNE_record_call(ADIOI_AUTOTUNE_state *state, const ADIOI_AUTOTUNE_call *call)
{
    int calls = (int) fmin(state->read.calls + state->write.calls, ATM_RECORD_CALLS + 1);

    if (calls <= ATM_RECORD_CALLS)
        state->timeline[calls - 1] = *call;
}

/* --- writing */

/* Both directions of all ranks, on rank 0: sums of what ranks moved, and the slowest
 * rank's times and calls. */
static int combine(MPI_Comm comm, const ADIOI_AUTOTUNE_counters mine[2],
                   ADIOI_AUTOTUNE_counters all[2])
{
    const int n = 2 * sizeof(*mine) / sizeof(double);
    ADIOI_AUTOTUNE_counters sum[2];

    if (MPI_Reduce(mine, all, n, MPI_DOUBLE, MPI_MAX, 0, comm) != MPI_SUCCESS ||
        MPI_Reduce(mine, sum, n, MPI_DOUBLE, MPI_SUM, 0, comm) != MPI_SUCCESS)
        return -1;
    for (int i = 0; i < 2; i++) {
        all[i].accesses = sum[i].accesses;
        all[i].bytes = sum[i].bytes;
        all[i].independent_calls = sum[i].independent_calls;
        all[i].independent_bytes = sum[i].independent_bytes;
    }
    return 0;
}

/* The timelines of all ranks, on rank 0, in the same way. */
static int combine_timelines(MPI_Comm comm, const ADIOI_AUTOTUNE_state *state, int calls,
                             ADIOI_AUTOTUNE_call *all, ADIOI_AUTOTUNE_call *sum)
{
    const int n = calls * (int) (sizeof(*all) / sizeof(double));

    if (MPI_Reduce(state->timeline, all, n, MPI_DOUBLE, MPI_MAX, 0, comm) != MPI_SUCCESS ||
        MPI_Reduce(state->timeline, sum, n, MPI_DOUBLE, MPI_SUM, 0, comm) != MPI_SUCCESS)
        return -1;
    for (int i = 0; i < calls; i++) {
        all[i].bytes = sum[i].bytes;
        all[i].accesses = sum[i].accesses;
    }
    return 0;
}

static atm_record_counters log_counters(const ADIOI_AUTOTUNE_counters *counters)
{
    return (atm_record_counters){.calls = (uint64_t) counters->calls,
                                 .seconds = counters->seconds,
                                 .accesses = (uint64_t) counters->accesses,
                                 .bytes = (uint64_t) counters->bytes,
                                 .storage_seconds = counters->storage_seconds,
                                 .independent_calls = (uint64_t) counters->independent_calls,
                                 .independent_bytes = (uint64_t) counters->independent_bytes,
                                 .independent_seconds = counters->independent_seconds};
}

static void log_call(atm_record *log, int number, const ADIOI_AUTOTUNE_call *call)
{
    atm_record_add_call(log, &(atm_record_call){.call = (uint64_t) number,
                                                .write = call->write != 0,
                                                .at = call->at,
                                                .seconds = call->seconds,
                                                .storage_seconds = call->storage_seconds,
                                                .bytes = (uint64_t) call->bytes,
                                                .accesses = (uint64_t) call->accesses});
}

static void append(const char *path, const atm_record *log)
{
    atm_message why = {""};
    char *line, text[sizeof(why) + 32];
    size_t length;

    if (atm_record_line(log, &line, &length) != ATM_OK)
        return;
    if (atm_line_append(path, line, length, &why) != ATM_OK) { /* best effort */
        snprintf(text, sizeof(text), "a record is lost: %s", why.text);
        ADIOI_AUTOTUNE_say_once(text);
    }
    free(line);
}

static void fill(ADIOI_AUTOTUNE_state *state, const ADIOI_AUTOTUNE_counters all[2])
{
    atm_record *log = state->root->log;
    uint64_t calls;

    copy(log->wrapped, sizeof(log->wrapped), state->wrapped->name);
    copy(log->status, sizeof(log->status), state->shown.status);
    log->seconds = MPI_Wtime() - state->opened_at;
    log->stripe_size = (uint64_t) state->striping.unit;
    log->stripe_count = state->striping.count;
    log->first_ost = state->striping.start;
    log->read = log_counters(&all[0]);
    log->write = log_counters(&all[1]);
    calls = log->read.calls + log->write.calls;
    log->calls_dropped = calls > ATM_RECORD_CALLS ? calls - ATM_RECORD_CALLS : 0;
}

void ADIOI_AUTOTUNE_record_write(MPI_Comm comm, ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_counters mine[2] = {state->read, state->write};
    double total = state->read.calls + state->write.calls; /* the same on all ranks */
    int calls = total < ATM_RECORD_CALLS ? (int) total : ATM_RECORD_CALLS;
    ADIOI_AUTOTUNE_counters all[2];
    ADIOI_AUTOTUNE_call *timeline = ADIOI_Malloc(2 * ATM_RECORD_CALLS * sizeof(*timeline));
    int opened;

    if (MPI_Reduce(&state->opened, &opened, 1, MPI_INT, MPI_MIN, 0, comm) == MPI_SUCCESS &&
        combine(comm, mine, all) == 0 &&
        combine_timelines(comm, state, calls, timeline, timeline + ATM_RECORD_CALLS) == 0 &&
        state->root != NULL && opened) {
        for (int i = 0; i < calls; i++)
            log_call(state->root->log, i + 1, &timeline[i]);
        fill(state, all);
        append(state->root->record, state->root->log);
    }
    ADIOI_Free(timeline);
}

void ADIOI_AUTOTUNE_record_end(ADIOI_AUTOTUNE_state *state)
{
    if (state->timeline != NULL)
        ADIOI_Free(state->timeline);
    if (state->root != NULL && state->root->log != NULL)
        ADIOI_Free(state->root->log);
    if (state->root != NULL && state->root->record != NULL)
        ADIOI_Free(state->root->record);
}
