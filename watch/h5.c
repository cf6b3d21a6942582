/* Functions of HDF5, found once. */

#include "h5.h"

#include <string.h>

/* --- finding them */

static bool find(const char *name, void *place)
{
    atw_function *found = atw_find_any(name);

    memcpy(place, &found, sizeof(found));
    return found != NULL;
}

static bool find_class(const char *name, const int64_t **class_p)
{
    *class_p = atw_find_variable(name);
    return *class_p != NULL;
}

static bool fill(atw_h5 *h5)
{
    bool all = true;

#define REQUIRED(result, name, parameters) all = all && find(#name, &h5->name);
#define WISHED(result, name, parameters) find(#name, &h5->name);
    ATW_H5_EVERYWHERE(REQUIRED)
    if (!all)
        return false;
    ATW_H5_SOMEWHERE(WISHED)
    return h5->H5open() >= 0 && find_class("H5P_CLS_FILE_ACCESS_ID_g", &h5->file_access) &&
           find_class("H5P_CLS_FILE_CREATE_ID_g", &h5->file_creation) &&
           find_class("H5P_CLS_DATASET_CREATE_ID_g", &h5->set_creation);
}

/* Threads may do it at once: one of them is heard. */
const atw_h5 *atw_h5_functions(void)
{
    static _Atomic(atw_h5 *) known;
    static atomic_bool none;
    atw_h5 *h5 = atomic_load_explicit(&known, memory_order_acquire), *before = NULL;

    if (h5 != NULL || atomic_load(&none))
        return h5;
    h5 = atw_take(sizeof(*h5));
    if (h5 == NULL || !fill(h5)) {
        atomic_store(&none, true);
        return NULL;
    }
    return atomic_compare_exchange_strong(&known, &before, h5) ? h5 : before;
}

/* --- errors */

atw_h5_muted atw_h5_mute(const atw_h5 *h5)
{
    atw_h5_muted muted = {.newer = 1};

    h5->H5open(); /* a program may have closed it */
    if (h5->H5Eauto_is_v2 != NULL)
        h5->H5Eauto_is_v2(ATW_H5_DEFAULT, &muted.newer);
    if (muted.newer || h5->H5Eget_auto1 == NULL || h5->H5Eset_auto1 == NULL) {
        muted.newer = 1;
        h5->H5Eget_auto2(ATW_H5_DEFAULT, &muted.function, &muted.data);
        h5->H5Eset_auto2(ATW_H5_DEFAULT, NULL, NULL);
    } else {
        h5->H5Eget_auto1(&muted.function, &muted.data);
        h5->H5Eset_auto1(NULL, NULL);
    }
    return muted;
}

void atw_h5_unmute(const atw_h5 *h5, atw_h5_muted muted)
{
    if (muted.newer)
        h5->H5Eset_auto2(ATW_H5_DEFAULT, muted.function, muted.data);
    else
        h5->H5Eset_auto1(muted.function, muted.data);
}
