#include "ad_autotune.h"

#include "ad_autotune_hints.h"
#include "ad_autotune_plan.h"
#include "ad_autotune_record.h"
#include "ad_autotune_report.h"
#include "ad_autotune_state.h"
#include "adioi.h"
#include "atc.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* What rank 0 finds and broadcasts at open: one message, where a reduction would
 * take as many for each bit of the number of ranks. */
struct terms {
    int wrapped;                      /* index, or -1: the name's prefix names no driver */
    int mode;                         /* ADIOI_AUTOTUNE_mode */
    int recorded;                     /* there is a usable romio_autotune_record */
    unsigned kept;                    /* hints in its info that the user gave */
    int noted;                        /* there are notes, which are sent after the rest: */
    char notes[ADIOI_AUTOTUNE_NOTES]; /* hints that were ignored, and why */
};

/* On rank 0; *record_p gets the record's path, or NULL. */
static void set_terms(MPI_Info users_info, struct terms *terms, char **record_p)
{
    ADIOI_AUTOTUNE_mode mode = ADIOI_AUTOTUNE_AUTOMATIC;
    char value[MPI_MAX_INFO_VAL + 1];
    atm_message why = {""};

    ADIOI_AUTOTUNE_get_hint(users_info, "romio_autotune", value);
    if (value[0] != '\0' && ADIOI_AUTOTUNE_parse_mode(value, &mode) != 0)
        ADIOI_AUTOTUNE_refuse(terms->notes, sizeof(terms->notes), "romio_autotune", value,
                              "not enable, disable or automatic");
    terms->mode = mode;
    *record_p = NULL;
    ADIOI_AUTOTUNE_get_hint(users_info, "romio_autotune_record", value);
    if (value[0] == '\0')
        return;
    *record_p = ADIOI_AUTOTUNE_record_path(value, &why);
    if (*record_p == NULL)
        ADIOI_AUTOTUNE_refuse(terms->notes, sizeof(terms->notes), "romio_autotune_record", value,
                              why.text);
    terms->recorded = *record_p != NULL;
}

/* The user's hints without what is only passed on from another file's report.  All
 * ranks leave out the same keys, whatever their own infos are: ROMIO broadcasts the
 * value of every key that it finds.  Free the info if it is another one. */
static MPI_Info own_hints(MPI_Info users_info, const struct terms *terms)
{
    return terms->kept == ADIOI_AUTOTUNE_ALL_KEPT || users_info == MPI_INFO_NULL
               ? users_info
               : ADIOI_AUTOTUNE_echo_strip(users_info, terms->kept);
}

/* The info may be MPI_INFO_NULL. */
static ADIOI_AUTOTUNE_settings *read_info(MPI_Info users_info, struct terms *terms, char **record_p)
{
    ADIOI_AUTOTUNE_settings *settings;
    MPI_Info info;

    terms->kept = ADIOI_AUTOTUNE_echo_kept(users_info);
    info = own_hints(users_info, terms);
    set_terms(info, terms, record_p);
    settings = ADIOI_AUTOTUNE_settings_create(info, terms->notes, sizeof(terms->notes));
    ADIOI_AUTOTUNE_check_keys(info, terms->notes, sizeof(terms->notes));
    if (info != users_info)
        MPI_Info_free(&info);
    return settings;
}

/* On rank 0, which alone reads the name's prefix and our hints, so that ranks whose
 * names or hints differ cannot end up with different drivers. */
static ADIOI_AUTOTUNE_settings *read_hints(ADIO_File fd, MPI_Info users_info, struct terms *terms,
                                           char **record_p)
{
    const ADIOI_AUTOTUNE_wrapped *wrapped;
    ADIOI_AUTOTUNE_settings *settings;
    ADIOI_AUTOTUNE_mode mode = ADIOI_AUTOTUNE_AUTOMATIC;
    const char *path;

    wrapped = ADIOI_AUTOTUNE_wrapped_by_file(fd->filename, &path);
    terms->wrapped = wrapped != NULL ? ADIOI_AUTOTUNE_wrapped_index(wrapped) : -1;
    terms->kept = ADIOI_AUTOTUNE_ALL_KEPT;
    if (users_info != MPI_INFO_NULL)
        return read_info(users_info, terms, record_p);
    settings = ADIOI_AUTOTUNE_variables_again(&mode);
    terms->mode = mode;
    if (settings != NULL)
        return settings;
    settings = ADIOI_AUTOTUNE_variables_given() ? read_info(users_info, terms, record_p)
                                                : ADIOI_AUTOTUNE_settings_none();
    /* paths of records and explanations may be others each time, and mistakes are told again */
    if (*record_p == NULL && settings->explain == NULL && terms->notes[0] == '\0')
        ADIOI_AUTOTUNE_variables_keep((ADIOI_AUTOTUNE_mode) terms->mode, settings);
    return settings;
}

/* Takes settings and record, which only rank 0 has. */
static void fill_state(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                       const ADIOI_AUTOTUNE_wrapped *wrapped, const struct terms *terms,
                       ADIOI_AUTOTUNE_settings *settings, char *record)
{
    state->wrapped = wrapped;
    state->mode = (ADIOI_AUTOTUNE_mode) terms->mode;
    state->recorded = terms->recorded;
    memcpy(state->notes, terms->notes, sizeof(state->notes));
    if (state->root != NULL) {
        state->root->settings = settings;
        state->root->record = record;
        state->root->filename = ADIOI_Strdup(fd->filename);
    }
    if (state->recorded)
        ADIOI_AUTOTUNE_record_begin(fd, state);
}

static void report_mode(ADIO_File fd, const ADIOI_AUTOTUNE_state *state)
{
    ADIOI_Info_set(fd->info, "romio_autotune", ADIOI_AUTOTUNE_mode_name(state->mode));
    ADIOI_Info_set(fd->info, "romio_autotune_wrapped", state->wrapped->name);
    /* others have a status as soon as they are open (ad_autotune_open.c) */
    if (state->mode == ADIOI_AUTOTUNE_DISABLE)
        ADIOI_AUTOTUNE_report(fd, "disabled");
    else if (state->ranks == 1)
        ADIOI_AUTOTUNE_report_alone(fd);
}

/* The user's hints for us, unchanged; the mode is reported as it is understood. */
static void report_hints(ADIO_File fd, MPI_Info users_info)
{
    char value[MPI_MAX_INFO_VAL + 1];
    const char *key;

    for (int i = 0; (key = ADIOI_AUTOTUNE_key_at(i)) != NULL; i++)
        if (strcmp(key, "romio_autotune") != 0 && ADIOI_AUTOTUNE_get_value(users_info, key, value))
            ADIOI_Info_set(fd->info, key, value);
}

static void strip_prefixes(ADIO_File fd)
{
    char *filename = ADIOI_Strdup(ADIOI_AUTOTUNE_path(fd->filename));

    ADIOI_Free(fd->filename);
    fd->filename = filename;
}

static void set_and_report(ADIO_File fd, const ADIOI_AUTOTUNE_state *state,
                           const struct terms *terms, MPI_Info users_info, int *error_code)
{
    MPI_Info info = own_hints(users_info, terms);

    state->wrapped->fns->ADIOI_xxx_SetInfo(fd, info, error_code);
    report_mode(fd, state);
    report_hints(fd, users_info);
    ADIOI_AUTOTUNE_echo_report(fd, info);
    if (info != users_info)
        MPI_Info_free(&info);
}

static void install_and_report(ADIO_File fd, ADIOI_AUTOTUNE_state *state, const struct terms *terms,
                               MPI_Info users_info, int *error_code)
{
    state->by_default = users_info == MPI_INFO_NULL;
    ADIOI_AUTOTUNE_install(fd, state->wrapped, ADIOI_AUTOTUNE_PLAIN);
    *error_code = MPI_SUCCESS;
    if (!state->by_default || !ADIOI_AUTOTUNE_defaults_copy(fd, state)) {
        set_and_report(fd, state, terms, users_info, error_code);
        if (state->by_default && *error_code == MPI_SUCCESS)
            ADIOI_AUTOTUNE_defaults_keep(fd, state);
    }
    state->cb_read = fd->hints->cb_read;
    state->cb_write = fd->hints->cb_write;
}

/* No decisions, as for a file that leaves Lustre (ad_autotune_reopen.c). */
static void report_defect(ADIO_File fd, ADIOI_AUTOTUNE_state *state, const char *defect)
{
    if (state->root != NULL)
        snprintf(state->root->failure.text, sizeof(state->root->failure.text), "%s", defect);
    ADIOI_AUTOTUNE_report_default(fd, defect);
}

/* A record is written by all ranks together when their states are released. */
static int all_released(ADIO_File fd, const ADIOI_AUTOTUNE_state *state)
{
    return atc_agree(fd->comm, state->unattached ? ATC_NO_MEMORY : ATC_OK) == ATC_OK;
}

/* From rank 0 to all; 0 if MPI fails. */
static int broadcast(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, struct terms *terms)
{
    if (state->ranks == 1)
        return 1;
    terms->noted = terms->notes[0] != '\0';
    return MPI_Bcast(terms, offsetof(struct terms, notes), MPI_BYTE, 0, fd->comm) == MPI_SUCCESS &&
           (!terms->noted ||
            MPI_Bcast(terms->notes, sizeof(terms->notes), MPI_BYTE, 0, fd->comm) == MPI_SUCCESS);
}

/* The first call of an open. */
void ADIOI_AUTOTUNE_SetInfo(ADIO_File fd, MPI_Info users_info, int *error_code)
{
    const ADIOI_AUTOTUNE_wrapped *wrapped;
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_create(fd, ADIOI_AUTOTUNE_close);
    ADIOI_AUTOTUNE_settings *settings = NULL;
    const char *defect;
    char *record = NULL;
    struct terms terms = {0};

    if (state->root != NULL)
        settings = read_hints(fd, users_info, &terms, &record);
    if (!broadcast(fd, state, &terms))
        terms.wrapped = -1;
    if (terms.wrapped < 0) {
        ADIOI_AUTOTUNE_settings_destroy(settings);
        if (record != NULL)
            ADIOI_Free(record);
        /* ADIO_Open needs hints before OpenColl can refuse */
        ADIOI_GEN_SetInfo(fd, MPI_INFO_NULL, error_code);
        return;
    }
    if (terms.recorded)
        terms.recorded = all_released(fd, state);
    strip_prefixes(fd);
    wrapped = ADIOI_AUTOTUNE_wrapped_at(terms.wrapped);
    defect = ADIOI_AUTOTUNE_defect(wrapped);
    if (defect != NULL)
        wrapped = ADIOI_AUTOTUNE_wrapped_at(0);
    fill_state(fd, state, wrapped, &terms, settings, record);
    install_and_report(fd, state, &terms, users_info, error_code);
    if (defect != NULL)
        report_defect(fd, state, defect);
    ADIOI_AUTOTUNE_list_postpone(fd, state);
}
