#include "ad_autotune_plan.h"

#include "adio_cb_config_list.h"
#include "adio_extern.h"
#include "adioi.h"

#include <string.h>

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
