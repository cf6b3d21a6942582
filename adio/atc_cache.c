#include "atc.h"

#include <stddef.h>

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF before all else. */
static int forget_keyval(MPI_Comm self, int keyval, void *cache, void *extra)
{
    (void) self, (void) keyval, (void) extra;
    return MPI_Comm_free_keyval(&((atc_cache *) cache)->keyval);
}

static atc_status create_keyval(atc_cache *cache, MPI_Comm_copy_attr_function *copy,
                                MPI_Comm_delete_attr_function *release)
{
    int at_finalize, rc;

    if (MPI_Comm_create_keyval(copy, release, &cache->keyval, NULL) != MPI_SUCCESS)
        return ATC_MPI_FAILED;
    rc = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_keyval, &at_finalize, NULL);
    if (rc == MPI_SUCCESS) {
        rc = MPI_Comm_set_attr(MPI_COMM_SELF, at_finalize, cache);
        /* the attribute keeps it alive */
        MPI_Comm_free_keyval(&at_finalize);
    }
    if (rc != MPI_SUCCESS) {
        MPI_Comm_free_keyval(&cache->keyval);
        return ATC_MPI_FAILED;
    }
    return ATC_OK;
}

atc_status atc_cache_put(atc_cache *cache, MPI_Comm comm, void *value,
                         MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *release)
{
    atc_status status;

    if (cache->keyval == MPI_KEYVAL_INVALID &&
        (status = create_keyval(cache, copy, release)) != ATC_OK)
        return status;
    return MPI_Comm_set_attr(comm, cache->keyval, value) == MPI_SUCCESS ? ATC_OK : ATC_MPI_FAILED;
}

void *atc_cache_get(const atc_cache *cache, MPI_Comm comm)
{
    void *value;
    int found;

    if (cache->keyval == MPI_KEYVAL_INVALID ||
        MPI_Comm_get_attr(comm, cache->keyval, &value, &found) != MPI_SUCCESS || !found)
        return NULL;
    return value;
}
