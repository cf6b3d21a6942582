#include "ad_autotune_decide.h"

#include "atc.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Reading a profile takes longer than an open should, so those of the last search are
 * cached until MPI_Finalize, in an attribute of MPI_COMM_SELF.  Open files that use
 * another profile keep it until they are closed.  Called under ROMIO's lock.
 */
struct ADIOI_AUTOTUNE_profile {
    atm_profile *profile;
    atm_answers *answers; /* it has given */
    int users;            /* open files, and the cache */
    atm_seen seen;        /* what was read */
    ADIOI_AUTOTUNE_told told;
};

typedef struct profiles {
    int count;
    ADIOI_AUTOTUNE_profile **at; /* ours, as the next */
    atm_installed *list;         /* as the search found them */
    atm_recent recent;           /* the search */
} profiles;

static atc_cache cache = ATC_CACHE_INITIALIZER;

void ADIOI_AUTOTUNE_profile_release(ADIOI_AUTOTUNE_profile *profile)
{
    if (profile == NULL || --profile->users > 0)
        return;
    atm_answers_destroy(profile->answers);
    free(profile->told.path);
    atm_profile_destroy(profile->profile);
    ADIOI_Free(profile);
}

static void clear(profiles *profiles)
{
    for (int i = 0; i < profiles->count; i++)
        ADIOI_AUTOTUNE_profile_release(profiles->at[i]);
    if (profiles->at != NULL)
        ADIOI_Free(profiles->at);
    free(profiles->list);
}

static int release(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void) comm, (void) keyval, (void) extra;
    clear(value);
    ADIOI_Free(value);
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
    loaded->answers = atm_answers_create();
    loaded->users = 1;
    loaded->seen = *seen;
    return loaded;
}

/* One that has been read before, or is now; for one more user. */
static ADIOI_AUTOTUNE_profile *get(const profiles *kept, const atm_seen *seen, atm_message *message)
{
    for (int i = 0; kept != NULL && i < kept->count; i++)
        if (atm_seen_again(&kept->at[i]->seen, seen)) {
            kept->at[i]->users++;
            return kept->at[i];
        }
    return load(seen, message);
}

/* All that there are, or none and a message. */
static int search(const atm_search_values *places, const char *path, const profiles *kept,
                  atm_message *message, profiles *profiles_p)
{
    profiles all = {.count = 0};
    int count;

    if (!ADIOI_AUTOTUNE_find_profiles(places, path, &all.list, &count, &all.recent, message))
        return 0;
    all.at = ADIOI_Malloc((size_t) count * sizeof(*all.at));
    while (all.count < count) {
        all.at[all.count] = get(kept, &all.list[all.count].seen, message);
        if (all.at[all.count] == NULL) {
            clear(&all);
            return 0;
        }
        all.count++;
    }
    *profiles_p = all;
    return 1;
}

static ADIOI_AUTOTUNE_profile *best_of(const profiles *profiles, const atm_use *use, atm_fit *fit_p)
{
    const atm_profile **at = ADIOI_Malloc((size_t) profiles->count * sizeof(*at));
    ADIOI_AUTOTUNE_profile *best;

    for (int i = 0; i < profiles->count; i++)
        at[i] = profiles->at[i]->profile;
    best = profiles->at[atm_installed_best(profiles->list, at, profiles->count, use, fit_p)];
    ADIOI_Free(at);
    best->users++;
    return best;
}

/* In place of those of the last search; takes them over. */
static void keep(profiles *kept, const profiles *now)
{
    if (kept != NULL) {
        clear(kept);
        *kept = *now;
        return;
    }
    kept = ADIOI_Malloc(sizeof(*kept));
    *kept = *now;
    if (atc_cache_put(&cache, MPI_COMM_SELF, kept, MPI_COMM_NULL_COPY_FN, release) != ATC_OK)
        release(MPI_COMM_SELF, MPI_KEYVAL_INVALID, kept, NULL);
}

ADIOI_AUTOTUNE_profile *ADIOI_AUTOTUNE_profile_acquire(const atm_search_values *places,
                                                       const char *path, const atm_use *use,
                                                       atm_fit *fit_p, atm_message *message)
{
    profiles *kept = atc_cache_get(&cache, MPI_COMM_SELF), now;
    ADIOI_AUTOTUNE_profile *best;

    if (kept != NULL && ADIOI_AUTOTUNE_profiles_hold(places, path, &kept->recent))
        return best_of(kept, use, fit_p);
    if (!search(places, path, kept, message, &now))
        return NULL;
    best = best_of(&now, use, fit_p);
    keep(kept, &now);
    return best;
}

const atm_profile *ADIOI_AUTOTUNE_profile_get(ADIOI_AUTOTUNE_profile *profile,
                                              atm_answers **answers_p, ADIOI_AUTOTUNE_told **told_p)
{
    *answers_p = profile->answers;
    *told_p = &profile->told;
    return profile->profile;
}
