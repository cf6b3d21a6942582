#include "ad_autotune_decide.h"

#include "ad_autotune_report.h"
#include "adioi.h"
#include "files/search.h"
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
 * The state of storage, which "autotune state watch" writes every few minutes: the last one that
 * was read is cached until MPI_Finalize, in an attribute of MPI_COMM_SELF.  Called under ROMIO's
 * lock.
 */
typedef struct known_state {
    atm_state *state;
    char path[ATM_SEARCH_PATH];
    struct stat file; /* what was read */
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

static int is_same(const known_state *known, const char *path, const struct stat *file)
{
    return strcmp(known->path, path) == 0 && known->file.st_dev == file->st_dev &&
           known->file.st_ino == file->st_ino && known->file.st_size == file->st_size &&
           known->file.st_mtim.tv_sec == file->st_mtim.tv_sec &&
           known->file.st_mtim.tv_nsec == file->st_mtim.tv_nsec;
}

/* NULL and a message if it cannot be used. */
static const atm_state *load(const char *path, const struct stat *file, atm_message *message)
{
    known_state *known;
    atm_state *state;
    atm_status status = atm_state_load(path, message, &state);

    if (status != ATM_OK) {
        if (message->text[0] == '\0')
            snprintf(message->text, sizeof(message->text), "%s", atm_status_text(status));
        return NULL;
    }
    known = ADIOI_Calloc(1, sizeof(*known));
    known->state = state;
    known->file = *file;
    snprintf(known->path, sizeof(known->path), "%s", path);
    if (atc_cache_put(&cache, MPI_COMM_SELF, known, MPI_COMM_NULL_COPY_FN, forget) == ATC_OK)
        return state;
    forget(MPI_COMM_SELF, 0, known, NULL);
    snprintf(message->text, sizeof(message->text), "MPI keeps no attribute");
    return NULL;
}

/* The state in the first file that there is; NULL, and a message unless there is none. */
static const atm_state *find(const char *hint, atm_message *message)
{
    /* the hint stands for its variable as well: ad_autotune_settings.c */
    const atm_search_values values = {.hint = hint,
                                      .xdg_config = getenv("XDG_CONFIG_HOME"),
                                      .home = getenv("HOME"),
                                      .sysconfdir = ADIOI_AUTOTUNE_SYSCONFDIR,
                                      .file = ATM_STATE_FILE};
    const known_state *known = atc_cache_get(&cache, MPI_COMM_SELF);
    atm_search *search = ADIOI_Malloc(sizeof(*search));
    const atm_state *state = NULL;
    struct stat file;
    const char *path;

    message->text[0] = '\0';
    if (atm_profile_search(&values, search) != ATM_OK) {
        snprintf(message->text, sizeof(message->text), "the path is too long");
    } else {
        path = atm_search_find(search, &file)->path;
        if (path[0] != '\0')
            state = known != NULL && is_same(known, path, &file) ? known->state
                                                                 : load(path, &file, message);
    }
    ADIOI_Free(search);
    return state;
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

atm_steering *ADIOI_AUTOTUNE_storage_ask(ADIOI_AUTOTUNE_state *state,
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
    if (why.text[0] != '\0')
        ADIOI_AUTOTUNE_note(decision->notes, sizeof(decision->notes), "romio_autotune_state",
                            hint != NULL ? hint : ATM_STATE_FILE, why.text);
    if (found == NULL || why.text[0] != '\0' ||
        atm_steering_create(found, (double) now.tv_sec, seed_of(root->filename), &steering) !=
            ATM_OK)
        return NULL;
    return steering;
}
