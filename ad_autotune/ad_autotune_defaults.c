#include "ad_autotune_plan.h"

#include "ad_tuning.h"
#include "adioi.h"
#include "atc.h"

#ifdef ROMIO_GPFS
#include "../ad_gpfs/ad_gpfs_tuning.h"
#endif

#include <string.h>

/*
 * Where the user gives no hints, what a driver's SetInfo makes of them is the same at each open by
 * as many ranks: some twenty keys, each of which is looked for among those before it.  The last few
 * results are kept until MPI_Finalize, in an attribute of MPI_COMM_SELF, and copied.  Called under
 * ROMIO's lock.
 */
typedef struct defaults {
    const ADIOI_AUTOTUNE_wrapped *wrapped; /* NULL: not in use */
    ADIOI_AUTOTUNE_mode mode;
    int ranks;
    ADIOI_Hints hints; /* cb_config_list is ours */
    int direct_read, direct_write;
    MPI_Info info;              /* ours */
    ADIOI_AUTOTUNE_shown shown; /* in info */
    int opened;                 /* info is that of an open file */
} defaults;

enum { KEPT = 4 };

typedef struct all_defaults {
    defaults at[KEPT];
    int next; /* is replaced */
} all_defaults;

static atc_cache cache = ATC_CACHE_INITIALIZER;

static void clear(defaults *defaults)
{
    if (defaults->wrapped == NULL)
        return;
    ADIOI_Free(defaults->hints.cb_config_list);
    MPI_Info_free(&defaults->info);
    defaults->wrapped = NULL;
}

static int release(MPI_Comm comm, int keyval, void *value, void *extra)
{
    all_defaults *all = value;

    (void) comm, (void) keyval, (void) extra;
    for (int i = 0; i < KEPT; i++)
        clear(&all->at[i]);
    ADIOI_Free(all);
    return MPI_SUCCESS;
}

/* Lustre's driver exchanges messages in SetInfo, also with ranks whose users give hints. */
static int is_local(const ADIOI_AUTOTUNE_state *state)
{
    return state->wrapped->file_system != ADIO_LUSTRE || state->ranks == 1;
}

/* SetInfo looks for ROMIO's variables at each open; here, if there may be others than a second
 * ago. */
static void read_variables(void)
{
    static ADIOI_AUTOTUNE_variables last;

    if (ADIOI_AUTOTUNE_variables_hold(&last))
        return;
    ad_get_env_vars();
#ifdef ROMIO_GPFS
    ad_gpfs_get_env_vars();
#endif
}

static int copy(const defaults *from, ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    if (MPI_Info_dup(from->info, &fd->info) != MPI_SUCCESS) {
        fd->info = MPI_INFO_NULL;
        return 0;
    }
    read_variables();
    *fd->hints = from->hints;
    fd->hints->cb_config_list = ADIOI_Strdup(from->hints.cb_config_list);
    fd->direct_read = from->direct_read;
    fd->direct_write = from->direct_write;
    state->shown = from->shown;
    return 1;
}

static defaults *find(const ADIOI_AUTOTUNE_state *state)
{
    all_defaults *all = atc_cache_get(&cache, MPI_COMM_SELF);

    for (int i = 0; all != NULL && i < KEPT; i++)
        if (all->at[i].wrapped == state->wrapped && all->at[i].mode == state->mode &&
            all->at[i].ranks == state->ranks)
            return &all->at[i];
    return NULL;
}

int ADIOI_AUTOTUNE_defaults_copy(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    const defaults *kept = state->notes[0] == '\0' ? find(state) : NULL;

    return kept != NULL && copy(kept, fd, state);
}

void ADIOI_AUTOTUNE_defaults_keep(ADIO_File fd, const ADIOI_AUTOTUNE_state *state)
{
    all_defaults *all = atc_cache_get(&cache, MPI_COMM_SELF);
    defaults *to;
    MPI_Info info;

    if (!is_local(state) || state->notes[0] != '\0' || fd->hints->ranklist != NULL)
        return;
    if (all == NULL) {
        all = ADIOI_Calloc(1, sizeof(*all));
        if (atc_cache_put(&cache, MPI_COMM_SELF, all, MPI_COMM_NULL_COPY_FN, release) != ATC_OK) {
            ADIOI_Free(all);
            return;
        }
    }
    if (MPI_Info_dup(fd->info, &info) != MPI_SUCCESS)
        return;
    to = &all->at[all->next];
    all->next = (all->next + 1) % KEPT;
    clear(to);
    *to = (defaults){.wrapped = state->wrapped,
                     .mode = state->mode,
                     .ranks = state->ranks,
                     .hints = *fd->hints,
                     .direct_read = fd->direct_read,
                     .direct_write = fd->direct_write,
                     .info = info,
                     .shown = state->shown};
    to->hints.cb_config_list = ADIOI_Strdup(fd->hints->cb_config_list);
}

/* The next file is likely to show the same. */
void ADIOI_AUTOTUNE_defaults_opened(ADIO_File fd, const ADIOI_AUTOTUNE_state *state)
{
    defaults *kept = find(state);
    MPI_Info info;

    if (kept == NULL || kept->opened || fd->hints->cb_buffer_size != kept->hints.cb_buffer_size ||
        fd->hints->cb_read != kept->hints.cb_read || fd->hints->cb_write != kept->hints.cb_write ||
        MPI_Info_dup(fd->info, &info) != MPI_SUCCESS)
        return;
    MPI_Info_free(&kept->info);
    kept->info = info;
    kept->shown = state->shown;
    kept->opened = 1;
}
