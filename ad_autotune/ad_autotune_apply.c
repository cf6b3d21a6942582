#include "ad_autotune_apply.h"

#include "ad_autotune_plan.h"
#include "adioi.h"
#include "atc.h"

#include <stdio.h>
#include <string.h>

static int is_shown(const ADIOI_AUTOTUNE_shown *shown, const ADIOI_Hints *hints)
{
    return shown->nodes == hints->cb_nodes &&
           memcmp(shown->ranks, hints->ranklist, (size_t) shown->nodes * sizeof(int)) == 0;
}

static void remember_list(const ADIOI_Hints *hints, ADIOI_AUTOTUNE_shown *shown)
{
    shown->nodes = hints->cb_nodes <= ADIOI_AUTOTUNE_LIST ? hints->cb_nodes : 0;
    memcpy(shown->ranks, hints->ranklist, (size_t) shown->nodes * sizeof(int));
}

/* As ADIOI_cb_bcast_rank_map reports it, truncated at the same length. */
static void report_list(ADIO_File fd)
{
    char text[MPI_MAX_INFO_VAL + 1];
    int used = 0;

    text[0] = '\0';
    ADIOI_AUTOTUNE_set_number(fd, "cb_nodes", fd->hints->cb_nodes);
    for (int i = 0; i < fd->hints->cb_nodes; i++) {
        int room = MPI_MAX_INFO_VAL - used;
        int wanted = snprintf(text + used, (size_t) room, "%d ", fd->hints->ranklist[i]);

        if (wanted >= room)
            break;
        used += wanted;
    }
    ADIOI_Info_set(fd->info, "romio_aggregator_list", text);
}

/* -1: none; as my_cb_nodes_index of ADIO_Open's is_aggregator. */
static int index_of(int rank, const int *ranks, int count)
{
    for (int i = 0; i < count; i++)
        if (ranks[i] == rank)
            return i;
    return -1;
}

static void set_list(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *ranks, int count)
{
    int rank;

    if (state->postponed == 0 && count == fd->hints->cb_nodes &&
        memcmp(ranks, fd->hints->ranklist, (size_t) count * sizeof(int)) == 0) {
        ADIOI_Free(ranks);
        remember_list(fd->hints, &state->shown); /* as ROMIO has reported it, or we */
        return;
    }
    MPI_Comm_rank(fd->comm, &rank);
    ADIOI_Free(fd->hints->ranklist);
    fd->hints->ranklist = ranks;
    fd->hints->cb_nodes = count;
    fd->my_cb_nodes_index = index_of(rank, ranks, count);
    fd->is_agg = fd->my_cb_nodes_index >= 0;
    state->postponed = 0;
    if (is_shown(&state->shown, fd->hints))
        return;
    report_list(fd);
    remember_list(fd->hints, &state->shown);
}

/* --- all of them */

/* With deferred open only aggregators have the file open, and who has accessed it alone; new
 * aggregators open it first, and if one cannot, nothing changes on any rank. */
static int open_on_aggregators(ADIO_File fd, const int *ranks, int count)
{
    int rank, error = MPI_SUCCESS, aggregates, opens;

    if (!fd->hints->deferred_open)
        return 1;
    MPI_Comm_rank(fd->comm, &rank);
    aggregates = index_of(rank, ranks, count) >= 0;
    opens = aggregates && !fd->is_open;
    if (opens) {
        ADIOI_AUTOTUNE_open_existing(fd, &error);
        fd->is_open = error == MPI_SUCCESS;
    } else if (aggregates) {
        ADIOI_AUTOTUNE_open_for_reading(fd);
    }
    if (atc_agree(fd->comm, error == MPI_SUCCESS ? ATC_OK : ATC_MPI_FAILED) == ATC_OK)
        return 1;
    if (opens && fd->is_open) {
        fd->fns->ADIOI_xxx_Close(fd, &error);
        fd->is_open = 0;
    }
    return 0;
}

int ADIOI_AUTOTUNE_apply(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                         const ADIOI_AUTOTUNE_decision *decision, int *ranks)
{
    const ADIOI_AUTOTUNE_plan *plan = &decision->plan;

    if (!open_on_aggregators(fd, ranks, plan->cb_nodes)) {
        ADIOI_Free(ranks);
        return 0;
    }
    set_list(fd, state, ranks, plan->cb_nodes);
    ADIOI_AUTOTUNE_plan_set(fd, plan);
    ADIOI_AUTOTUNE_fit_buffer(fd, state);
    return 1;
}
