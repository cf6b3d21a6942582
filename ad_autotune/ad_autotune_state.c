#include "ad_autotune_state.h"

#include "atc.h"

static atc_cache cache = ATC_CACHE_INITIALIZER;

/* States of communicators that MPI, short of memory, gave no attribute, the last one
 * first.  Nobody learns when such a communicator is freed: they stay. */
static ADIOI_AUTOTUNE_state *unattached;

ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_create(ADIO_File fd,
                                                  MPI_Comm_delete_attr_function *close)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_Calloc(1, sizeof(*state));
    int rank;

    MPI_Comm_rank(fd->comm, &rank);
    if (rank == 0) {
        state->root = ADIOI_Calloc(1, sizeof(*state->root));
        state->root->scale.communication = state->root->scale.storage = 1;
        state->root->descriptor = -1;
    }
    if (atc_cache_put(&cache, fd->comm, state, MPI_COMM_NULL_COPY_FN, close) != ATC_OK) {
        state->unattached = 1;
        state->comm = fd->comm;
        state->next = unattached;
        unattached = state;
    }
    return state;
}

ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_of(ADIO_File fd)
{
    ADIOI_AUTOTUNE_state *state = atc_cache_get(&cache, fd->comm);

    if (state == NULL)
        for (state = unattached; state != NULL && state->comm != fd->comm;)
            state = state->next;
    return state;
}

void ADIOI_AUTOTUNE_install_by_state(ADIO_File fd, const ADIOI_AUTOTUNE_state *state)
{
    int tuned = state->mode != ADIOI_AUTOTUNE_DISABLE && state->ranks > 1;

    ADIOI_AUTOTUNE_install(fd, state->wrapped,
                           state->recorded ? ADIOI_AUTOTUNE_RECORDED
                           : tuned         ? ADIOI_AUTOTUNE_TUNED
                                           : ADIOI_AUTOTUNE_PLAIN);
}
