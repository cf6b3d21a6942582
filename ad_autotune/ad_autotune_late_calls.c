#include "ad_autotune_late.h"

#include "adioi.h"

#ifdef ROMIO_LUSTRE

#include "../ad_lustre/ad_lustre.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* As ADIOI_LUSTRE_Open (ad_lustre_open.c:75), of a file that is there. */
void ADIOI_AUTOTUNE_Open_late(ADIO_File fd, int *error_code)
{
    int flags = O_LOV_DELAY_CREATE | (fd->access_mode & ADIO_RDWR     ? O_RDWR
                                      : fd->access_mode & ADIO_WRONLY ? O_WRONLY
                                                                      : O_RDONLY);

    fd->fd_direct = -1;
    fd->fd_sys = open(fd->filename, flags);
    if (fd->fd_sys >= 0 && (fd->direct_write || fd->direct_read)) {
        fd->fd_direct = open(fd->filename, flags | O_DIRECT);
        fd->d_mem = fd->d_miniosz = 4096;
        if (fd->fd_direct < 0)
            fd->direct_write = fd->direct_read = 0;
    }
    if (fd->fd_sys >= 0 && (fd->access_mode & ADIO_APPEND))
        fd->fp_ind = fd->fp_sys_posn = lseek(fd->fd_sys, 0, SEEK_END);
    *error_code = fd->fd_sys >= 0
                      ? MPI_SUCCESS
                      : ADIOI_Err_create_code("ADIOI_AUTOTUNE_OPEN", fd->filename, errno);
}

/* A layout first, then the slot of the table that the file has from then on. */
#define LATE(slot, parameters, arguments)                                                          \
    void ADIOI_AUTOTUNE_##slot##_late parameters                                                   \
    {                                                                                              \
        ADIOI_AUTOTUNE_late_settle_alone(fd, ADIOI_AUTOTUNE_state_of(fd), error_code);             \
        if (*error_code == MPI_SUCCESS)                                                            \
            fd->fns->ADIOI_xxx_##slot arguments;                                                   \
    }
#define BLOCKING(slot, pointer)                                                                    \
    LATE(slot,                                                                                     \
         (ADIO_File fd, pointer buf, ADIOI_AUTOTUNE_count count, MPI_Datatype datatype,            \
          int file_ptr_type, ADIO_Offset offset, ADIO_Status *status, int *error_code),            \
         (fd, buf, count, datatype, file_ptr_type, offset, status, error_code))
#define NONBLOCKING(slot, pointer)                                                                 \
    LATE(slot,                                                                                     \
         (ADIO_File fd, pointer buf, ADIOI_AUTOTUNE_count count, MPI_Datatype datatype,            \
          int file_ptr_type, ADIO_Offset offset, ADIO_Request *request, int *error_code),          \
         (fd, buf, count, datatype, file_ptr_type, offset, request, error_code))

BLOCKING(ReadContig, void *)
BLOCKING(WriteContig, const void *)
BLOCKING(ReadStrided, void *)
BLOCKING(WriteStrided, const void *)
NONBLOCKING(IreadContig, void *)
NONBLOCKING(IwriteContig, const void *)
NONBLOCKING(IreadStrided, void *)
NONBLOCKING(IwriteStrided, const void *)

static ADIOI_Fns *wrapped_fns(ADIO_File fd)
{
    return ADIOI_AUTOTUNE_wrapped_of(fd)->fns;
}

/* Neither the size nor the mode of access needs a layout; libraries ask for them
 * before they know what they write. */
void ADIOI_AUTOTUNE_Fcntl_late(ADIO_File fd, int flag, ADIO_Fcntl_t *fcntl_struct, int *error_code)
{
    if (flag != ADIO_FCNTL_SET_DISKSPACE)
        wrapped_fns(fd)->ADIOI_xxx_Fcntl(fd, flag, fcntl_struct, error_code);
    if (flag != ADIO_FCNTL_SET_DISKSPACE && *error_code == MPI_SUCCESS)
        return;
    ADIOI_AUTOTUNE_late_settle_alone(fd, ADIOI_AUTOTUNE_state_of(fd), error_code);
    if (*error_code == MPI_SUCCESS)
        fd->fns->ADIOI_xxx_Fcntl(fd, flag, fcntl_struct, error_code);
}

void ADIOI_AUTOTUNE_Flush_late(ADIO_File fd, int *error_code)
{
    wrapped_fns(fd)->ADIOI_xxx_Flush(fd, error_code);
    if (*error_code == MPI_SUCCESS)
        return;
    ADIOI_AUTOTUNE_late_settle_alone(fd, ADIOI_AUTOTUNE_state_of(fd), error_code);
    if (*error_code == MPI_SUCCESS)
        fd->fns->ADIOI_xxx_Flush(fd, error_code);
}

/* Libraries truncate what they create.  One rank resizes and informs the others
 * (ad_resize.c:20), so all of them have to call it, whatever happened before. */
void ADIOI_AUTOTUNE_Resize_late(ADIO_File fd, ADIO_Offset size, int *error_code)
{
    int rank, error = MPI_SUCCESS;

    MPI_Comm_rank(fd->comm, &rank);
    if (size > 0 || (rank == fd->hints->ranklist[0] && ftruncate(fd->fd_sys, 0) != 0))
        ADIOI_AUTOTUNE_late_settle_alone(fd, ADIOI_AUTOTUNE_state_of(fd), &error);
    wrapped_fns(fd)->ADIOI_xxx_Resize(fd, size, error_code);
    if (*error_code == MPI_SUCCESS)
        *error_code = error;
}

#endif
