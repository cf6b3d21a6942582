#include "ad_autotune.h"

#include "adioi.h"
#include "atc.h"
#include "hint_fns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rank 0 finds out for everybody at open.  Sent as bytes. */
struct choice {
    int wrapped;      /* index, or -1: the name's prefix is no driver's */
    int mode;         /* ADIOI_AUTOTUNE_mode */
    int recorded;     /* there is a usable romio_autotune_record */
    char reason[160]; /* why hints were ignored, or empty */
};

static void set_status(ADIO_File fd, const char *status)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);

    ADIOI_Info_set(fd->info, "romio_autotune_status", status);
    if (state != NULL)
        snprintf(state->status, sizeof(state->status), "%s", status);
}

void ADIOI_AUTOTUNE_report_default(ADIO_File fd, const char *reason)
{
    char status[192];

    snprintf(status, sizeof(status), "default: %s", reason);
    set_status(fd, status);
}

/* The hint key, else the variable of the same name in capitals; "" if neither.
 * value has room for MPI_MAX_INFO_VAL characters and the end. */
static void get_hint(MPI_Info users_info, const char *key, const char *variable, char *value)
{
    const char *from_environment = getenv(variable);
    int flag = 0;

    if (users_info != MPI_INFO_NULL)
        ADIOI_Info_get(users_info, key, MPI_MAX_INFO_VAL, value, &flag);
    if (!flag)
        snprintf(value, MPI_MAX_INFO_VAL + 1, "%s",
                 from_environment != NULL ? from_environment : "");
}

/* "KEY=VALUE ignored: WHY", after earlier ones, as far as there is room */
static void add_reason(struct choice *choice, const char *key, const char *value, const char *why)
{
    size_t used = strlen(choice->reason);

    snprintf(choice->reason + used, sizeof(choice->reason) - used, "%s%s=%.32s ignored: %s",
             used > 0 ? "; " : "", key, value, why);
}

/* On rank 0.  record has room for a hint's value. */
static void choose(const ADIOI_AUTOTUNE_wrapped *wrapped, MPI_Info users_info,
                   struct choice *choice, char *record)
{
    ADIOI_AUTOTUNE_mode mode = ADIOI_AUTOTUNE_AUTOMATIC;
    char value[MPI_MAX_INFO_VAL + 1];
    int error;

    memset(choice, 0, sizeof(*choice));
    choice->wrapped = wrapped != NULL ? ADIOI_AUTOTUNE_wrapped_index(wrapped) : -1;
    get_hint(users_info, "romio_autotune", "ROMIO_AUTOTUNE", value);
    if (value[0] != '\0' && ADIOI_AUTOTUNE_parse_mode(value, &mode) != 0)
        add_reason(choice, "romio_autotune", value, "not enable, disable or automatic");
    choice->mode = mode;
    get_hint(users_info, "romio_autotune_record", "ROMIO_AUTOTUNE_RECORD", record);
    if (record[0] != '\0') {
        error = ADIOI_AUTOTUNE_record_check(record);
        if (error != 0)
            add_reason(choice, "romio_autotune_record", record, strerror(error));
        choice->recorded = error == 0;
    }
}

/* Attach what is to be remembered.  Ranks record together or not at all. */
static void remember(ADIO_File fd, const ADIOI_AUTOTUNE_wrapped *wrapped,
                     const struct choice *choice, const char *record, int rank)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_create(fd);

    if (state != NULL)
        state->wrapped = wrapped;
    if (!choice->recorded || atc_agree(fd->comm, state != NULL ? ATC_OK : ATC_NO_MEMORY) != ATC_OK)
        return;
    state->recorded = 1;
    if (rank == 0) {
        state->record = ADIOI_Strdup(record);
        state->filename = ADIOI_Strdup(fd->filename);
    }
}

static void report(ADIO_File fd, const ADIOI_AUTOTUNE_wrapped *wrapped, const struct choice *choice)
{
    ADIOI_Info_set(fd->info, "romio_autotune",
                   ADIOI_AUTOTUNE_mode_name((ADIOI_AUTOTUNE_mode) choice->mode));
    ADIOI_Info_set(fd->info, "romio_autotune_wrapped", wrapped->name);
    if (choice->mode == ADIOI_AUTOTUNE_DISABLE)
        set_status(fd, "disabled");
    else
        ADIOI_AUTOTUNE_report_default(fd, choice->reason[0] != '\0' ? choice->reason
                                                                    : "no decision was made");
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
    char record[MPI_MAX_INFO_VAL + 1];
    struct choice choice;
    const char *path, *prefix;
    size_t prefix_length;
    int rank;

    MPI_Comm_rank(fd->comm, &rank);
    path = ADIOI_AUTOTUNE_split_name(fd->filename, &prefix, &prefix_length);
    if (rank == 0) {
        wrapped = ADIOI_AUTOTUNE_wrapped_by_file(fd->filename, &path);
        choose(wrapped, users_info, &choice, record);
    }
    MPI_Bcast(&choice, sizeof(choice), MPI_BYTE, 0, fd->comm);
    if (choice.wrapped < 0) {
        /* ADIO_Open needs hints before OpenColl can refuse */
        ADIOI_GEN_SetInfo(fd, MPI_INFO_NULL, error_code);
        return;
    }

    rename_file(fd, path);
    wrapped = ADIOI_AUTOTUNE_wrapped_at(choice.wrapped);
    remember(fd, wrapped, &choice, record, rank);
    ADIOI_AUTOTUNE_install(fd, wrapped, choice.recorded);
    wrapped->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
    report(fd, wrapped, &choice);
}

/*
 * A larger cb_buffer_size after open needs a larger buffer: ROMIO allocates it
 * in ADIO_Open only (ad_open.c:135) and would write past its end.  The buffer
 * cannot move while a collective operation may hold it.
 */
static void grow_buffer(ADIO_File fd, int old_size)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);
    char text[32], reason[128];

    if (state != NULL && !state->nonblocking && fd->split_coll_count == 0 &&
        fd->io_buf_window == MPI_WIN_NULL) {
        ADIOI_Free(fd->io_buf);
        fd->io_buf = ADIOI_Malloc(fd->hints->cb_buffer_size);
        return;
    }
    snprintf(reason, sizeof(reason),
             "cb_buffer_size=%d ignored: the buffer of %d may be in use by a collective operation",
             fd->hints->cb_buffer_size, old_size);
    ADIOI_AUTOTUNE_report_default(fd, reason);
    fd->hints->cb_buffer_size = old_size;
    snprintf(text, sizeof(text), "%d", old_size);
    ADIOI_Info_set(fd->info, "cb_buffer_size", text);
}

void ADIOI_AUTOTUNE_SetInfo_again(ADIO_File fd, MPI_Info users_info, int *error_code)
{
    const ADIOI_AUTOTUNE_wrapped *wrapped = ADIOI_AUTOTUNE_wrapped_of(fd);
    int old_size = fd->hints->cb_buffer_size;

    if (!fd->hints->initialized) {
        /* the hidden file of a shared file pointer, which ROMIO opens with
         * its owner's table (ad_get_sh_fp.c:38): nothing to tune there */
        fd->fns = wrapped->fns;
        fd->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
        return;
    }
    wrapped->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
    if (fd->hints->cb_buffer_size > old_size)
        grow_buffer(fd, old_size);
}
