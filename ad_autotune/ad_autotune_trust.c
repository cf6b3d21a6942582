#include "ad_autotune_decide.h"

#include "adioi.h"

#include <math.h>

/*
 * Whether what is said of storage helps: files on targets that were picked by it, against the last
 * file of the same access on any targets.  Of both the whole life counts, with syncs and close: a
 * write ends in a client's cache, and a slow target shows later.  The first file after a while does
 * not wait for what others left there, and is compared with none.
 *
 * If files on targets that were picked are slower, the state is left alone for one file, then for
 * 2, 4, ...; and for one, to have something to compare with, if they are slower than predicted.
 */
#define TOO_SLOW 1.25        /* than others */
#define TOO_SLOW_UNKNOWN 1.5 /* than predicted */
#define LIKE_FOR 600.0       /* seconds: storage is another one later */
#define IDLE 30.0            /* seconds after which caches are taken to be empty */
enum { KINDS = 8, PAUSE_MAX = 64 };

static struct {
    atm_access access;
    double a_byte; /* seconds; 0: not in use */
    double at;     /* MPI_Wtime */
} others[KINDS];
static int next_other, paused_for, left; /* the latter two in files */
static int slower;                       /* which is the reason; else it is to compare */
static double last_write;                /* MPI_Wtime */

static int is_like(const atm_access *one, const atm_access *other)
{
    return one->strided == other->strided && one->interleaved == other->interleaved &&
           one->active_ranks == other->active_ranks &&
           !atm_differs((double) one->bytes, (double) other->bytes) &&
           !atm_differs((double) one->block, (double) other->block);
}

/* Seconds a byte of a like file on any targets; 0: there was none lately. */
static double find_other(const atm_access *access)
{
    for (int i = 0; i < KINDS; i++)
        if (others[i].a_byte > 0 && MPI_Wtime() - others[i].at < LIKE_FOR &&
            is_like(&others[i].access, access))
            return others[i].a_byte;
    return 0;
}

static void remember_other(const atm_access *access, double a_byte)
{
    int at = 0;

    while (at < KINDS && !(others[at].a_byte > 0 && is_like(&others[at].access, access)))
        at++;
    if (at == KINDS)
        at = next_other++ % KINDS;
    others[at].access = *access;
    others[at].a_byte = a_byte;
    others[at].at = MPI_Wtime();
}

static void judge_picked(const ADIOI_AUTOTUNE_state *state, double seconds, double bytes)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    double other = find_other(&decision->access) * bytes, predicted = 0;

    for (int i = 0; i < ATM_PART_COUNT; i++)
        predicted += decision->parts[i];
    predicted *= bytes / (double) decision->access.bytes;
    slower = other > 0 && seconds > TOO_SLOW * other;
    if (slower)
        paused_for = paused_for == 0 ? 1 : paused_for < PAUSE_MAX ? 2 * paused_for : PAUSE_MAX;
    else
        paused_for = 0;
    left = slower || (other <= 0 && seconds > TOO_SLOW_UNKNOWN * predicted)
               ? (int) fmax(paused_for, 1)
               : 0;
}

ADIOI_AUTOTUNE_trust ADIOI_AUTOTUNE_trust_now(void)
{
    return left == 0 ? ADIOI_AUTOTUNE_TRUSTED
           : slower  ? ADIOI_AUTOTUNE_SLOWER
                     : ADIOI_AUTOTUNE_UNKNOWN;
}

void ADIOI_AUTOTUNE_trust_end(MPI_Comm comm, const ADIOI_AUTOTUNE_state *state)
{
    double mine = state->write.seconds + state->settle_seconds, seconds = 0, bytes = 0;
    const ADIOI_AUTOTUNE_root *root = state->root;
    int cold;

    MPI_Reduce(&mine, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
    MPI_Reduce(&state->write.bytes, &bytes, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    if (root == NULL || bytes <= 0 || !state->decision.access.write)
        return;
    cold = last_write == 0 || MPI_Wtime() - seconds - last_write > IDLE;
    last_write = MPI_Wtime();
    if (root->paused && left > 0)
        left--;
    if (root->targets != NULL && state->layout.steered)
        judge_picked(state, seconds, bytes);
    else if (!cold)
        remember_other(&state->decision.access, seconds / bytes);
}
