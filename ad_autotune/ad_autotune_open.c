#include "ad_autotune.h"

#include "adioi.h"

#include <stdio.h>

int ADIOI_AUTOTUNE_unsupported(const char *where)
{
    return MPIO_Err_create_code(MPI_SUCCESS, MPIR_ERR_RECOVERABLE, where, __LINE__, MPI_ERR_IO,
                                "**iofstypeunsupported", 0);
}

/* Only a file whose name has an unknown prefix still has our table here. */
void ADIOI_AUTOTUNE_OpenColl(ADIO_File fd, int rank, int access_mode, int *error_code)
{
    (void) fd, (void) rank, (void) access_mode;
    *error_code = ADIOI_AUTOTUNE_unsupported("ADIOI_AUTOTUNE_OPENCOLL");
}

/* As in ADIOI_GEN_OpenColl (ad_opencoll.c:144) writing needs to read as well; as
 * in ADIO_ImmediateOpen nobody else takes part.  The file pointer stays. */
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

/*
 * ROMIO's Lustre driver divides by the stripe size and count it finds at open;
 * with a file that has no layout (not on Lustre, or hints that Lustre refused)
 * the program would end or hang in the first collective write.  Such a file is
 * given to the plain driver instead.
 */
void ADIOI_AUTOTUNE_leave_lustre(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code)
{
    static const char no_layout[] = "the file has no Lustre layout; ufs is used";
    const ADIOI_AUTOTUNE_wrapped *plain = ADIOI_AUTOTUNE_wrapped_at(0);
    ADIO_Offset end = fd->fp_ind;

    if (fd->is_open)
        fd->fns->ADIOI_xxx_Close(fd, error_code);
    ADIOI_AUTOTUNE_install(fd, plain, ADIOI_AUTOTUNE_PLAIN);
    if (fd->is_open)
        ADIOI_AUTOTUNE_open_existing(fd, error_code);
    fd->fp_ind = end;
    ADIOI_AUTOTUNE_report_default(fd, no_layout);
    if (state != NULL) {
        state->wrapped = plain;
        snprintf(state->notes, sizeof(state->notes), "%s", no_layout);
    }
    ADIOI_Info_set(fd->info, "romio_autotune_wrapped", plain->name);
    ADIOI_Info_set(fd->info, "romio_filesystem_type", fd->fns->fsname);
}

static void open_wrapped(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int rank, int access_mode,
                         int *error_code)
{
    const ADIOI_AUTOTUNE_wrapped *wrapped = ADIOI_AUTOTUNE_wrapped_of(fd);

    if (state != NULL && state->mode != ADIOI_AUTOTUNE_DISABLE &&
        ADIOI_AUTOTUNE_late_create(fd, state, access_mode)) {
        wrapped->fns->ADIOI_xxx_OpenColl(fd, rank, access_mode & ~(ADIO_CREATE | ADIO_EXCL),
                                         error_code);
        fd->access_mode = access_mode;
        return;
    }
    wrapped->fns->ADIOI_xxx_OpenColl(fd, rank, access_mode, error_code);
    /* OpenColl has made the striping equal on all ranks */
    if (*error_code == MPI_SUCCESS && wrapped->file_system == ADIO_LUSTRE &&
        (fd->hints->striping_unit <= 0 || fd->hints->striping_factor <= 0))
        ADIOI_AUTOTUNE_leave_lustre(fd, state, error_code);
}

/*
 * This rank has no memory of the file, which MPI refused to keep.  Other ranks do
 * not know and decide with it; that the open failed is agreed on afterwards, in
 * ADIO_Open.  Rank 0 is never here: it would have switched the driver off.
 */
static void open_forgotten(ADIO_File fd, int rank, int access_mode, int *error_code)
{
    ADIOI_AUTOTUNE_state state = {.wrapped = ADIOI_AUTOTUNE_wrapped_of(fd),
                                  .buffer_size = fd->hints->cb_buffer_size};
    char mode[MPI_MAX_INFO_VAL + 1] = "";
    int flag;

    ADIOI_Info_get(fd->info, "romio_autotune", MPI_MAX_INFO_VAL, mode, &flag);
    if (ADIOI_AUTOTUNE_parse_mode(mode, &state.mode) != 0 || state.mode == ADIOI_AUTOTUNE_DISABLE) {
        open_wrapped(fd, NULL, rank, access_mode, error_code);
        return;
    }
    open_wrapped(fd, &state, rank, access_mode, error_code);
    ADIOI_AUTOTUNE_tune_open(fd, &state, access_mode);
    if (*error_code == MPI_SUCCESS)
        fd->fns->ADIOI_xxx_Close(fd, error_code);
    *error_code = MPIO_Err_create_code(MPI_SUCCESS, MPIR_ERR_RECOVERABLE, "ADIOI_AUTOTUNE_OPENCOLL",
                                       __LINE__, MPI_ERR_OTHER, "**nomem2", 0);
}

/*
 * Our collective slots come into the table only here: ADIO_Open defers opens only
 * for a driver whose collective functions are ROMIO's own (ad_open.c:142).
 * Decisions are made when the file is open: striping and block size are known.
 */
void ADIOI_AUTOTUNE_OpenColl_wrapped(ADIO_File fd, int rank, int access_mode, int *error_code)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);

    if (state == NULL) {
        open_forgotten(fd, rank, access_mode, error_code);
        return;
    }
    open_wrapped(fd, state, rank, access_mode, error_code);
    state->opened = *error_code == MPI_SUCCESS;
    state->buffer_size = fd->hints->cb_buffer_size;
    if (state->mode != ADIOI_AUTOTUNE_DISABLE)
        ADIOI_AUTOTUNE_tune_open(fd, state, access_mode);
    if (state->late)
        ADIOI_AUTOTUNE_install(fd, state->wrapped, ADIOI_AUTOTUNE_LATE);
    else
        ADIOI_AUTOTUNE_install_watched(fd, state);
    if (state->late && state->settings != NULL && !state->opened)
        ADIOI_AUTOTUNE_late_settle_alone(fd, state);
}
