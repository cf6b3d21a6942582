#include "ad_autotune.h"

#include "atc.h"

static atc_cache cache = ATC_CACHE_INITIALIZER;

/* called when fd->comm is freed: at close, and when an open failed */
static int state_free(MPI_Comm comm, int keyval, void *state, void *extra)
{
    MPL_UNREFERENCED_ARG(comm);
    MPL_UNREFERENCED_ARG(keyval);
    MPL_UNREFERENCED_ARG(extra);
    ADIOI_Free(state);
    return MPI_SUCCESS;
}

void ADIOI_AUTOTUNE_state_create(ADIO_File fd)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_Calloc(1, sizeof(*state));

    if (atc_cache_put(&cache, fd->comm, state, MPI_COMM_NULL_COPY_FN, state_free) != ATC_OK)
        ADIOI_Free(state);
}

ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_of(ADIO_File fd)
{
    return atc_cache_get(&cache, fd->comm);
}
