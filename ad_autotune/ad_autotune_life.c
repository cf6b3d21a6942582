#include "ad_autotune_decide.h"

#include "adioi.h"

#include <math.h>

/* --- calls that are still to come */

/*
 * The calls that a file still has before it.  Unless a hint says how many there will be, as many
 * again are expected as were made: of a quantity that may be of any size, half is usually over.
 */

/* Times are rounded, so that equal files ask the same and what was answered is found again. */
static double rounded(double seconds)
{
    return seconds > 1e-3 ? fmin(exp2(round(log2(seconds))), ATM_IDLE_MAX) : 0;
}

double ADIOI_AUTOTUNE_calls_expected(const ADIOI_AUTOTUNE_state *state, int call)
{
    double hint = (double) state->root->settings->calls;

    if (hint > 0)
        return fmax(1, call > 0 ? hint - (call - 1) : hint);
    return fmin(fmax(1, call - state->small), ATM_CALLS_MAX);
}

/* Seconds between calls so far, in the mean. */
static double idle(const ADIOI_AUTOTUNE_state *state, int call)
{
    double inside = state->read.seconds + state->write.seconds;

    return call > 1 ? fmax(0, MPI_Wtime() - state->root->first_at - inside) / (call - 1) : 0;
}

atm_life ADIOI_AUTOTUNE_life(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, int call)
{
    atm_life life = {.calls = ADIOI_AUTOTUNE_calls_expected(state, call),
                     .idle = rounded(idle(state, call))};

    if (call == 0)
        return life;
    life.begun = true;
    life.current = state->decision.config;
    if (fd->hints->deferred_open) /* else all ranks have it open */
        life.change = rounded(state->root->open_seconds);
    return life;
}

/* --- calls like the one that was decided for */

/*
 * Calls like the one that the last decision was made for, whose times are compared with predicted
 * ones: a small call among large ones takes a time of its own.  Whether a call is alike each rank
 * knows of itself, by its own bytes; a rank that moves little in such calls cannot tell, and leaves
 * it to others.
 */

/* Not much less than others, in the call that the last decision is for. */
static int has_share(const ADIOI_AUTOTUNE_state *state)
{
    const atm_access *access = &state->decision.access;

    return state->own_bytes > 0 &&
           2 * state->own_bytes * access->active_ranks >= (double) access->bytes;
}

int ADIOI_AUTOTUNE_is_like(const ADIOI_AUTOTUNE_state *state, int writes, double bytes)
{
    return writes == state->decision.access.write && has_share(state) &&
           !atm_differs(bytes, state->own_bytes);
}

double ADIOI_AUTOTUNE_moved(const ADIOI_AUTOTUNE_state *state, double bytes)
{
    double share = has_share(state) ? bytes / state->own_bytes : 1;

    return share * (double) state->decision.access.bytes;
}

void ADIOI_AUTOTUNE_measure(ADIOI_AUTOTUNE_state *state, double seconds, double storage_seconds)
{
    state->measured[0] += seconds;
    state->measured[1] += storage_seconds;
    state->measured[2]++;
}

void ADIOI_AUTOTUNE_measured(const ADIOI_AUTOTUNE_state *state, double times[ATC_ACCESS_TIMES])
{
    for (int i = 0; i < ATC_ACCESS_TIMES; i++)
        times[i] = state->measured[i];
}

void ADIOI_AUTOTUNE_measure_anew(ADIOI_AUTOTUNE_state *state, uint64_t own_bytes)
{
    for (int i = 0; i < ATC_ACCESS_TIMES; i++)
        state->measured[i] = 0;
    state->own_bytes = (double) own_bytes;
}

_Static_assert(sizeof(((ADIOI_AUTOTUNE_state *) 0)->measured) == ATC_ACCESS_TIMES * sizeof(double),
               "what ranks report");
