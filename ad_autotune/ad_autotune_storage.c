#include "ad_autotune_decide.h"

#include "ad_autotune_late.h"
#include "ad_autotune_report.h"
#include "adioi.h"
#include "fnv.h"
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
static const atm_state *find(const atm_search_values *places, const char *hint,
                             atm_message *message)
{
    static atm_found last;
    const atm_seen *seen = ADIOI_AUTOTUNE_find(places, hint, ATM_STATE_FILE, &last, message);
    const known_state *known;

    if (seen == NULL || seen->path[0] == '\0')
        return NULL;
    known = atc_cache_get(&cache, MPI_COMM_SELF);
    return known != NULL && atm_seen_again(&known->seen, seen) ? known->state : load(seen, message);
}

/* Whether the file is in the file system that the state is of. */
static int is_of(const atm_state *state, const char *filename)
{
    static atm_found last;
    const atm_seen *there = ADIOI_AUTOTUNE_look(state->path, &last);
    char directory[PATH_MAX];
    struct stat here;

    return ADIOI_AUTOTUNE_directory(filename, directory, sizeof(directory)) == 0 &&
           stat(directory, &here) == 0 && here.st_dev == there->file.st_dev;
}

/* Jobs, and the files of a job, that look at the same state pick different targets. */
static uint64_t seed_of(const char *filename)
{
    uint64_t seed = (uint64_t) getpid();
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    seed = atm_fnv_text(seed << 32 ^ (uint64_t) now.tv_nsec, filename);
    return atm_random(&seed);
}

/* Whether this file is one that the state is left alone for, and why. */
static void leave_alone(ADIOI_AUTOTUNE_root *root, atm_message *why)
{
    ADIOI_AUTOTUNE_trust trust = ADIOI_AUTOTUNE_trust_now();

    root->paused = trust != ADIOI_AUTOTUNE_TRUSTED;
    if (root->paused)
        snprintf(why->text, sizeof(why->text), "%s",
                 trust == ADIOI_AUTOTUNE_SLOWER
                     ? "files on the targets that it prefers were slower"
                     : "not used for one file, which the others are compared with");
}

atm_storage ADIOI_AUTOTUNE_storage_ask(ADIOI_AUTOTUNE_state *state, int settled,
                                       ADIOI_AUTOTUNE_decision *decision, int **targets_p)
{
    ADIOI_AUTOTUNE_root *root = state->root;
    const char *hint = root->settings->storage;
    atm_storage storage = {.state = NULL};
    const atm_state *found;
    atm_message why;
    struct timespec now;

    *targets_p = NULL;
    if (decision->call > 1) /* how it is has been measured since */
        return storage;
    if (decision->call == 1) /* the environment may be another one than at open */
        root->places = ADIOI_AUTOTUNE_places();
    clock_gettime(CLOCK_REALTIME, &now);
    found = find(&root->places, hint, &why);
    if (found != NULL && !is_of(found, root->filename))
        return storage;
    if (found != NULL)
        atm_state_doubt(found, (double) now.tv_sec, &why);
    decision->judged = found != NULL && why.text[0] == '\0';
    if (decision->judged)
        leave_alone(root, &why);
    if (why.text[0] != '\0')
        (decision->judged ? ADIOI_AUTOTUNE_note : ADIOI_AUTOTUNE_refuse)(
            decision->notes, sizeof(decision->notes), "romio_autotune_state",
            hint != NULL ? hint : ATM_STATE_FILE, why.text);
    if (found == NULL || why.text[0] != '\0')
        return storage;
    storage.state = found;
    storage.now = (double) now.tv_sec;
    storage.seed = seed_of(root->filename);
    if (settled && state->wrapped->file_system == ADIO_LUSTRE)
        storage.count = ADIOI_AUTOTUNE_striping_targets(root->filename, targets_p);
    storage.targets = *targets_p;
    return storage;
}
