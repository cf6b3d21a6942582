#include "ad_autotune_hints.h"

#include "ad_autotune_plan.h"
#include "adioi.h"
#include "atc.h"

/*
 * Most programs open files without hints, so that all settings come from the environment: what the
 * last such open has read there is kept until MPI_Finalize, in an attribute of MPI_COMM_SELF.
 * Called under ROMIO's lock.
 */
typedef struct known {
    ADIOI_AUTOTUNE_mode mode;
    ADIOI_AUTOTUNE_settings *settings;
} known;

static atc_cache cache = ATC_CACHE_INITIALIZER;

static int release(MPI_Comm comm, int keyval, void *value, void *extra)
{
    known *known = value;

    (void) comm, (void) keyval, (void) extra;
    ADIOI_AUTOTUNE_settings_destroy(known->settings);
    ADIOI_Free(known);
    return MPI_SUCCESS;
}

ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_variables_again(ADIOI_AUTOTUNE_mode *mode_p)
{
    static ADIOI_AUTOTUNE_variables last;
    known *known = atc_cache_get(&cache, MPI_COMM_SELF);

    if (!ADIOI_AUTOTUNE_variables_hold(&last) && known != NULL) {
        ADIOI_AUTOTUNE_settings_destroy(known->settings);
        known->settings = NULL;
    }
    if (known == NULL || known->settings == NULL)
        return NULL;
    *mode_p = known->mode;
    return ADIOI_AUTOTUNE_settings_copy(known->settings);
}

void ADIOI_AUTOTUNE_variables_keep(ADIOI_AUTOTUNE_mode mode,
                                   const ADIOI_AUTOTUNE_settings *settings)
{
    known *known = atc_cache_get(&cache, MPI_COMM_SELF);

    if (known == NULL) {
        known = ADIOI_Calloc(1, sizeof(*known));
        if (atc_cache_put(&cache, MPI_COMM_SELF, known, MPI_COMM_NULL_COPY_FN, release) != ATC_OK) {
            ADIOI_Free(known);
            return;
        }
    }
    ADIOI_AUTOTUNE_settings_destroy(known->settings);
    known->mode = mode;
    known->settings = ADIOI_AUTOTUNE_settings_copy(settings);
}
