#include "ad_autotune.h"

#include "adioi.h"

#include <stdio.h>
#include <string.h>

/* What rank 0 finds out for everybody at open.  Sent as bytes. */
struct choice {
    int wrapped;     /* index, or -1: the name's prefix is no driver's */
    int mode;        /* ADIOI_AUTOTUNE_mode */
    int recorded;    /* there is a usable romio_autotune_record */
    char notes[160]; /* hints that were ignored, and why */
};

void ADIOI_AUTOTUNE_report(ADIO_File fd, const char *status)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);
    const char *notes = state != NULL ? state->notes : "";
    char text[sizeof(state->status)];

    snprintf(text, sizeof(text), "%s%s%s", status, notes[0] != '\0' ? "; " : "", notes);
    ADIOI_Info_set(fd->info, "romio_autotune_status", text);
    if (state != NULL)
        memcpy(state->status, text, sizeof(text));
}

void ADIOI_AUTOTUNE_report_default(ADIO_File fd, const char *reason)
{
    char status[224];

    snprintf(status, sizeof(status), "default: %s", reason);
    ADIOI_AUTOTUNE_report(fd, status);
}

/* On rank 0; *record_p gets where the record goes, or NULL. */
static void choose(const ADIOI_AUTOTUNE_wrapped *wrapped, MPI_Info users_info,
                   struct choice *choice, char **record_p)
{
    ADIOI_AUTOTUNE_mode mode = ADIOI_AUTOTUNE_AUTOMATIC;
    char value[MPI_MAX_INFO_VAL + 1];
    atm_message why = {""};

    choice->wrapped = wrapped != NULL ? ADIOI_AUTOTUNE_wrapped_index(wrapped) : -1;
    ADIOI_AUTOTUNE_get_hint(users_info, "romio_autotune", value);
    if (value[0] != '\0' && ADIOI_AUTOTUNE_parse_mode(value, &mode) != 0)
        ADIOI_AUTOTUNE_note(choice->notes, sizeof(choice->notes), "romio_autotune", value,
                            "not enable, disable or automatic");
    choice->mode = mode;
    *record_p = NULL;
    ADIOI_AUTOTUNE_get_hint(users_info, "romio_autotune_record", value);
    if (value[0] != '\0') {
        *record_p = ADIOI_AUTOTUNE_record_path(value, &why);
        if (*record_p == NULL)
            ADIOI_AUTOTUNE_note(choice->notes, sizeof(choice->notes), "romio_autotune_record",
                                value, why.text);
        choice->recorded = *record_p != NULL;
    }
}

/* Fill in what is to be remembered; takes settings and record, which only rank 0
 * has.  state may be NULL on ranks other than 0: see ad_autotune_open.c. */
static void remember(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                     const ADIOI_AUTOTUNE_wrapped *wrapped, struct choice *choice,
                     ADIOI_AUTOTUNE_settings *settings, char *record)
{
    /* records are reduced over all ranks */
    if (choice->recorded)
        choice->recorded = atc_agree(fd->comm, state != NULL ? ATC_OK : ATC_NO_MEMORY) == ATC_OK;
    if (state == NULL) {
        ADIOI_AUTOTUNE_settings_destroy(settings);
        if (record != NULL)
            ADIOI_Free(record);
        return;
    }
    state->wrapped = wrapped;
    state->mode = (ADIOI_AUTOTUNE_mode) choice->mode;
    state->recorded = choice->recorded;
    memcpy(state->notes, choice->notes, sizeof(state->notes));
    state->settings = settings;
    state->record = record;
    if (settings != NULL)
        state->filename = ADIOI_Strdup(fd->filename);
    if (state->recorded)
        ADIOI_AUTOTUNE_record_begin(fd, state);
}

static void report_mode(ADIO_File fd, const ADIOI_AUTOTUNE_wrapped *wrapped,
                        const struct choice *choice)
{
    ADIOI_Info_set(fd->info, "romio_autotune",
                   ADIOI_AUTOTUNE_mode_name((ADIOI_AUTOTUNE_mode) choice->mode));
    ADIOI_Info_set(fd->info, "romio_autotune_wrapped", wrapped->name);
    if (choice->mode == ADIOI_AUTOTUNE_DISABLE)
        ADIOI_AUTOTUNE_report(fd, "disabled");
    else
        ADIOI_AUTOTUNE_report_default(fd, "no decision was made");
}

/* What the user gave us comes back as it is. */
static void return_hints(ADIO_File fd, MPI_Info users_info)
{
    static const char *const keys[] = {"romio_autotune_profile",     "romio_autotune_topology",
                                       "romio_autotune_access_size", "romio_autotune_memory",
                                       "romio_autotune_explain",     "romio_autotune_record"};
    char value[MPI_MAX_INFO_VAL + 1];
    int flag;

    if (users_info == MPI_INFO_NULL)
        return;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        ADIOI_Info_get(users_info, keys[i], MPI_MAX_INFO_VAL, value, &flag);
        if (flag)
            ADIOI_Info_set(fd->info, keys[i], value);
    }
}

static void rename_file(ADIO_File fd, const char *path)
{
    char *filename = ADIOI_Strdup(path); /* path is part of the old name */

    ADIOI_Free(fd->filename);
    fd->filename = filename;
}

/*
 * First call of an open.  The name's prefix and our hints are judged on rank 0
 * alone, so that ranks whose names or hints differ cannot end in different
 * drivers.
 */
void ADIOI_AUTOTUNE_SetInfo(ADIO_File fd, MPI_Info users_info, int *error_code)
{
    const ADIOI_AUTOTUNE_wrapped *wrapped = NULL;
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_create(fd);
    ADIOI_AUTOTUNE_settings *settings = NULL;
    char *record = NULL;
    struct choice choice = {0};
    const char *path, *prefix;
    size_t prefix_length;
    int rank;

    MPI_Comm_rank(fd->comm, &rank);
    path = ADIOI_AUTOTUNE_split_name(fd->filename, &prefix, &prefix_length);
    if (rank == 0) {
        wrapped = ADIOI_AUTOTUNE_wrapped_by_file(fd->filename, &path);
        choose(wrapped, users_info, &choice, &record);
        settings = ADIOI_AUTOTUNE_settings_create(users_info, choice.notes, sizeof(choice.notes));
        if (state == NULL) { /* nothing can be decided here */
            choice.mode = ADIOI_AUTOTUNE_DISABLE;
            choice.recorded = 0;
        }
    }
    MPI_Bcast(&choice, sizeof(choice), MPI_BYTE, 0, fd->comm);
    if (choice.wrapped < 0) {
        ADIOI_AUTOTUNE_settings_destroy(settings);
        if (record != NULL)
            ADIOI_Free(record);
        /* ADIO_Open needs hints before OpenColl can refuse */
        ADIOI_GEN_SetInfo(fd, MPI_INFO_NULL, error_code);
        return;
    }

    rename_file(fd, path);
    wrapped = ADIOI_AUTOTUNE_wrapped_at(choice.wrapped);
    remember(fd, state, wrapped, &choice, settings, record);
    ADIOI_AUTOTUNE_install(fd, wrapped, ADIOI_AUTOTUNE_PLAIN);
    wrapped->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
    report_mode(fd, wrapped, &choice);
    return_hints(fd, users_info);
}

/*
 * A larger cb_buffer_size after open needs a larger buffer: ROMIO allocates it
 * in ADIO_Open only (ad_open.c:135) and would write past its end.  The buffer
 * cannot move while a collective operation may hold it.
 */
static void resize_buffer(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int old_size)
{
    const char *held =
        state != NULL ? ADIOI_AUTOTUNE_held(fd, state) : "there is no memory of this file";
    char text[32], reason[160];

    if (held == NULL && fd->split_coll_count == 0) {
        ADIOI_AUTOTUNE_fit_buffer(fd, state);
        return;
    }
    if (fd->hints->cb_buffer_size < old_size)
        return;
    snprintf(reason, sizeof(reason), "cb_buffer_size=%d ignored: %s", fd->hints->cb_buffer_size,
             held != NULL ? held : "a split collective operation is under way");
    ADIOI_AUTOTUNE_report_default(fd, reason);
    fd->hints->cb_buffer_size = old_size;
    snprintf(text, sizeof(text), "%d", old_size);
    ADIOI_Info_set(fd->info, "cb_buffer_size", text);
}

/* What the user sets now is fixed from now on, and is what a decision for the
 * defaults goes back to. */
static void note_wishes(ADIO_File fd, ADIOI_AUTOTUNE_state *state, MPI_Info users_info)
{
    ADIOI_AUTOTUNE_plan now = ADIOI_AUTOTUNE_plan_of(fd);

    ADIOI_AUTOTUNE_settings_add(state->settings, users_info);
    if (state->settings->fixed >> ATM_FIX_BUFFER & 1)
        state->default_plan.cb_buffer_size = now.cb_buffer_size;
    if (state->settings->fixed_read)
        state->default_plan.cb_read = now.cb_read;
    if (state->settings->fixed_write)
        state->default_plan.cb_write = now.cb_write;
    if (state->settings->fixed >> ATM_FIX_CO_RATIO & 1)
        state->default_plan.co_ratio = now.co_ratio;
}

void ADIOI_AUTOTUNE_SetInfo_again(ADIO_File fd, MPI_Info users_info, int *error_code)
{
    const ADIOI_AUTOTUNE_wrapped *wrapped = ADIOI_AUTOTUNE_wrapped_of(fd);
    ADIOI_AUTOTUNE_state *state;
    int old_size = fd->hints->cb_buffer_size;

    if (!fd->hints->initialized) {
        /* the hidden file of a shared file pointer, which ROMIO opens with
         * its owner's table (ad_get_sh_fp.c:38): nothing to tune there */
        fd->fns = wrapped->fns;
        fd->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
        return;
    }
    state = ADIOI_AUTOTUNE_state_of(fd);
    wrapped->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
    if (state != NULL && ADIOI_AUTOTUNE_has(users_info, "romio_cb_read"))
        state->cb_read = fd->hints->cb_read;
    if (state != NULL && ADIOI_AUTOTUNE_has(users_info, "romio_cb_write"))
        state->cb_write = fd->hints->cb_write;
    if (fd->hints->cb_buffer_size != old_size)
        resize_buffer(fd, state, old_size);
    if (state != NULL && state->default_ranks != NULL) /* rank 0 of a tuned file */
        note_wishes(fd, state, users_info);
}
