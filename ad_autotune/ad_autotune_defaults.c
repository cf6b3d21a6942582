#include "ad_autotune_plan.h"

#include "../ad_gpfs/ad_gpfs_tuning.h"
#include "ad_tuning.h"
#include "adio_cb_config_list.h"
#include "adio_extern.h"
#include "adioi.h"
#include "atc.h"

#include <string.h>

/* --- the list of aggregators without us */

/*
 * ADIO_Open broadcasts the default list of aggregators, in two messages, before the
 * file is open; a decision broadcasts another one just after.  Where ranks can tell
 * without a message that the first list will not be used, ADIO_Open finds a list
 * already (ad_open.c:154): rank 0, which is the first of the default list, too, and
 * creates the file.  Rank 0 makes the default list when it decides.
 */

ADIO_cb_name_array ADIOI_AUTOTUNE_list_names(ADIO_File fd)
{
    ADIO_cb_name_array array = NULL;
    int found = 0;

    if (ADIOI_cb_config_list_keyval != MPI_KEYVAL_INVALID)
        MPI_Comm_get_attr(fd->comm, ADIOI_cb_config_list_keyval, &array, &found);
    return found ? array : NULL;
}

/* All conditions hold on all ranks or on none. */
static int can_wait(ADIO_File fd, const ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_Hints *hints = fd->hints;

    return state->mode != ADIOI_AUTOTUNE_DISABLE && state->ranks > 1 && hints->ranklist == NULL &&
           !hints->deferred_open && hints->cb_config_list != NULL &&
           strcmp(hints->cb_config_list, ADIOI_CB_CONFIG_LIST_DFLT) == 0 &&
           ADIOI_AUTOTUNE_list_names(fd) != NULL;
}

void ADIOI_AUTOTUNE_list_postpone(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    ADIOI_Hints *hints = fd->hints;

    if (!can_wait(fd, state)) {
        state->shown.nodes = 0; /* ADIO_Open reports its own */
        return;
    }
    state->postponed = hints->cb_nodes;
    hints->ranklist = ADIOI_Calloc(1, sizeof(int));
    hints->cb_nodes = 1;
}

/* The first rank of each node, which is what "*:1" stands for.  ROMIO compares the name
 * of each node with those of all ranks (cb_config_list.c:462). */
static int first_ranks(const atm_topology *topology, int wanted, int **ranks_p)
{
    int most = wanted < topology->nodes ? wanted : topology->nodes, count = 0;
    int *ranks = ADIOI_Malloc((size_t) most * sizeof(int));

    for (int rank = 0; rank < topology->ranks && count < most; rank++)
        if (topology->node_of[rank] == count)
            ranks[count++] = rank;
    *ranks_p = ranks;
    return count;
}

int ADIOI_AUTOTUNE_list_default(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, int **ranks_p)
{
    int count = state->postponed > 0 ? state->postponed : fd->hints->cb_nodes;

    if (state->postponed > 0 && state->root->topology != NULL)
        return first_ranks(state->root->topology, count, ranks_p);
    *ranks_p = ADIOI_Malloc((size_t) count * sizeof(int));
    if (state->postponed > 0)
        return ADIOI_cb_config_list_parse(fd->hints->cb_config_list, ADIOI_AUTOTUNE_list_names(fd),
                                          *ranks_p, count);
    memcpy(*ranks_p, fd->hints->ranklist, (size_t) count * sizeof(int));
    return count;
}

/* --- hints without the user's */

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
