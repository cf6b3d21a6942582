#include "ad_autotune_decide.h"

#include "atc.h"

#include <stdio.h>

/*
 * Reading a profile takes longer than an open should, so the last one is cached
 * until MPI_Finalize, in an attribute of MPI_COMM_SELF.  Open files that use
 * another profile keep it until they are closed.  Called under ROMIO's lock.
 */
struct ADIOI_AUTOTUNE_profile {
    atm_profile *profile;
    ADIOI_AUTOTUNE_answers *answers; /* it has given */
    int users;                       /* open files, and the cache */
    atm_seen seen;                   /* what was read */
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

static ADIOI_AUTOTUNE_profile *load(const atm_seen *seen, atm_message *message)
{
    ADIOI_AUTOTUNE_profile *loaded;
    atm_profile *profile;
    atm_status status = seen->path[0] != '\0' ? atm_profile_load(seen->path, message, &profile)
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
    loaded->seen = *seen;
    return loaded;
}

ADIOI_AUTOTUNE_profile *ADIOI_AUTOTUNE_profile_acquire(const char *path, atm_message *message)
{
    ADIOI_AUTOTUNE_profile *profile = atc_cache_get(&cache, MPI_COMM_SELF);
    atm_seen seen;

    if (!ADIOI_AUTOTUNE_find(path, ATM_PROFILE_FILE, &seen, message))
        return NULL;
    if (profile != NULL && atm_seen_again(&profile->seen, &seen)) {
        profile->users++;
        return profile;
    }
    profile = load(&seen, message);
    if (profile != NULL &&
        atc_cache_put(&cache, MPI_COMM_SELF, profile, MPI_COMM_NULL_COPY_FN, release) == ATC_OK)
        profile->users++;
    return profile;
}

const atm_profile *ADIOI_AUTOTUNE_profile_get(const ADIOI_AUTOTUNE_profile *profile,
                                              ADIOI_AUTOTUNE_answers **answers_p)
{
    *answers_p = profile->answers;
    return profile->profile;
}
