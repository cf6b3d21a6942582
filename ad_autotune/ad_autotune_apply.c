#include "ad_autotune.h"

#include "ad_tuning.h"
#include "adioi.h"

#include <stdio.h>
#include <string.h>

ADIOI_AUTOTUNE_plan ADIOI_AUTOTUNE_plan_of(ADIO_File fd)
{
    const ADIOI_Hints *hints = fd->hints;
    ADIOI_AUTOTUNE_plan plan = {.cb_nodes = hints->cb_nodes,
                                .cb_buffer_size = hints->cb_buffer_size,
                                .cb_read = hints->cb_read,
                                .cb_write = hints->cb_write};

    if (fd->file_system == ADIO_LUSTRE) /* fs_hints is a union */
        plan.co_ratio = hints->fs_hints.lustre.co_ratio;
    return plan;
}

const char *ADIOI_AUTOTUNE_held(ADIO_File fd, const ADIOI_AUTOTUNE_state *state)
{
    /* which holds fd->io_buf until it completes, and no slot reports that */
    if (state->nonblocking)
        return "a nonblocking collective operation may be under way";
    if (fd->hints->cb_pfr == ADIOI_HINT_ENABLE && fd->file_realm_st_offs != NULL)
        return "file realms are persistent";
    if (fd->io_buf_window != MPI_WIN_NULL)
        return "the buffer is in a one-sided window";
    return NULL;
}

/* --- the fields, on every rank alike */

static void set_number(ADIO_File fd, const char *key, int number)
{
    char text[32];

    snprintf(text, sizeof(text), "%d", number);
    ADIOI_Info_set(fd->info, key, text);
}

const char *ADIOI_AUTOTUNE_switch_name(int hint)
{
    return hint == ADIOI_HINT_ENABLE    ? "enable"
           : hint == ADIOI_HINT_DISABLE ? "disable"
                                        : "automatic";
}

void ADIOI_AUTOTUNE_set_switch(ADIO_File fd, const char *key, int *hint, int value)
{
    if (*hint == value)
        return;
    *hint = value;
    ADIOI_Info_set(fd->info, key, ADIOI_AUTOTUNE_switch_name(value));
}

/* As ADIOI_cb_bcast_rank_map reports it, cut at the same length. */
static void report_list(ADIO_File fd)
{
    char text[MPI_MAX_INFO_VAL + 1] = "";
    int used = 0;

    set_number(fd, "cb_nodes", fd->hints->cb_nodes);
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

static void set_list(ADIO_File fd, int *ranks, int count)
{
    int rank;

    if (count == fd->hints->cb_nodes &&
        memcmp(ranks, fd->hints->ranklist, (size_t) count * sizeof(int)) == 0) {
        ADIOI_Free(ranks);
        return;
    }
    MPI_Comm_rank(fd->comm, &rank);
    ADIOI_Free(fd->hints->ranklist);
    fd->hints->ranklist = ranks;
    fd->hints->cb_nodes = count;
    fd->my_cb_nodes_index = index_of(rank, ranks, count);
    fd->is_agg = fd->my_cb_nodes_index >= 0;
    report_list(fd);
}

/* Collective writes read the size from the info, reads from the hints
 * (ad_write_coll.c:299, ad_read_coll.c:516). */
static void set_buffer_size(ADIO_File fd, int size)
{
    if (size == fd->hints->cb_buffer_size)
        return;
    fd->hints->cb_buffer_size = size;
    set_number(fd, "cb_buffer_size", size);
}

static void set_co_ratio(ADIO_File fd, int co_ratio)
{
    if (fd->file_system != ADIO_LUSTRE || co_ratio <= 0 ||
        fd->hints->fs_hints.lustre.co_ratio == co_ratio)
        return;
    fd->hints->fs_hints.lustre.co_ratio = co_ratio;
    set_number(fd, "romio_lustre_co_ratio", co_ratio);
}

/* Only aggregators use the buffer, but ADIO_Open allocates it on all ranks
 * (ad_open.c:135), and ADIO_Close frees what must not be NULL. */
void ADIOI_AUTOTUNE_fit_buffer(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    int wanted = fd->is_agg ? fd->hints->cb_buffer_size : 1;

    if (wanted == state->buffer_size || romio_write_aggmethod != 0 || romio_read_aggmethod != 0)
        return;
    ADIOI_Free(fd->io_buf);
    fd->io_buf = ADIOI_Malloc((size_t) wanted);
    state->buffer_size = wanted;
}

/* --- all of them */

/* With deferred open only aggregators have the file open; new ones open it
 * first, and if one cannot, all stay as they are. */
static int open_on_aggregators(ADIO_File fd, const int *ranks, int count)
{
    int rank, error = MPI_SUCCESS, opens;

    if (!fd->hints->deferred_open)
        return 1;
    MPI_Comm_rank(fd->comm, &rank);
    opens = !fd->is_open && index_of(rank, ranks, count) >= 0;
    if (opens) {
        ADIOI_AUTOTUNE_open_existing(fd, &error);
        fd->is_open = error == MPI_SUCCESS;
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
    set_list(fd, ranks, plan->cb_nodes);
    set_buffer_size(fd, plan->cb_buffer_size);
    ADIOI_AUTOTUNE_set_switch(fd, "romio_cb_read", &fd->hints->cb_read, plan->cb_read);
    ADIOI_AUTOTUNE_set_switch(fd, "romio_cb_write", &fd->hints->cb_write, plan->cb_write);
    set_co_ratio(fd, plan->co_ratio);
    ADIOI_AUTOTUNE_fit_buffer(fd, state);
    return 1;
}
