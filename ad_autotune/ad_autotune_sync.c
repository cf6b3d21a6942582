#include "ad_autotune_call.h"

#include "ad_autotune_state.h"
#include "adioi.h"

#include <errno.h>
#include <unistd.h>

/*
 * MPI_File_sync: ROMIO has no fsync where it does not know that this process wrote, and it notes
 * that in ADIOI_GEN_WriteContig alone (ad_write.c:92).  The drivers of Lustre and NFS have
 * functions of their own, and no driver's nonblocking writes are noted: after these a sync did
 * nothing.
 */

#define MARKED(slot, last_type)                                                                    \
    void ADIOI_AUTOTUNE_##slot##_marked(ADIO_File fd, const void *buf, ADIOI_AUTOTUNE_count count, \
                                        MPI_Datatype datatype, int file_ptr_type,                  \
                                        ADIO_Offset offset, last_type *last, int *error_code)      \
    {                                                                                              \
        fd->dirty_write = 1;                                                                       \
        ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_##slot(                                      \
            fd, buf, count, datatype, file_ptr_type, offset, last, error_code);                    \
    }

MARKED(WriteContig, ADIO_Status)
MARKED(WriteStrided, ADIO_Status)
MARKED(IwriteContig, ADIO_Request)

/* What a sync and a close take is part of what a file takes on its storage; NULL: of one rank
 * alone, while it is created. */
static void add_seconds(ADIO_File fd, double start)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);

    if (state != NULL)
        state->settle_seconds += MPI_Wtime() - start;
}

/* The GPFS driver has one rank call fsync (ad_gpfs_flush.c:33), which is not said to reach what
 * other nodes hold.  Its own flush is collective, and follows whatever happened here. */
void ADIOI_AUTOTUNE_Flush_own(ADIO_File fd, int *error_code)
{
    double start = MPI_Wtime();
    int error = 0;

    if (fd->file_system == ADIO_GPFS && fd->is_open && fd->dirty_write) {
        error = fsync(fd->fd_sys) != 0 ? errno : 0;
        fd->dirty_write = error != 0;
    }
    ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_Flush(fd, error_code);
    if (*error_code == MPI_SUCCESS && error != 0)
        *error_code = ADIOI_Err_create_code("ADIOI_AUTOTUNE_FLUSH", fd->filename, error);
    add_seconds(fd, start);
}

void ADIOI_AUTOTUNE_Close_own(ADIO_File fd, int *error_code)
{
    double start = MPI_Wtime();

    ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_Close(fd, error_code);
    add_seconds(fd, start);
}
