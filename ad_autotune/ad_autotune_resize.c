#include "ad_autotune_call.h"

#include "adioi.h"

/*
 * ADIOI_NFS_Resize truncates on every rank, and none waits for the others
 * (ad_nfs_resize.c:19): a late truncation would erase what a rank that has
 * already returned writes in the meantime.
 */
void ADIOI_AUTOTUNE_Resize_waiting(ADIO_File fd, ADIO_Offset size, int *error_code)
{
    int error;

    ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_Resize(fd, size, error_code);
    error = MPI_Barrier(fd->comm);
    if (*error_code == MPI_SUCCESS)
        *error_code = error;
}
