#include "ad_autotune_decide.h"

#include "adioi.h"

#include <math.h>

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
