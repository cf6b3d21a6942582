#include "ad_autotune_decide.h"

#include "atc.h"
#include "files/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Reading a profile takes longer than an open should, so the last one is cached
 * until MPI_Finalize, in an attribute of MPI_COMM_SELF.  Open files that use
 * another profile keep it until they are closed.  Called under ROMIO's lock.
 */
struct ADIOI_AUTOTUNE_profile {
    atm_profile *profile;
    ADIOI_AUTOTUNE_answers *answers; /* it has given */
    int users;                       /* open files, and the cache */
    char path[ATM_SEARCH_PATH];
    struct stat file; /* what was read */
};

static atc_cache cache = ATC_CACHE_INITIALIZER;

void ADIOI_AUTOTUNE_profile_release(ADIOI_AUTOTUNE_profile *profile)
{
    if (profile == NULL || --profile->users > 0)
        return;
    ADIOI_AUTOTUNE_answers_destroy(profile->answers);
    atm_profile_destroy(profile->profile);
    ADIOI_Free(profile);
}

static int release(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void) comm, (void) keyval, (void) extra;
    ADIOI_AUTOTUNE_profile_release(value);
    return MPI_SUCCESS;
}

static int is_same(const ADIOI_AUTOTUNE_profile *profile, const char *path, const struct stat *file)
{
    return strcmp(profile->path, path) == 0 && profile->file.st_dev == file->st_dev &&
           profile->file.st_ino == file->st_ino && profile->file.st_size == file->st_size &&
           profile->file.st_mtim.tv_sec == file->st_mtim.tv_sec &&
           profile->file.st_mtim.tv_nsec == file->st_mtim.tv_nsec;
}

/* path "": the built-in one. */
static ADIOI_AUTOTUNE_profile *load(const char *path, const struct stat *file, atm_message *message)
{
    ADIOI_AUTOTUNE_profile *loaded;
    atm_profile *profile;
    atm_status status = path[0] != '\0' ? atm_profile_load(path, message, &profile)
                                        : atm_profile_generic(message, &profile);

    if (status != ATM_OK) {
        if (message->text[0] == '\0')
            snprintf(message->text, sizeof(message->text), "%s", atm_status_text(status));
        return NULL;
    }
    loaded = ADIOI_Calloc(1, sizeof(*loaded));
    loaded->profile = profile;
    loaded->answers = ADIOI_AUTOTUNE_answers_create();
    loaded->users = 1;
    loaded->file = *file;
    snprintf(loaded->path, sizeof(loaded->path), "%s", path);
    return loaded;
}

ADIOI_AUTOTUNE_profile *ADIOI_AUTOTUNE_profile_acquire(const char *path, atm_message *message)
{
    /* the hint stands for its variable as well: ad_autotune_settings.c */
    const atm_search_values values = {.hint = path,
                                      .xdg_config = getenv("XDG_CONFIG_HOME"),
                                      .home = getenv("HOME"),
                                      .sysconfdir = ADIOI_AUTOTUNE_SYSCONFDIR};
    ADIOI_AUTOTUNE_profile *profile = atc_cache_get(&cache, MPI_COMM_SELF);
    atm_search *search = ADIOI_Malloc(sizeof(*search));
    struct stat file;
    const char *found;

    message->text[0] = '\0';
    if (atm_profile_search(&values, search) != ATM_OK) {
        snprintf(message->text, sizeof(message->text), "the profile's path is too long");
        profile = NULL;
    } else {
        found = atm_search_find(search, &file)->path;
        if (profile == NULL || !is_same(profile, found, &file)) {
            profile = load(found, &file, message);
            if (profile != NULL && atc_cache_put(&cache, MPI_COMM_SELF, profile,
                                                 MPI_COMM_NULL_COPY_FN, release) == ATC_OK)
                profile->users++;
        } else {
            profile->users++;
        }
    }
    ADIOI_Free(search);
    return profile;
}

const atm_profile *ADIOI_AUTOTUNE_profile_get(const ADIOI_AUTOTUNE_profile *profile,
                                              ADIOI_AUTOTUNE_answers **answers_p)
{
    *answers_p = profile->answers;
    return profile->profile;
}
