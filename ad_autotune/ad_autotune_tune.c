#include "ad_autotune_decide.h"

#include "ad_autotune_apply.h"
#include "ad_autotune_plan.h"
#include "ad_autotune_record.h"
#include "ad_autotune_report.h"
#include "adioi.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

/*
 * When decisions are made: at open, for the likely access, and before collective
 * calls 1, 2, 4, 8, ... on a file if their access differs from the one that the
 * last decision was made for, or if times were not as predicted.  A small call among
 * large ones is passed over: the next one is looked at in its place.
 */

/* Collective: from the access to the report. */
static void decide_and_apply(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                             ADIOI_AUTOTUNE_decision *decision)
{
    int *ranks;

    ADIOI_AUTOTUNE_decide(fd, state, decision, &ranks);
    if (decision->unchanged)
        return;
    if (ADIOI_AUTOTUNE_apply(fd, state, decision, ranks)) {
        state->decision = *decision;
        if (decision->access.write)
            state->layout = decision->tuned ? decision->config : (atm_config){0};
        memcpy(state->notes, decision->notes, sizeof(state->notes));
        ADIOI_AUTOTUNE_report_decision(fd, state);
        if (state->recorded)
            ADIOI_AUTOTUNE_record_decision(fd, state);
    } else {
        state->due = 0;
        ADIOI_AUTOTUNE_report_default(fd, "an aggregator could not open the file");
    }
}

/* On rank 0: which file it is, and its size. */
static uint64_t identify(ADIO_File fd, ADIOI_AUTOTUNE_root *root)
{
    struct stat file;

    if ((fd->is_open ? fstat(fd->fd_sys, &file) : stat(fd->filename, &file)) != 0)
        return 0;
    root->device = file.st_dev;
    root->inode = file.st_ino;
    return (uint64_t) file.st_size;
}

void ADIOI_AUTOTUNE_tune_open(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int access_mode)
{
    ADIOI_AUTOTUNE_decision decision = {.call = 0};
    uint64_t size = 0;

    state->due = 1;
    if (state->root != NULL) {
        if ((access_mode & ADIO_RDONLY) || ADIOI_AUTOTUNE_dirty_known()) /* else it can wait */
            size = identify(fd, state->root);
        ADIOI_AUTOTUNE_prepare(fd, state);
        decision.access = ADIOI_AUTOTUNE_expected_access(state, access_mode, size);
        decision.access.dirty = (uint64_t) ADIOI_AUTOTUNE_dirty(state->root);
    }
    decide_and_apply(fd, state, &decision);
    state->judged = decision.judged;
}

/* --- before collective calls */

int ADIOI_AUTOTUNE_tune_due(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    state->calls += state->calls < INT_MAX;
    if (state->calls == 1 && state->root != NULL && state->root->inode == 0)
        identify(fd, state->root);
    if (state->calls != state->due)
        return 0;
    state->due = state->due < INT_MAX / 2 ? 2 * state->due : 0;
    return ADIOI_AUTOTUNE_held(fd, state) == NULL;
}

/* The last decision, and what calls like it took since then. */
static atm_past past_of(const ADIOI_AUTOTUNE_state *state, const double times[ATC_ACCESS_TIMES])
{
    const ADIOI_AUTOTUNE_decision *last = &state->decision;
    atm_past past = {.access = last->access,
                     .config = last->config,
                     .calls = last->calls,
                     .uncertainty = last->uncertainty,
                     .drain = last->drain,
                     .rule = last->rule,
                     .expects = state->root->expects,
                     .called = state->root->confirmed,
                     .small = state->small_in_a_row,
                     .measured = {times[2], times[0], times[1]},
                     .scale = state->root->scale};

    memcpy(past.parts, last->parts, sizeof(past.parts));
    return past;
}

/* What can be said of the call where no decision is made. */
static void without_decision(const ADIOI_AUTOTUNE_state *state, const atm_access *access,
                             atm_situation *situation_p)
{
    *situation_p = (atm_situation){.request = {.access = *access}};
    situation_p->request.life.calls = ADIOI_AUTOTUNE_calls_expected(state, state->calls);
}

static atm_look look_at_access(ADIO_File fd, ADIOI_AUTOTUNE_state *state, const atm_access *access,
                               const double times[ATC_ACCESS_TIMES])
{
    ADIOI_AUTOTUNE_root *root = state->root;
    atm_situation situation;

    root->past = past_of(state, times);
    root->looked = 1;
    if (root->failure.text[0] != '\0')
        without_decision(state, access, &situation);
    else
        ADIOI_AUTOTUNE_situation(fd, state, access, state->calls, &situation);
    return root->look = atm_look_at(&situation, &root->past, &root->scale);
}

/* On rank 0: what is to be decided before this call. */
static void look_at(ADIO_File fd, ADIOI_AUTOTUNE_state *state, const atc_access *all, int writes,
                    ADIOI_AUTOTUNE_decision *decision)
{
    /* before the first call no rank holds locks, or has written from its buffer */
    int first = state->calls - state->small == 1;
    atm_access access = ADIOI_AUTOTUNE_model_access(all, writes, writes && first);
    atm_look look;

    decision->disjoint = !all->interleaved && all->active == state->ranks;
    access.dirty = (uint64_t) ADIOI_AUTOTUNE_dirty(state->root);
    look = all->active > 0 ? look_at_access(fd, state, &access, all->times) : ATM_SMALL;
    decision->small = look == ATM_SMALL;
    if (decision->small)
        return;
    if (writes && access.bytes > state->root->largest.bytes)
        state->root->largest = access;
    decision->unchanged = look == ATM_STANDS;
    decision->access = access;
    state->root->reconsiders = look == ATM_AGAIN || look == ATM_STANDS;
    state->root->confirmed = 1;
    if (first)
        state->root->first_at = MPI_Wtime();
}

/* A reduction to rank 0 and a broadcast from it, together the cost of an Allreduce. */
int ADIOI_AUTOTUNE_tune_call(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int writes, atc_access mine)
{
    ADIOI_AUTOTUNE_decision decision = {.call = state->calls, .unchanged = 1};
    atc_access all = {0};

    ADIOI_AUTOTUNE_measured(state, mine.times);
    mine.spare = state->spare;
    if (atc_access_sum(fd->comm, &mine, &all) == ATC_OK && state->root != NULL)
        look_at(fd, state, &all, writes, &decision);
    decide_and_apply(fd, state, &decision);
    if (decision.small) {
        state->small++;
        state->small_in_a_row++;
        state->due = state->calls + 1;
    } else {
        state->small_in_a_row = 0;
        ADIOI_AUTOTUNE_measure_anew(state, mine.bytes);
    }
    return decision.disjoint;
}
