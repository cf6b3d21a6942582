#include "ad_autotune_decide.h"

#include "ad_autotune_record.h"
#include "adioi.h"
#include "files/job.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

static atc_cache cache = ATC_CACHE_INITIALIZER;

void ADIOI_AUTOTUNE_advice_release(ADIOI_AUTOTUNE_advice *advice)
{
    if (advice == NULL || --advice->users > 0)
        return;
    atm_advice_destroy(advice->advice);
    ADIOI_Free(advice);
}

static int release(MPI_Comm comm, int keyval, void *value, void *extra)
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

static ADIOI_AUTOTUNE_advice *load(const atm_seen *seen, atm_message *message)
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
    advice = atc_cache_get(&cache, MPI_COMM_SELF);
    if (advice != NULL && atm_seen_again(&advice->seen, seen)) {
        advice->users++;
        return advice;
    }
    advice = load(seen, message);
    if (advice != NULL &&
        atc_cache_put(&cache, MPI_COMM_SELF, advice, MPI_COMM_NULL_COPY_FN, release) == ATC_OK)
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
