#include "ad_autotune_apply.h"

#include "ad_autotune_plan.h"
#include "ad_autotune_report.h"
#include "adioi.h"
#include "atc.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- files on new aggregators */

/* As in ADIOI_GEN_OpenColl (ad_opencoll.c:144), writing needs read access as
 * well; as in ADIO_ImmediateOpen, no other rank takes part.  The file pointer is
 * kept. */
void ADIOI_AUTOTUNE_open_existing(ADIO_File fd, int *error_code)
{
    int access_mode = fd->access_mode;
    ADIO_Offset fp_ind = fd->fp_ind;
    MPI_Comm comm = fd->comm;

    fd->comm = MPI_COMM_SELF;
    fd->access_mode &= ~(ADIO_CREATE | ADIO_EXCL);
    if (fd->access_mode & ADIO_WRONLY)
        fd->access_mode ^= ADIO_WRONLY | ADIO_RDWR;
    fd->fns->ADIOI_xxx_Open(fd, error_code);
    if (*error_code != MPI_SUCCESS && (access_mode & ADIO_WRONLY)) {
        fd->access_mode ^= ADIO_WRONLY | ADIO_RDWR;
        fd->fns->ADIOI_xxx_Open(fd, error_code);
    }
    fd->access_mode = access_mode;
    fd->fp_ind = fp_ind;
    fd->comm = comm;
}

/* A rank that has opened a file of writes by itself (ad_iopen.c:8) cannot read it;
 * an aggregator that cannot read what is between the data leaves the others waiting for its own
 * (ad_write_coll.c:635).  The descriptor keeps its number, which operations that are under way
 * have. */
void ADIOI_AUTOTUNE_open_for_reading(ADIO_File fd)
{
    int kept = fd->fd_sys, direct = fd->fd_direct, error;

    if (!(fd->access_mode & ADIO_WRONLY) || (fcntl(kept, F_GETFL) & O_ACCMODE) != O_WRONLY)
        return;
    ADIOI_AUTOTUNE_open_existing(fd, &error);
    if (error == MPI_SUCCESS) {
        dup2(fd->fd_sys, kept);
        close(fd->fd_sys);
        if (fd->fd_direct >= 0 && fd->fd_direct != direct)
            close(fd->fd_direct);
    }
    fd->fd_sys = kept;
    fd->fd_direct = direct;
}

/*
 * ROMIO's Lustre driver divides by the stripe size and count it finds at open;
 * with a file that has no layout (not on Lustre, or hints that Lustre refused)
 * the program would crash or hang in the first collective write.  Such a file
 * is given to the UFS driver instead.
 */
void ADIOI_AUTOTUNE_leave_lustre(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code)
{
    static const char no_layout[] = "the file has no Lustre layout; ufs is used";
    const ADIOI_AUTOTUNE_wrapped *ufs = ADIOI_AUTOTUNE_wrapped_at(0);
    ADIO_Offset end = fd->fp_ind;

    if (fd->is_open)
        fd->fns->ADIOI_xxx_Close(fd, error_code);
    ADIOI_AUTOTUNE_install(fd, ufs, ADIOI_AUTOTUNE_PLAIN);
    if (fd->is_open)
        ADIOI_AUTOTUNE_open_existing(fd, error_code);
    fd->fp_ind = end;
    state->wrapped = ufs;
    if (state->root != NULL)
        snprintf(state->root->failure.text, sizeof(state->root->failure.text), "%s", no_layout);
    ADIOI_AUTOTUNE_report_default(fd, no_layout);
    ADIOI_Info_set(fd->info, "romio_autotune_wrapped", ufs->name);
    ADIOI_Info_set(fd->info, "romio_filesystem_type", fd->fns->fsname);
}

/* --- the list of aggregators */

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
