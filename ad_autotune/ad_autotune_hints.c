#include "ad_autotune.h"

#include "adioi.h"
#include "hint_fns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rank 0 finds out for everybody at open.  Sent as bytes. */
struct choice {
    int wrapped;      /* index, or -1: the name's prefix is no driver's */
    int mode;         /* ADIOI_AUTOTUNE_mode */
    char reason[128]; /* why a hint was ignored, or empty */
};

static void set_info(ADIO_File fd, const char *key, const char *value)
{
    ADIOI_Info_set(fd->info, key, value);
}

void ADIOI_AUTOTUNE_report_default(ADIO_File fd, const char *reason)
{
    char status[192];

    snprintf(status, sizeof(status), "default: %s", reason);
    set_info(fd, "romio_autotune_status", status);
}

/* The hint romio_autotune, else the variable ROMIO_AUTOTUNE; "" if neither. */
static void get_mode_text(MPI_Info users_info, char *text, int size)
{
    const char *variable = getenv("ROMIO_AUTOTUNE");
    int flag = 0;

    if (users_info != MPI_INFO_NULL)
        ADIOI_Info_get(users_info, "romio_autotune", size - 1, text, &flag);
    if (!flag)
        snprintf(text, size, "%s", variable != NULL ? variable : "");
}

static void choose(const ADIOI_AUTOTUNE_wrapped *wrapped, MPI_Info users_info,
                   struct choice *choice)
{
    ADIOI_AUTOTUNE_mode mode = ADIOI_AUTOTUNE_AUTOMATIC;
    char text[MPI_MAX_INFO_VAL + 1];

    memset(choice, 0, sizeof(*choice));
    choice->wrapped = wrapped != NULL ? ADIOI_AUTOTUNE_wrapped_index(wrapped) : -1;
    get_mode_text(users_info, text, sizeof(text));
    if (text[0] != '\0' && ADIOI_AUTOTUNE_parse_mode(text, &mode) != 0)
        snprintf(choice->reason, sizeof(choice->reason),
                 "romio_autotune=%.40s ignored: not enable, disable or automatic", text);
    choice->mode = mode;
}

static void report(ADIO_File fd, const ADIOI_AUTOTUNE_wrapped *wrapped, const struct choice *choice)
{
    set_info(fd, "romio_autotune", ADIOI_AUTOTUNE_mode_name((ADIOI_AUTOTUNE_mode) choice->mode));
    set_info(fd, "romio_autotune_wrapped", wrapped->name);
    if (choice->mode == ADIOI_AUTOTUNE_DISABLE)
        set_info(fd, "romio_autotune_status", "disabled");
    else
        ADIOI_AUTOTUNE_report_default(fd, choice->reason[0] != '\0' ? choice->reason
                                                                    : "no decision was made");
}

/*
 * First call of an open.  The name's prefix is judged on rank 0 alone, so that
 * ranks whose names differ in spelling cannot end in different drivers.
 */
void ADIOI_AUTOTUNE_SetInfo(ADIO_File fd, MPI_Info users_info, int *error_code)
{
    const ADIOI_AUTOTUNE_wrapped *wrapped = NULL;
    struct choice choice;
    const char *path, *prefix;
    size_t prefix_length;
    char *filename;
    int rank;

    MPI_Comm_rank(fd->comm, &rank);
    if (rank == 0) {
        wrapped = ADIOI_AUTOTUNE_wrapped_by_file(fd->filename, &path);
        choose(wrapped, users_info, &choice);
    } else {
        path = ADIOI_AUTOTUNE_split_name(fd->filename, &prefix, &prefix_length);
    }
    MPI_Bcast(&choice, sizeof(choice), MPI_BYTE, 0, fd->comm);
    if (choice.wrapped < 0) {
        /* ADIO_Open needs hints before OpenColl can refuse */
        ADIOI_GEN_SetInfo(fd, MPI_INFO_NULL, error_code);
        return;
    }

    filename = ADIOI_Strdup(path);
    ADIOI_Free(fd->filename);
    fd->filename = filename;
    wrapped = ADIOI_AUTOTUNE_wrapped_at(choice.wrapped);
    ADIOI_AUTOTUNE_install(fd, wrapped);
    wrapped->fns->ADIOI_xxx_SetInfo(fd, users_info, error_code);
    report(fd, wrapped, &choice);
    ADIOI_AUTOTUNE_state_create(fd);
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
    set_info(fd, "cb_buffer_size", text);
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
