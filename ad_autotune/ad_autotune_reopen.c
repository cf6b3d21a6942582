#include "ad_autotune_apply.h"

#include "ad_autotune_report.h"
#include "adioi.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* As in ADIOI_GEN_OpenColl (ad_opencoll.c:144), writing needs read access as
 * well; as in ADIO_ImmediateOpen, no other rank takes part.  The file pointer is
 * kept. */
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

/* A rank that has opened a file of writes by itself (ad_iopen.c:8) cannot read it;
 * an aggregator that cannot read what is between the data leaves the others waiting for its own
 * (ad_write_coll.c:635).  The descriptor keeps its number, which operations that are under way
 * have. */
void ADIOI_AUTOTUNE_open_for_reading(ADIO_File fd)
{
    int kept = fd->fd_sys, direct = fd->fd_direct, error;

    if (!(fd->access_mode & ADIO_WRONLY) || (fcntl(kept, F_GETFL) & O_ACCMODE) != O_WRONLY)
        return;
    ADIOI_AUTOTUNE_open_existing(fd, &error);
    if (error == MPI_SUCCESS) {
        dup2(fd->fd_sys, kept);
        close(fd->fd_sys);
        if (fd->fd_direct >= 0 && fd->fd_direct != direct)
            close(fd->fd_direct);
    }
    fd->fd_sys = kept;
    fd->fd_direct = direct;
}

/*
 * ROMIO's Lustre driver divides by the stripe size and count it finds at open;
 * with a file that has no layout (not on Lustre, or hints that Lustre refused)
 * the program would crash or hang in the first collective write.  Such a file
 * is given to the UFS driver instead.
 */
void ADIOI_AUTOTUNE_leave_lustre(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code)
{
    static const char no_layout[] = "the file has no Lustre layout; ufs is used";
    const ADIOI_AUTOTUNE_wrapped *ufs = ADIOI_AUTOTUNE_wrapped_at(0);
    ADIO_Offset end = fd->fp_ind;

    if (fd->is_open)
        fd->fns->ADIOI_xxx_Close(fd, error_code);
    ADIOI_AUTOTUNE_install(fd, ufs, ADIOI_AUTOTUNE_PLAIN);
    if (fd->is_open)
        ADIOI_AUTOTUNE_open_existing(fd, error_code);
    fd->fp_ind = end;
    state->wrapped = ufs;
    if (state->root != NULL)
        snprintf(state->root->failure.text, sizeof(state->root->failure.text), "%s", no_layout);
    ADIOI_AUTOTUNE_report_default(fd, no_layout);
    ADIOI_Info_set(fd->info, "romio_autotune_wrapped", ufs->name);
    ADIOI_Info_set(fd->info, "romio_filesystem_type", fd->fns->fsname);
}
