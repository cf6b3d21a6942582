#include "atc.h"

#include <stddef.h>

/* The number stays valid as long as a value is attached: programs (HDF5 among them)
 * use their files in callbacks of MPI_Finalize that come after ours. */
static int forget_keyval(atc_cache *cache)
{
    return cache->ended && cache->values == 0 ? MPI_Comm_free_keyval(&cache->keyval) : MPI_SUCCESS;
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF before everything else, the
 * last one first. */
static int end(MPI_Comm self, int keyval, void *cache, void *extra)
{
    (void) self, (void) keyval, (void) extra;
    ((atc_cache *) cache)->ended = 1;
    return forget_keyval(cache);
}

static int copy_value(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *flag)
{
    atc_cache *cache = extra;
    int rc = MPI_SUCCESS;

    *flag = 0;
    if (cache->copy != MPI_COMM_NULL_COPY_FN)
        rc = cache->copy(comm, keyval, NULL, value, copy, flag);
    cache->values += rc == MPI_SUCCESS && *flag;
    return rc;
}

static int release_value(MPI_Comm comm, int keyval, void *value, void *extra)
{
    atc_cache *cache = extra;
    int rc = cache->release(comm, keyval, value, NULL);

    cache->values--;
    forget_keyval(cache);
    return rc;
}

static atc_status create_keyval(atc_cache *cache)
{
    int at_finalize, rc;

    if (MPI_Comm_create_keyval(copy_value, release_value, &cache->keyval, cache) != MPI_SUCCESS)
        return ATC_MPI_FAILED;
    rc = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &at_finalize, NULL);
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

    if (cache->keyval == MPI_KEYVAL_INVALID) {
        *cache = (atc_cache) ATC_CACHE_INITIALIZER;
        cache->copy = copy;
        cache->release = release;
        status = create_keyval(cache);
        if (status != ATC_OK)
            return status;
    }
    /* counted first: an earlier value of comm is released in the call */
    cache->values++;
    if (MPI_Comm_set_attr(comm, cache->keyval, value) == MPI_SUCCESS)
        return ATC_OK;
    cache->values--;
    return ATC_MPI_FAILED;
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
