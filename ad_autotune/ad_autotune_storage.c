#include "ad_autotune_decide.h"

#include "ad_autotune_late.h"
#include "ad_autotune_report.h"
#include "adioi.h"
#include "random.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/*
 * The state of storage, which changes every few minutes: the last one that was read is cached until
 * MPI_Finalize, in an attribute of MPI_COMM_SELF.  Called under ROMIO's lock.
 */
typedef struct known_state {
    atm_state *state;
    atm_seen seen; /* what was read */
} known_state;

static atc_cache cache = ATC_CACHE_INITIALIZER;

static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    known_state *known = value;

    (void) comm, (void) keyval, (void) extra;
    atm_state_destroy(known->state);
    ADIOI_Free(known);
    return MPI_SUCCESS;
}

/*
 * Whether files on targets that were picked are as fast as expected, in comparison with others.  If
 * one is not, the state is left alone for one file, then for 2, 4, ...: these show how slow the
 * others are.
 */
#define TOO_SLOW 1.25        /* than others, in terms of what was predicted */
#define TOO_SLOW_UNKNOWN 1.5 /* if there were no others */
enum { PAUSE_MAX = 64 };

static struct {
    double others;   /* measured over predicted; 0: not known */
    int pause, left; /* files */
} trust;

static int picked_targets(const ADIOI_AUTOTUNE_state *state)
{
    return state->layout.steered && state->root->targets != NULL;
}

void ADIOI_AUTOTUNE_storage_judge(const ADIOI_AUTOTUNE_state *state, double seconds)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    double predicted = 0, ratio;

    if (state->root == NULL || state->calls != 1 || !decision->access.write ||
        state->wrapped->file_system != ADIO_LUSTRE)
        return;
    for (int i = 0; i < ATM_PART_COUNT; i++)
        predicted += decision->parts[i];
    if (predicted <= 0)
        return;
    ratio = seconds / predicted;
    if (!picked_targets(state))
        trust.others = ratio;
    else if (ratio <= (trust.others > 0 ? TOO_SLOW * trust.others : TOO_SLOW_UNKNOWN))
        trust.pause = 0;
    else
        trust.left = trust.pause = trust.pause == 0          ? 1
                                   : trust.pause < PAUSE_MAX ? 2 * trust.pause
                                                             : PAUSE_MAX;
}

/* Whether the state is left alone for this file. */
static int is_paused(const ADIOI_AUTOTUNE_decision *decision)
{
    if (trust.left == 0)
        return 0;
    if (decision->call == 1) /* the file's last question */
        trust.left--;
    return 1;
}

/* NULL and a message if it cannot be used. */
static const atm_state *load(const atm_seen *seen, atm_message *message)
{
    known_state *known;
    atm_state *state;
    atm_status status = atm_state_load(seen->path, message, &state);

    if (status != ATM_OK) {
        if (message->text[0] == '\0')
            snprintf(message->text, sizeof(message->text), "%s", atm_status_text(status));
        return NULL;
    }
    known = ADIOI_Calloc(1, sizeof(*known));
    known->state = state;
    known->seen = *seen;
    if (atc_cache_put(&cache, MPI_COMM_SELF, known, MPI_COMM_NULL_COPY_FN, forget) == ATC_OK)
        return state;
    forget(MPI_COMM_SELF, 0, known, NULL);
    snprintf(message->text, sizeof(message->text), "MPI keeps no attribute");
    return NULL;
}

/* The state in the first file that there is; NULL, and a message unless there is none. */
static const atm_state *find(const char *hint, atm_message *message)
{
    const known_state *known = atc_cache_get(&cache, MPI_COMM_SELF);
    atm_seen seen;

    if (!ADIOI_AUTOTUNE_find(hint, ATM_STATE_FILE, &seen, message) || seen.path[0] == '\0')
        return NULL;
    return known != NULL && atm_seen_again(&known->seen, &seen) ? known->state
                                                                : load(&seen, message);
}

/* Whether the file is in the file system that the state is of. */
static int is_of(const atm_state *state, const char *filename)
{
    char directory[PATH_MAX];
    struct stat here, there;

    return ADIOI_AUTOTUNE_directory(filename, directory, sizeof(directory)) == 0 &&
           stat(directory, &here) == 0 && stat(state->path, &there) == 0 &&
           here.st_dev == there.st_dev;
}

/* Jobs, and the files of a job, that look at the same state pick different targets. */
static uint64_t seed_of(const char *filename)
{
    uint64_t seed = (uint64_t) getpid();
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    seed = seed << 32 ^ (uint64_t) now.tv_nsec;
    for (; *filename != '\0'; filename++)
        seed = (seed ^ (unsigned char) *filename) * UINT64_C(0x100000001b3);
    return atm_random(&seed);
}

/* Where the file is, if that is settled. */
static void settle(const ADIOI_AUTOTUNE_state *state, atm_steering *steering)
{
    int *targets, count = state->wrapped->file_system == ADIO_LUSTRE
                              ? ADIOI_AUTOTUNE_striping_targets(state->root->filename, &targets)
                              : 0;

    if (count == 0)
        return;
    atm_steering_settle(steering, targets, count);
    ADIOI_Free(targets);
}

atm_steering *ADIOI_AUTOTUNE_storage_ask(ADIOI_AUTOTUNE_state *state, int settled,
                                         ADIOI_AUTOTUNE_decision *decision)
{
    const ADIOI_AUTOTUNE_root *root = state->root;
    const char *hint = root->settings->storage;
    atm_steering *steering = NULL;
    const atm_state *found;
    atm_message why;
    struct timespec now;

    if (decision->call > 1) /* how it is has been measured since */
        return NULL;
    clock_gettime(CLOCK_REALTIME, &now);
    found = find(hint, &why);
    if (found != NULL && !is_of(found, root->filename))
        return NULL;
    if (found != NULL)
        atm_state_doubt(found, (double) now.tv_sec, &why);
    if (found != NULL && why.text[0] == '\0' && is_paused(decision))
        snprintf(why.text, sizeof(why.text), "files on the targets that it prefers were slower");
    if (why.text[0] != '\0')
        ADIOI_AUTOTUNE_note(decision->notes, sizeof(decision->notes), "romio_autotune_state",
                            hint != NULL ? hint : ATM_STATE_FILE, why.text);
    if (found == NULL || why.text[0] != '\0' ||
        atm_steering_create(found, (double) now.tv_sec, seed_of(root->filename), &steering) !=
            ATM_OK)
        return NULL;
    if (settled)
        settle(state, steering);
    return steering;
}
