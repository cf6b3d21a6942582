#include "ad_autotune.h"

#include "atc.h"

static atc_cache cache = ATC_CACHE_INITIALIZER;

static void root_free(ADIOI_AUTOTUNE_root *root)
{
    if (root == NULL)
        return;
    if (root->filename != NULL)
        ADIOI_Free(root->filename);
    if (root->default_ranks != NULL)
        ADIOI_Free(root->default_ranks);
    ADIOI_AUTOTUNE_settings_destroy(root->settings);
    ADIOI_AUTOTUNE_profile_release(root->profile);
    ADIOI_AUTOTUNE_job_release(root->job);
    ADIOI_Free(root);
}

/* Called when fd->comm is freed, at close and when an open failed: the one
 * place that all ranks pass together after the last access. */
static int state_free(MPI_Comm comm, int keyval, void *value, void *extra)
{
    ADIOI_AUTOTUNE_state *state = value;

    (void) keyval, (void) extra;
    if (state->root != NULL)
        ADIOI_AUTOTUNE_late_end(state);
    if (state->recorded)
        ADIOI_AUTOTUNE_record_write(comm, state);
    ADIOI_AUTOTUNE_record_end(state);
    root_free(state->root);
    ADIOI_Free(state);
    return MPI_SUCCESS;
}

ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_create(ADIO_File fd)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_Calloc(1, sizeof(*state));
    int rank;

    MPI_Comm_rank(fd->comm, &rank);
    if (rank == 0) {
        state->root = ADIOI_Calloc(1, sizeof(*state->root));
        state->root->scale.communication = state->root->scale.storage = 1;
        state->root->descriptor = -1;
    }
    if (atc_cache_put(&cache, fd->comm, state, MPI_COMM_NULL_COPY_FN, state_free) == ATC_OK)
        return state;
    root_free(state->root);
    ADIOI_Free(state);
    return NULL;
}

ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_of(ADIO_File fd)
{
    return atc_cache_get(&cache, fd->comm);
}
