#include "ad_autotune.h"

#include "atc.h"

static atc_cache cache = ATC_CACHE_INITIALIZER;

/* Called when fd->comm is freed, at close and when an open failed: the one
 * place that all ranks pass together after the last access. */
static int state_free(MPI_Comm comm, int keyval, void *value, void *extra)
{
    ADIOI_AUTOTUNE_state *state = value;

    (void) keyval, (void) extra;
    if (state->recorded)
        ADIOI_AUTOTUNE_record_write(comm, state);
    ADIOI_AUTOTUNE_record_end(state);
    if (state->filename != NULL)
        ADIOI_Free(state->filename);
    if (state->default_ranks != NULL)
        ADIOI_Free(state->default_ranks);
    ADIOI_AUTOTUNE_settings_destroy(state->settings);
    ADIOI_AUTOTUNE_profile_release(state->profile);
    atm_topology_destroy(state->topology);
    ADIOI_Free(state);
    return MPI_SUCCESS;
}

ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_create(ADIO_File fd)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_Calloc(1, sizeof(*state));

    if (atc_cache_put(&cache, fd->comm, state, MPI_COMM_NULL_COPY_FN, state_free) == ATC_OK)
        return state;
    ADIOI_Free(state);
    return NULL;
}

ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_of(ADIO_File fd)
{
    return atc_cache_get(&cache, fd->comm);
}
