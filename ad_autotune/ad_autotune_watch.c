#include "ad_autotune.h"

#include "adioi.h"

/*
 * The collective call that this thread is in.  Two-phase I/O makes its
 * accesses through the contiguous slots of the same file and thread; any other
 * access, as an independent one, is not part of it and is passed on untimed.
 */
static _Thread_local struct {
    ADIO_File fd;
    ADIOI_AUTOTUNE_counters *counters;
    double start;
} current;

static void enter(ADIO_File fd, int writes, ADIOI_AUTOTUNE_count count, MPI_Datatype datatype,
                  int file_ptr_type, ADIO_Offset offset)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);

    if (state->mode != ADIOI_AUTOTUNE_DISABLE && ADIOI_AUTOTUNE_tune_due(fd, state))
        ADIOI_AUTOTUNE_tune_call(fd, state, writes,
                                 ADIOI_AUTOTUNE_access(fd, count, datatype, file_ptr_type, offset));
    if (state->late)
        ADIOI_AUTOTUNE_late_settle(fd, state);
    current.fd = fd;
    current.counters = writes ? &state->write : &state->read;
    current.start = MPI_Wtime();
}

static void leave(void)
{
    current.counters->calls++;
    current.counters->seconds += MPI_Wtime() - current.start;
    current.fd = NULL;
}

/* Note an access of the current call that began at start. */
static void note_access(double start, ADIOI_AUTOTUNE_count count, MPI_Datatype datatype)
{
    MPI_Count size;

    MPI_Type_size_x(datatype, &size);
    current.counters->accesses++;
    current.counters->bytes += (double) size * (double) count;
    current.counters->storage_seconds += MPI_Wtime() - start;
}

void ADIOI_AUTOTUNE_ReadStridedColl(ADIO_File fd, void *buf, ADIOI_AUTOTUNE_count count,
                                    MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                    ADIO_Status *status, int *error_code)
{
    enter(fd, 0, count, datatype, file_ptr_type, offset);
    ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_ReadStridedColl(
        fd, buf, count, datatype, file_ptr_type, offset, status, error_code);
    leave();
}

void ADIOI_AUTOTUNE_WriteStridedColl(ADIO_File fd, const void *buf, ADIOI_AUTOTUNE_count count,
                                     MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                     ADIO_Status *status, int *error_code)
{
    enter(fd, 1, count, datatype, file_ptr_type, offset);
    ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_WriteStridedColl(
        fd, buf, count, datatype, file_ptr_type, offset, status, error_code);
    leave();
}

void ADIOI_AUTOTUNE_ReadContig(ADIO_File fd, void *buf, ADIOI_AUTOTUNE_count count,
                               MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                               ADIO_Status *status, int *error_code)
{
    double start = fd == current.fd ? MPI_Wtime() : 0;

    ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_ReadContig(
        fd, buf, count, datatype, file_ptr_type, offset, status, error_code);
    if (fd == current.fd)
        note_access(start, count, datatype);
}

void ADIOI_AUTOTUNE_WriteContig(ADIO_File fd, const void *buf, ADIOI_AUTOTUNE_count count,
                                MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                ADIO_Status *status, int *error_code)
{
    double start = fd == current.fd ? MPI_Wtime() : 0;

    ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_WriteContig(
        fd, buf, count, datatype, file_ptr_type, offset, status, error_code);
    if (fd == current.fd)
        note_access(start, count, datatype);
}
