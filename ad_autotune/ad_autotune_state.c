#include "ad_autotune_state.h"

#include "atc.h"

#include <string.h>

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

/* Most programs have few files open at a time: their states need no allocation, which for this size
 * is a noticeable part of an open.  Used under ROMIO's lock. */
enum { FEW = 4 };

typedef struct room {
    ADIOI_AUTOTUNE_state state; /* first: a state is where its room is */
    ADIOI_AUTOTUNE_root root;
    int taken, allocated;
} room;

static room rooms[FEW];

static room *take_room(void)
{
    room *room;

    for (int i = 0; i < FEW; i++)
        if (!rooms[i].taken) {
            rooms[i].taken = 1;
            return &rooms[i];
        }
    room = ADIOI_Malloc(sizeof(*room));
    room->allocated = 1;
    return room;
}

static ADIOI_AUTOTUNE_state *allocate(int with_root)
{
    room *room = take_room();

    memset(&room->state, 0, sizeof(room->state));
    if (with_root) {
        memset(&room->root, 0, sizeof(room->root));
        room->state.root = &room->root;
    }
    return &room->state;
}

void ADIOI_AUTOTUNE_state_free(ADIOI_AUTOTUNE_state *state)
{
    room *room = (struct room *) state;

    if (room->allocated)
        ADIOI_Free(room);
    else
        room->taken = 0;
}

ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_create(ADIO_File fd,
                                                  MPI_Comm_delete_attr_function *close)
{
    ADIOI_AUTOTUNE_state *state;
    int rank;

    MPI_Comm_rank(fd->comm, &rank);
    state = allocate(rank == 0);
    MPI_Comm_size(fd->comm, &state->ranks);
    if (state->ranks > 1)
        state->spare = spare_memory(); /* before ADIO_Open allocates the buffer (ad_open.c:135) */
    if (rank == 0) {
        for (int i = 0; i < ATM_KIND_COUNT; i++)
            state->root->scale.factor[i] = 1;
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
