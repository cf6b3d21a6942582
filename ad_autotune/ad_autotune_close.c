#include "ad_autotune.h"

#include "ad_autotune_decide.h"
#include "ad_autotune_hints.h"
#include "ad_autotune_late.h"
#include "ad_autotune_record.h"
#include "ad_autotune_state.h"

static void root_clear(ADIOI_AUTOTUNE_root *root)
{
    if (root == NULL)
        return;
    if (root->filename != NULL)
        ADIOI_Free(root->filename);
    if (root->default_ranks != NULL)
        ADIOI_Free(root->default_ranks);
    free(root->targets);
    ADIOI_AUTOTUNE_settings_destroy(root->settings);
    ADIOI_AUTOTUNE_advice_release(root->advice);
    ADIOI_AUTOTUNE_profile_release(root->profile_entry);
    ADIOI_AUTOTUNE_job_release(root->job_entry);
}

/* Called when fd->comm is freed, at close and when an open failed: the one
 * place that all ranks pass together after the last access. */
int ADIOI_AUTOTUNE_close(MPI_Comm comm, int keyval, void *value, void *extra)
{
    ADIOI_AUTOTUNE_state *state = value;

    (void) keyval, (void) extra;
    if (state->root != NULL) {
        ADIOI_AUTOTUNE_late_end(state);
        ADIOI_AUTOTUNE_kind_remember(state);
    }
    if (state->judged)
        ADIOI_AUTOTUNE_trust_end(comm, state);
    if (state->recorded)
        ADIOI_AUTOTUNE_record_write(comm, state);
    ADIOI_AUTOTUNE_record_end(state);
    root_clear(state->root);
    ADIOI_AUTOTUNE_state_free(state);
    return MPI_SUCCESS;
}
