#include "ad_autotune_state.h"

#include "atc.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

static atc_cache cache = ATC_CACHE_INITIALIZER;

/* States of communicators that MPI, short of memory, gave no attribute, the last one
 * first.  Nobody learns when such a communicator is freed: they stay. */
static ADIOI_AUTOTUNE_state *unattached;

/* Bytes that the C library holds from earlier allocations and gives out again before it asks for
 * new pages; 0 where it does not tell. */
static uint64_t spare_memory(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    return mallinfo2().fordblks;
#else
    return 0;
#endif
}

ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_create(ADIO_File fd,
                                                  MPI_Comm_delete_attr_function *close)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_Calloc(1, sizeof(*state));
    int rank, ranks;

    MPI_Comm_size(fd->comm, &ranks);
    if (ranks > 1)
        state->spare = spare_memory(); /* before ADIO_Open allocates the buffer (ad_open.c:135) */
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
