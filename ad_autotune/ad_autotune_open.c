#include "ad_autotune.h"

#include "ad_autotune_apply.h"
#include "ad_autotune_decide.h"
#include "ad_autotune_hints.h"
#include "ad_autotune_late.h"
#include "ad_autotune_plan.h"
#include "ad_autotune_record.h"
#include "ad_autotune_report.h"
#include "ad_autotune_state.h"
#include "adioi.h"
#include "atc.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* --- SetInfo at open: mode, driver, hints */

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

/* No decisions, as for a file that leaves Lustre (ad_autotune_apply.c). */
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

/* --- OpenColl, and the first decision */

/* Only reached if the name has an unknown prefix: no table has replaced ours. */
void ADIOI_AUTOTUNE_OpenColl(ADIO_File fd, int rank, int access_mode, int *error_code)
{
    (void) rank, (void) access_mode;
    *error_code = ADIOI_AUTOTUNE_unsupported("ADIOI_AUTOTUNE_OPENCOLL", fd->filename);
}

/* A file that late_create has created. */
static void open_created(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int rank, int access_mode,
                         int *error_code)
{
    if (state->late)
        ADIOI_AUTOTUNE_install(fd, state->wrapped, ADIOI_AUTOTUNE_LATE);
    state->wrapped->fns->ADIOI_xxx_OpenColl(fd, rank, access_mode & ~(ADIO_CREATE | ADIO_EXCL),
                                            error_code);
    fd->access_mode = access_mode;
}

/* OpenColl has made the striping equal on all ranks. */
static void take_striping(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_Hints *hints = fd->hints;

    if (!state->late)
        state->striping = (ADIOI_AUTOTUNE_striping){.unit = hints->striping_unit,
                                                    .count = hints->striping_factor,
                                                    .start = hints->start_iodevice};
    /* if an open was deferred, ROMIO reports zeros (ad_opencoll.c:124) */
    ADIOI_AUTOTUNE_striping_report(fd, &state->striping);
}

/* On rank 0: creation hints that were given for an existing file. */
static void note_striping(ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_striping *wanted = &state->root->settings->striping,
                                  *is = &state->striping;
    const struct {
        const char *key;
        int wanted, is, given;
    } hints[] = {{"striping_unit", wanted->unit, is->unit, wanted->unit != 0},
                 {"striping_factor", wanted->count, is->count, wanted->count > 0},
                 {ADIOI_AUTOTUNE_START_IODEVICE, wanted->start, is->start, wanted->start >= 0}};
    char value[32], why[64];

    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
        if (!hints[i].given || hints[i].wanted == hints[i].is)
            continue;
        snprintf(value, sizeof(value), "%d", hints[i].wanted);
        snprintf(why, sizeof(why), "the file has %d", hints[i].is);
        ADIOI_AUTOTUNE_note(state->notes, sizeof(state->notes), hints[i].key, value, why);
    }
}

static void open_wrapped(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int rank, int access_mode,
                         int *error_code)
{
    ADIOI_AUTOTUNE_creation creation = state->mode != ADIOI_AUTOTUNE_DISABLE
                                           ? ADIOI_AUTOTUNE_late_create(fd, state, access_mode)
                                           : ADIOI_AUTOTUNE_NOT_CREATED;

    /* only open files have stripes: since MPICH 4.2 the user's hint is here, too
     * (ad_hints.c:265), and would be taken for those of a file that is not on Lustre */
    if (state->wrapped->file_system == ADIO_LUSTRE)
        fd->hints->striping_factor = 0;
    if (creation == ADIOI_AUTOTUNE_NOT_CREATED)
        state->wrapped->fns->ADIOI_xxx_OpenColl(fd, rank, access_mode, error_code);
    else
        open_created(fd, state, rank, access_mode, error_code);
    if (*error_code != MPI_SUCCESS || state->wrapped->file_system != ADIO_LUSTRE)
        return;
    if (!state->late && (fd->hints->striping_unit <= 0 || fd->hints->striping_factor <= 0))
        ADIOI_AUTOTUNE_leave_lustre(fd, state, error_code);
    else
        take_striping(fd, state);
    if (state->root != NULL && !state->late && state->wrapped->file_system == ADIO_LUSTRE)
        note_striping(state);
}

/* A file for this run alone, whose name may be gone at any time: the layout of the access that is
 * expected.  On failure it stays late, and the first access encounters the error again. */
static void settle_scratch(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    int error;

    ADIOI_AUTOTUNE_late_settle(fd, state, &error);
}

static void decide(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int access_mode)
{
    if (state->mode == ADIOI_AUTOTUNE_DISABLE)
        return;
    if (state->ranks == 1) {
        if (state->notes[0] != '\0' && state->root->failure.text[0] == '\0')
            ADIOI_AUTOTUNE_report_alone(fd); /* again, with what the open has noted */
        return;
    }
    ADIOI_AUTOTUNE_tune_open(fd, state, access_mode);
    if (state->by_default && state->opened)
        ADIOI_AUTOTUNE_defaults_opened(fd, state);
}

/*
 * Decisions need the open file, whose striping and block size are known.  Our
 * collective slots are installed only here, after ADIO_Open has looked for generic
 * ones, without which it does not defer opens (ad_open.c:142).
 */
void ADIOI_AUTOTUNE_OpenColl_wrapped(ADIO_File fd, int rank, int access_mode, int *error_code)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);

    double start = MPI_Wtime();

    open_wrapped(fd, state, rank, access_mode, error_code);
    if (state->root != NULL)
        state->root->open_seconds = MPI_Wtime() - start;
    state->opened = *error_code == MPI_SUCCESS;
    state->buffer_size = fd->hints->cb_buffer_size;
    decide(fd, state, access_mode);
    if (state->late && (access_mode & ADIO_DELETE_ON_CLOSE))
        settle_scratch(fd, state);
    if (state->late)
        ADIOI_AUTOTUNE_install(fd, state->wrapped, ADIOI_AUTOTUNE_LATE);
    else
        ADIOI_AUTOTUNE_install_by_state(fd, state);
}
