#include "ad_autotune_decide.h"

#include "adioi.h"

/*
 * What this process, as rank 0 of files, had written to each file system, and when: caches
 * may still hold it.  A process uses few of them; of more, the one that was used least
 * recently is forgotten, which counts as drained.
 */
enum { STORES = 8 };

typedef struct store {
    dev_t device;
    double bytes, drain; /* that leave the caches in a second; 0: not in use */
    double at;           /* MPI_Wtime */
} store;

static store stores[STORES];

/* NULL: nothing is known of it. */
static store *find(dev_t device)
{
    for (int i = 0; i < STORES; i++)
        if (stores[i].drain > 0 && stores[i].device == device)
            return &stores[i];
    return NULL;
}

static store *find_or_replace(dev_t device)
{
    store *found = find(device);

    if (found != NULL)
        return found;
    found = &stores[0];
    for (int i = 1; i < STORES; i++)
        if (stores[i].at < found->at)
            found = &stores[i];
    *found = (store){.device = device};
    return found;
}

static double left(const store *store, double now)
{
    double bytes = store->bytes - store->drain * (now - store->at);

    return bytes > 0 ? bytes : 0;
}

double ADIOI_AUTOTUNE_dirty(const ADIOI_AUTOTUNE_root *root)
{
    const store *store = find(root->device);

    return store != NULL ? left(store, MPI_Wtime()) : 0;
}

int ADIOI_AUTOTUNE_dirty_known(void)
{
    for (int i = 0; i < STORES; i++)
        if (stores[i].drain > 0)
            return 1;
    return 0;
}

void ADIOI_AUTOTUNE_dirty_add(const ADIOI_AUTOTUNE_state *state, double own_bytes)
{
    const ADIOI_AUTOTUNE_decision *decision = &state->decision;
    double now = MPI_Wtime();
    store *store;

    if (state->root == NULL || !decision->access.write || decision->drain <= 0)
        return;
    store = find_or_replace(state->root->device);
    store->bytes = left(store, now) + ADIOI_AUTOTUNE_moved(state, own_bytes);
    if (store->bytes > decision->capacity)
        store->bytes = decision->capacity;
    store->drain = decision->drain;
    store->at = now;
}
