#include "ad_autotune.h"

#include "adioi.h"

#include <stdio.h>
#include <string.h>

/* What rank 0 finds out for everybody at open, and what any rank may object.  One
 * reduction of its bytes, to which other ranks add nothing but the latter. */
struct choice {
    int wrapped;                      /* index, or -1: the name's prefix is no driver's */
    int mode;                         /* ADIOI_AUTOTUNE_mode */
    int recorded;                     /* there is a usable romio_autotune_record */
    char notes[ADIOI_AUTOTUNE_NOTES]; /* hints that were ignored, and why */

    /* of any rank */
    int forgetful; /* has no state: MPI refuses to keep it */
    int own_info;  /* its info is not another file's report */
    unsigned kept; /* hints that the user gave, in such a report */
};

/* On rank 0; *record_p gets where the record goes, or NULL. */
static void choose(const ADIOI_AUTOTUNE_wrapped *wrapped, MPI_Info users_info,
                   struct choice *choice, char **record_p)
{
    ADIOI_AUTOTUNE_mode mode = ADIOI_AUTOTUNE_AUTOMATIC;
    char value[MPI_MAX_INFO_VAL + 1];
    atm_message why = {""};
    int from_environment;

    choice->wrapped = wrapped != NULL ? ADIOI_AUTOTUNE_wrapped_index(wrapped) : -1;
    ADIOI_AUTOTUNE_get_hint(users_info, "romio_autotune", value, &from_environment);
    if (value[0] != '\0' && ADIOI_AUTOTUNE_parse_mode(value, &mode) != 0)
        ADIOI_AUTOTUNE_refuse(choice->notes, sizeof(choice->notes), "romio_autotune", value,
                              from_environment, "not enable, disable or automatic");
    choice->mode = mode;
    *record_p = NULL;
    ADIOI_AUTOTUNE_get_hint(users_info, "romio_autotune_record", value, &from_environment);
    if (value[0] == '\0')
        return;
    *record_p = ADIOI_AUTOTUNE_record_path(value, &why);
    if (*record_p == NULL)
        ADIOI_AUTOTUNE_refuse(choice->notes, sizeof(choice->notes), "romio_autotune_record", value,
                              from_environment, why.text);
    choice->recorded = *record_p != NULL;
}

/* Fill in what is to be remembered; takes settings and record, which only rank 0
 * has. */
static void remember(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                     const ADIOI_AUTOTUNE_wrapped *wrapped, const struct choice *choice,
                     ADIOI_AUTOTUNE_settings *settings, char *record)
{
    state->wrapped = wrapped;
    state->mode = (ADIOI_AUTOTUNE_mode) choice->mode;
    state->recorded = choice->recorded;
    memcpy(state->notes, choice->notes, sizeof(state->notes));
    if (state->root != NULL) {
        state->root->settings = settings;
        state->root->record = record;
        state->root->filename = ADIOI_Strdup(fd->filename);
    }
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

static void rename_file(ADIO_File fd)
{
    char *filename = ADIOI_Strdup(ADIOI_AUTOTUNE_path(fd->filename));

    ADIOI_Free(fd->filename);
    fd->filename = filename;
}

/* Without a state on all ranks nothing is ours but the name. */
static void pass_through(ADIO_File fd, const ADIOI_AUTOTUNE_wrapped *wrapped, MPI_Info users_info,
                         int *error_code)
{
    fd->fns = wrapped->fns;
    fd->file_system = wrapped->file_system;
    fd->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
    ADIOI_Info_set(fd->info, "romio_autotune_wrapped", wrapped->name);
    ADIOI_Info_set(fd->info, "romio_autotune_status",
                   "default: MPI keeps no attributes of a rank's file");
}

static void begin(ADIO_File fd, ADIOI_AUTOTUNE_state *state, const ADIOI_AUTOTUNE_wrapped *wrapped,
                  const struct choice *choice, MPI_Info users_info, int *error_code)
{
    MPI_Info info =
        choice->own_info ? users_info : ADIOI_AUTOTUNE_echo_strip(users_info, choice->kept);

    ADIOI_AUTOTUNE_install(fd, wrapped, ADIOI_AUTOTUNE_PLAIN);
    wrapped->fns->ADIOI_xxx_SetInfo(fd, info, error_code);
    state->cb_read = fd->hints->cb_read;
    state->cb_write = fd->hints->cb_write;
    report_mode(fd, wrapped, choice);
    return_hints(fd, users_info);
    ADIOI_AUTOTUNE_echo_report(fd, info);
    if (!choice->own_info)
        MPI_Info_free(&info);
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
    struct choice choice = {.forgetful = state == NULL};
    const char *path;
    int rank, is_echo = ADIOI_AUTOTUNE_is_echo(users_info);

    MPI_Comm_rank(fd->comm, &rank);
    choice.kept = ADIOI_AUTOTUNE_echo_kept(users_info);
    choice.own_info = !is_echo;
    if (rank == 0) {
        MPI_Info info = is_echo ? ADIOI_AUTOTUNE_echo_strip(users_info, choice.kept) : users_info;

        wrapped = ADIOI_AUTOTUNE_wrapped_by_file(fd->filename, &path);
        choose(wrapped, info, &choice, &record);
        settings = ADIOI_AUTOTUNE_settings_create(info, choice.notes, sizeof(choice.notes));
        if (is_echo)
            MPI_Info_free(&info);
    }
    if (MPI_Allreduce(MPI_IN_PLACE, &choice, sizeof(choice), MPI_BYTE, MPI_BOR, fd->comm) !=
        MPI_SUCCESS)
        choice.wrapped = -1;
    if (choice.wrapped < 0 || choice.forgetful) {
        ADIOI_AUTOTUNE_settings_destroy(settings);
        if (record != NULL)
            ADIOI_Free(record);
    }
    if (choice.wrapped < 0) {
        /* ADIO_Open needs hints before OpenColl can refuse */
        ADIOI_GEN_SetInfo(fd, MPI_INFO_NULL, error_code);
        return;
    }
    rename_file(fd);
    wrapped = ADIOI_AUTOTUNE_wrapped_at(choice.wrapped);
    if (choice.forgetful) {
        pass_through(fd, wrapped, users_info, error_code);
        return;
    }
    remember(fd, state, wrapped, &choice, settings, record);
    begin(fd, state, wrapped, &choice, users_info, error_code);
}

/* --- later calls */

/* What is reported is still so, but for notes. */
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
 * cannot move while a collective operation may hold it.
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
    snprintf(text, sizeof(text), "%d", old_size);
    ADIOI_Info_set(fd->info, "cb_buffer_size", text);
}

/* A file's striping is what it is; ROMIO would take the hint for it
 * (ad_lustre_hints.c:166), and a 0 for a divisor. */
static void keep_striping(ADIO_File fd, ADIOI_AUTOTUNE_state *state, MPI_Info users_info,
                          MPI_Info before)
{
    static const char *const keys[] = {"striping_unit", "striping_factor",
                                       "romio_lustre_start_iodevice"};
    char value[MPI_MAX_INFO_VAL + 1], now[MPI_MAX_INFO_VAL + 1];

    ADIOI_AUTOTUNE_striping_report(fd, &state->striping);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (!ADIOI_AUTOTUNE_get_value(users_info, keys[i], value) || strcmp(value, "0") == 0 ||
            (ADIOI_AUTOTUNE_get_value(before, keys[i], now) && strcmp(value, now) == 0))
            continue;
        ADIOI_AUTOTUNE_note(state->notes, sizeof(state->notes), keys[i], value,
                            "it is for files that are being created");
        report_again(fd, state);
    }
}

/* What the user sets now is fixed from now on, and is what a decision for the
 * defaults goes back to. */
static void note_wishes(ADIO_File fd, ADIOI_AUTOTUNE_root *root, MPI_Info users_info,
                        MPI_Info before)
{
    ADIOI_AUTOTUNE_plan now = ADIOI_AUTOTUNE_plan_of(fd);

    ADIOI_AUTOTUNE_settings_add(root->settings, users_info, before);
    if (root->settings->fixed >> ATM_FIX_BUFFER & 1)
        root->default_plan.cb_buffer_size = now.cb_buffer_size;
    if (root->settings->fixed_read)
        root->default_plan.cb_read = now.cb_read;
    if (root->settings->fixed_write)
        root->default_plan.cb_write = now.cb_write;
    if (root->settings->fixed >> ATM_FIX_CO_RATIO & 1)
        root->default_plan.co_ratio = now.co_ratio;
}

static void set_info(ADIO_File fd, ADIOI_AUTOTUNE_state *state, MPI_Info users_info,
                     int *error_code)
{
    int old_size = fd->hints->cb_buffer_size;
    MPI_Info before;

    MPI_Info_dup(fd->info, &before);
    state->wrapped->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
    if (ADIOI_AUTOTUNE_wishes(users_info, before, "romio_cb_read", 1))
        state->cb_read = fd->hints->cb_read;
    if (ADIOI_AUTOTUNE_wishes(users_info, before, "romio_cb_write", 1))
        state->cb_write = fd->hints->cb_write;
    if (fd->file_system == ADIO_LUSTRE)
        keep_striping(fd, state, users_info, before);
    if (fd->hints->cb_buffer_size != old_size)
        resize_buffer(fd, state, old_size);
    if (state->root != NULL && state->root->default_ranks != NULL) /* of a tuned file */
        note_wishes(fd, state->root, users_info, before);
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
