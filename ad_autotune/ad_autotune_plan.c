#include "ad_autotune_plan.h"

#include "ad_tuning.h"
#include "adioi.h"

ADIOI_AUTOTUNE_plan ADIOI_AUTOTUNE_plan_of(ADIO_File fd)
{
    const ADIOI_Hints *hints = fd->hints;
    ADIOI_AUTOTUNE_plan plan = {.cb_nodes = hints->cb_nodes,
                                .cb_buffer_size = hints->cb_buffer_size,
                                .cb_read = hints->cb_read,
                                .cb_write = hints->cb_write};

    if (fd->file_system == ADIO_LUSTRE) { /* fs_hints is a union */
        plan.co_ratio = hints->fs_hints.lustre.co_ratio;
        plan.threshold = hints->fs_hints.lustre.coll_threshold;
    } else {
        plan.striping_unit = hints->striping_unit;
        plan.min_fdomain_size = hints->min_fdomain_size;
    }
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

void ADIOI_AUTOTUNE_set_switch(ADIO_File fd, const char *key, int *hint, int value)
{
    if (*hint == value)
        return;
    *hint = value;
    ADIOI_Info_set(fd->info, key, ADIOI_AUTOTUNE_switch_name(value));
}

/* Only aggregators use the buffer, but ADIO_Open allocates it on all ranks
 * (ad_open.c:135), and ADIO_Close must not find NULL. */
void ADIOI_AUTOTUNE_fit_buffer(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    int wanted = fd->is_agg ? fd->hints->cb_buffer_size : 1;

    if (wanted == state->buffer_size || romio_write_aggmethod != 0 || romio_read_aggmethod != 0)
        return;
    ADIOI_Free(fd->io_buf);
    fd->io_buf = ADIOI_Malloc((size_t) wanted);
    state->buffer_size = wanted;
}
