#include "ad_autotune_decide.h"

#include "ad_autotune_record.h"
#include "adioi.h"
#include "atc.h"
#include "files/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- where they are */

atm_search_values ADIOI_AUTOTUNE_places(void)
{
    return (atm_search_values){.xdg_config = secure_getenv("XDG_CONFIG_HOME"),
                               .home = secure_getenv("HOME"),
                               .sysconfdir = ADIOI_AUTOTUNE_SYSCONFDIR};
}

static atm_search_values values_of(const atm_search_values *places, const char *hint,
                                   const char *file)
{
    atm_search_values values = *places;

    values.hint = hint; /* it stands for its variable as well: ad_autotune_settings.c */
    values.file = file;
    return values;
}

static int explain(atm_status status, const char *file, atm_message *message)
{
    message->text[0] = '\0';
    if (status == ATM_BAD_ARGUMENT)
        snprintf(message->text, sizeof(message->text), "the %.*s's path is too long",
                 (int) strcspn(file, "."), file);
    else if (status != ATM_OK)
        snprintf(message->text, sizeof(message->text), "%s", atm_status_text(status));
    return status == ATM_OK;
}

const atm_seen *ADIOI_AUTOTUNE_find(const atm_search_values *places, const char *hint,
                                    const char *file, atm_found *last, atm_message *message)
{
    const atm_search_values values = values_of(places, hint, file);
    atm_status status = atm_search_now(&values, MPI_Wtime(), last);

    return explain(status, file, message) ? &last->seen : NULL;
}

const atm_seen *ADIOI_AUTOTUNE_look(const char *path, atm_found *last)
{
    const atm_search_values values = {.hint = path};

    if (path == NULL && last->seen.path[0] == '\0')
        return &last->seen;
    if (path == NULL || atm_search_now(&values, MPI_Wtime(), last) != ATM_OK)
        memset(last, 0, sizeof(*last));
    return &last->seen;
}

int ADIOI_AUTOTUNE_profiles_hold(const atm_search_values *places, const char *hint,
                                 const atm_recent *recent)
{
    const atm_search_values values = values_of(places, hint, ATM_PROFILE_FILE);

    return atm_recent_holds(recent, &values, MPI_Wtime());
}

int ADIOI_AUTOTUNE_find_profiles(const atm_search_values *places, const char *hint,
                                 atm_installed **list_p, int *count_p, atm_recent *recent_p,
                                 atm_message *message)
{
    const atm_search_values values = values_of(places, hint, ATM_PROFILE_FILE);
    double now = MPI_Wtime();
    atm_status status = atm_installed_list(&values, list_p, count_p);

    if (status == ATM_OK)
        atm_recent_begin(recent_p, &values, now);
    return explain(status, ATM_PROFILE_FILE, message);
}

/* --- profiles */

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

static atc_cache profile_cache = ATC_CACHE_INITIALIZER;

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

static int release_profiles(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void) comm, (void) keyval, (void) extra;
    clear(value);
    ADIOI_Free(value);
    return MPI_SUCCESS;
}

static ADIOI_AUTOTUNE_profile *load_profile(const atm_seen *seen, atm_message *message)
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
static ADIOI_AUTOTUNE_profile *get_profile(const profiles *kept, const atm_seen *seen,
                                           atm_message *message)
{
    for (int i = 0; kept != NULL && i < kept->count; i++)
        if (atm_seen_again(&kept->at[i]->seen, seen)) {
            kept->at[i]->users++;
            return kept->at[i];
        }
    return load_profile(seen, message);
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
        all.at[all.count] = get_profile(kept, &all.list[all.count].seen, message);
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
    if (atc_cache_put(&profile_cache, MPI_COMM_SELF, kept, MPI_COMM_NULL_COPY_FN,
                      release_profiles) != ATC_OK)
        release_profiles(MPI_COMM_SELF, MPI_KEYVAL_INVALID, kept, NULL);
}

ADIOI_AUTOTUNE_profile *ADIOI_AUTOTUNE_profile_acquire(const atm_search_values *places,
                                                       const char *path, const atm_use *use,
                                                       atm_fit *fit_p, atm_message *message)
{
    profiles *kept = atc_cache_get(&profile_cache, MPI_COMM_SELF), now;
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

/* --- advice */

/*
 * Advice is read as profiles are: the last file is cached until MPI_Finalize, in an attribute of
 * MPI_COMM_SELF, and open files keep theirs.  Called under ROMIO's lock.
 */
struct ADIOI_AUTOTUNE_advice {
    atm_advice *advice;
    int users;     /* open files, and the cache */
    atm_seen seen; /* what was read */
    char program[sizeof(((atm_record *) 0)->program)];
    char user[sizeof(((atm_record *) 0)->user)];
    double draw; /* of this job */
};

static atc_cache advice_cache = ATC_CACHE_INITIALIZER;

void ADIOI_AUTOTUNE_advice_release(ADIOI_AUTOTUNE_advice *advice)
{
    if (advice == NULL || --advice->users > 0)
        return;
    atm_advice_destroy(advice->advice);
    ADIOI_Free(advice);
}

static int release_advice(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void) comm, (void) keyval, (void) extra;
    ADIOI_AUTOTUNE_advice_release(value);
    return MPI_SUCCESS;
}

/* From 0 to 1, the same in all processes of a job.  A process that no job is known of is
 * one, as in histories. */
static double draw_of_job(void)
{
    char job[320] = "";

    snprintf(job, sizeof(job), "%s", atm_job_id());
    if (job[0] == '\0') {
        gethostname(job, 256);
        job[255] = '\0';
        snprintf(job + strlen(job), 32, ":%ld", (long) getpid());
    }
    return atm_advice_draw(job);
}

static ADIOI_AUTOTUNE_advice *load_advice(const atm_seen *seen, atm_message *message)
{
    ADIOI_AUTOTUNE_advice *loaded;
    atm_advice *advice;
    atm_status status = atm_advice_load(seen->path, message, &advice);

    if (status != ATM_OK) {
        if (message->text[0] == '\0')
            snprintf(message->text, sizeof(message->text), "%s", atm_status_text(status));
        return NULL;
    }
    loaded = ADIOI_Calloc(1, sizeof(*loaded));
    loaded->advice = advice;
    loaded->users = 1;
    loaded->seen = *seen;
    loaded->draw = draw_of_job();
    ADIOI_AUTOTUNE_who(sizeof(loaded->program), loaded->program, sizeof(loaded->user),
                       loaded->user);
    return loaded;
}

ADIOI_AUTOTUNE_advice *ADIOI_AUTOTUNE_advice_acquire(const atm_search_values *places,
                                                     const char *hint, atm_message *message)
{
    static atm_found last;
    const atm_seen *seen = ADIOI_AUTOTUNE_find(places, hint, ATM_ADVICE_FILE, &last, message);
    ADIOI_AUTOTUNE_advice *advice;

    if (seen == NULL || seen->path[0] == '\0')
        return NULL;
    advice = atc_cache_get(&advice_cache, MPI_COMM_SELF);
    if (advice != NULL && atm_seen_again(&advice->seen, seen)) {
        advice->users++;
        return advice;
    }
    advice = load_advice(seen, message);
    if (advice != NULL && atc_cache_put(&advice_cache, MPI_COMM_SELF, advice, MPI_COMM_NULL_COPY_FN,
                                        release_advice) == ATC_OK)
        advice->users++;
    return advice;
}

/* --- which rule holds */

/* Names are those of records, which it was learned from. */
static atm_occasion occasion_of(const ADIOI_AUTOTUNE_root *root)
{
    return (atm_occasion){.program = root->advice->program,
                          .user = root->advice->user,
                          .file = root->filename,
                          .draw = root->advice->draw};
}

const atm_advice *ADIOI_AUTOTUNE_advice_get(const ADIOI_AUTOTUNE_root *root,
                                            atm_occasion *occasion_p)
{
    if (root->advice == NULL)
        return NULL;
    *occasion_p = occasion_of(root);
    return root->advice->advice;
}
