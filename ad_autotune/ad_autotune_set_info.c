#include "ad_autotune.h"

#include "ad_autotune_hints.h"
#include "ad_autotune_late.h"
#include "ad_autotune_plan.h"
#include "ad_autotune_report.h"
#include "ad_autotune_state.h"
#include "adioi.h"

#include <stdio.h>
#include <string.h>

/* The same status, with more notes. */
static void report_again(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    if (state->mode == ADIOI_AUTOTUNE_DISABLE)
        ADIOI_AUTOTUNE_report(fd, "disabled");
    else
        ADIOI_AUTOTUNE_report_decision(fd, state);
}

/*
 * A larger cb_buffer_size after open needs a larger buffer: ROMIO allocates it
 * in ADIO_Open only (ad_open.c:135) and would write past its end.  The buffer
 * cannot be replaced while a collective operation may use it.
 */
static void resize_buffer(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int old_size)
{
    const char *held = ADIOI_AUTOTUNE_held(fd, state);
    char text[32];

    if (held == NULL && fd->split_coll_count == 0) {
        ADIOI_AUTOTUNE_fit_buffer(fd, state);
        return;
    }
    if (fd->hints->cb_buffer_size < old_size)
        return;
    snprintf(text, sizeof(text), "%d", fd->hints->cb_buffer_size);
    ADIOI_AUTOTUNE_note(state->notes, sizeof(state->notes), "cb_buffer_size", text,
                        held != NULL ? held : "a split collective operation is under way");
    report_again(fd, state);
    fd->hints->cb_buffer_size = old_size;
    ADIOI_AUTOTUNE_set_number(fd, "cb_buffer_size", old_size);
}

/* An existing file's striping cannot change; ROMIO would believe the hint
 * (ad_lustre_hints.c:166), and divide by 0. */
static void keep_striping(ADIO_File fd, ADIOI_AUTOTUNE_state *state, MPI_Info users_info,
                          MPI_Info before)
{
    static const char *const keys[] = {"striping_unit", "striping_factor",
                                       ADIOI_AUTOTUNE_START_IODEVICE};
    char value[MPI_MAX_INFO_VAL + 1], now[MPI_MAX_INFO_VAL + 1];

    ADIOI_AUTOTUNE_striping_report(fd, &state->striping);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (!ADIOI_AUTOTUNE_get_value(users_info, keys[i], value) || strcmp(value, "0") == 0 ||
            (ADIOI_AUTOTUNE_get_value(before, keys[i], now) && strcmp(value, now) == 0))
            continue;
        ADIOI_AUTOTUNE_note(state->notes, sizeof(state->notes), keys[i], value,
                            "it applies only when a file is created");
        report_again(fd, state);
    }
}

/* On rank 0: values that the user sets now are fixed from now on, and are among the
 * defaults that later decisions start from. */
static void add_users_hints(ADIO_File fd, ADIOI_AUTOTUNE_root *root, MPI_Info users_info,
                            MPI_Info before)
{
    ADIOI_AUTOTUNE_plan now = ADIOI_AUTOTUNE_plan_of(fd);

    ADIOI_AUTOTUNE_settings_add(root->settings, users_info, before);
    if (root->settings->fixed >> ATM_FIX_BUFFER & 1)
        root->default_plan.cb_buffer_size = now.cb_buffer_size;
    if (root->settings->fixed_read)
        root->default_plan.cb_read = now.cb_read;
    if (root->settings->fixed_write) {
        root->default_plan.cb_write = now.cb_write;
        root->default_plan.threshold = now.threshold;
    }
    if (root->settings->fixed >> ATM_FIX_CO_RATIO & 1)
        root->default_plan.co_ratio = now.co_ratio;
    root->default_plan.striping_unit = now.striping_unit;
    root->default_plan.min_fdomain_size = now.min_fdomain_size;
}

static void set_info(ADIO_File fd, ADIOI_AUTOTUNE_state *state, MPI_Info users_info,
                     int *error_code)
{
    int old_size = fd->hints->cb_buffer_size;
    MPI_Info before;

    MPI_Info_dup(fd->info, &before);
    state->wrapped->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
    if (ADIOI_AUTOTUNE_user_sets(users_info, before, "romio_cb_read", 1))
        state->cb_read = fd->hints->cb_read;
    if (ADIOI_AUTOTUNE_user_sets(users_info, before, "romio_cb_write", 1))
        state->cb_write = fd->hints->cb_write;
    if (fd->file_system == ADIO_LUSTRE)
        keep_striping(fd, state, users_info, before);
    if (fd->hints->cb_buffer_size != old_size)
        resize_buffer(fd, state, old_size);
    if (state->root != NULL && state->root->default_ranks != NULL) /* of a tuned file */
        add_users_hints(fd, state->root, users_info, before);
    MPI_Info_free(&before);
}

void ADIOI_AUTOTUNE_SetInfo_again(ADIO_File fd, MPI_Info users_info, int *error_code)
{
    const ADIOI_AUTOTUNE_wrapped *wrapped = ADIOI_AUTOTUNE_wrapped_of(fd);
    ADIOI_AUTOTUNE_state *state;
    MPI_Info renewed;

    if (!fd->hints->initialized || users_info == MPI_INFO_NULL) {
        if (!fd->hints->initialized)
            /* the hidden file of a shared file pointer, which ROMIO opens with
             * its owner's table (ad_get_sh_fp.c:38): nothing to tune there */
            fd->fns = wrapped->fns;
        wrapped->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
        return;
    }
    state = ADIOI_AUTOTUNE_state_of(fd);
    renewed = ADIOI_AUTOTUNE_echo_renew(fd, state, users_info);
    set_info(fd, state, renewed, error_code);
    MPI_Info_free(&renewed);
}
