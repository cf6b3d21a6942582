#include "ad_autotune_call.h"

#include "ad_autotune_late.h"
#include "ad_autotune_plan.h"
#include "ad_autotune_report.h"
#include "ad_autotune_state.h"

/*
 * A nonblocking collective holds fd->io_buf until it completes, which no slot
 * reports; from the first one on the buffer is never replaced.  Nothing here may
 * wait for other ranks.
 */
static void begin_nonblocking(ADIO_File fd, int *error_code)
{
    ADIOI_AUTOTUNE_state *state = ADIOI_AUTOTUNE_state_of(fd);

    *error_code = MPI_SUCCESS;
    if (state->late)
        ADIOI_AUTOTUNE_late_settle_alone(fd, state, error_code);
    /* without two-phase I/O they hang if a rank has no bytes (ad_write_str.c:343),
     * and we must not cause that */
    if (!state->nonblocking && state->due > 0) {
        ADIOI_AUTOTUNE_plan plan = ADIOI_AUTOTUNE_plan_of(fd);

        plan.cb_read = state->cb_read;
        plan.cb_write = state->cb_write;
        ADIOI_AUTOTUNE_plan_set(fd, &plan);
        ADIOI_AUTOTUNE_echo_remember(fd, state);
    }
    state->nonblocking = 1;
}

void ADIOI_AUTOTUNE_IreadStridedColl(ADIO_File fd, void *buf, ADIOI_AUTOTUNE_count count,
                                     MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                     ADIO_Request *request, int *error_code)
{
    begin_nonblocking(fd, error_code);
    if (*error_code == MPI_SUCCESS)
        ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_IreadStridedColl(
            fd, buf, count, datatype, file_ptr_type, offset, request, error_code);
}

void ADIOI_AUTOTUNE_IwriteStridedColl(ADIO_File fd, const void *buf, ADIOI_AUTOTUNE_count count,
                                      MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                      ADIO_Request *request, int *error_code)
{
    begin_nonblocking(fd, error_code);
    if (*error_code == MPI_SUCCESS)
        ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_IwriteStridedColl(
            fd, buf, count, datatype, file_ptr_type, offset, request, error_code);
}
