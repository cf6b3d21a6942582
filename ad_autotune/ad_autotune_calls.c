#include "ad_autotune_call.h"

#include "ad_autotune_decide.h"
#include "ad_autotune_late.h"
#include "ad_autotune_plan.h"
#include "ad_autotune_record.h"
#include "ad_autotune_report.h"
#include "ad_autotune_state.h"
#include "adioi.h"

#include <errno.h>
#include <unistd.h>

/* --- collective calls and accesses, timed */

/*
 * Accesses to a file that is not recorded matter only inside its collective
 * calls: for their duration it has the table of a recorded file, and at all
 * other times ROMIO calls the wrapped driver directly.
 *
 * What this thread is doing: a collective call, or an access outside one.
 * Two-phase I/O accesses the file through the contiguous and strided slots of
 * the same file in the same thread; these may call each other, and only the
 * outermost is counted.
 */
static _Thread_local struct {
    ADIO_File fd;
    ADIOI_AUTOTUNE_counters *collective; /* NULL: not in a collective call */
    int accessing;
} current;

static double bytes_of(ADIOI_AUTOTUNE_count count, MPI_Datatype datatype)
{
    MPI_Count size;

    MPI_Type_size_x(datatype, &size);
    return (double) size * (double) count;
}

/* --- collective calls */

typedef struct call {
    ADIOI_AUTOTUNE_state *state;
    ADIOI_AUTOTUNE_counters *counters, before;
    ADIOI_AUTOTUNE_table table; /* that the file had before the call */
    double start, bytes;        /* of this rank, as the latter */
    int writes;
    int *exchange; /* the hint that makes ROMIO exchange offsets, while it is off; else NULL */
} call;

/*
 * If ranks are disjoint, ROMIO's automatic mode means independent access, after an
 * exchange of all ranks' offsets (ad_write_coll.c:99, ad_read_coll.c:119).  The
 * decision has just exchanged them, so this call skips that exchange.  Lustre's
 * writes depend on more than that (ad_lustre_wrcoll.c:211).
 */
static int *skip_exchange(ADIO_File fd, int writes)
{
    int *hint = writes ? &fd->hints->cb_write : &fd->hints->cb_read;

    if (*hint != ADIOI_HINT_AUTO || (writes && fd->file_system == ADIO_LUSTRE))
        return NULL;
    *hint = ADIOI_HINT_DISABLE;
    return hint;
}

/* Decide if a decision is due, and give a late file its layout; returns whether ranks
 * are disjoint in this call. */
static int decide_if_due(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int writes,
                         ADIOI_AUTOTUNE_count count, MPI_Datatype datatype, int file_ptr_type,
                         ADIO_Offset offset, int *error_code)
{
    /* the wrapped driver does not wait for other ranks in this mode; the beginning of
     * a split collective must not either (MPI 4.0, 14.4.5) */
    int alone = fd->split_coll_count > 0 &&
                (writes ? state->cb_write : state->cb_read) == ADIOI_HINT_DISABLE;
    int due = state->mode != ADIOI_AUTOTUNE_DISABLE && ADIOI_AUTOTUNE_tune_due(fd, state);
    int disjoint = 0;

    *error_code = MPI_SUCCESS;
    if (due && !alone)
        disjoint = ADIOI_AUTOTUNE_tune_call(
            fd, state, writes, ADIOI_AUTOTUNE_access(fd, count, datatype, file_ptr_type, offset));
    if (state->late && alone)
        ADIOI_AUTOTUNE_late_settle_alone(fd, state, error_code);
    else if (state->late)
        ADIOI_AUTOTUNE_late_settle(fd, state, error_code);
    return disjoint;
}

static call begin_collective(ADIO_File fd, int writes, ADIOI_AUTOTUNE_count count,
                             MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                             int *error_code)
{
    call call = {
        .state = ADIOI_AUTOTUNE_state_of(fd), .writes = writes, .bytes = bytes_of(count, datatype)};
    int disjoint =
        decide_if_due(fd, call.state, writes, count, datatype, file_ptr_type, offset, error_code);

    if (*error_code != MPI_SUCCESS)
        return call;
    if (disjoint)
        call.exchange = skip_exchange(fd, writes);
    call.counters = writes ? &call.state->write : &call.state->read;
    call.before = *call.counters;
    call.table = ADIOI_AUTOTUNE_table_of(fd);
    ADIOI_AUTOTUNE_install(fd, call.state->wrapped, ADIOI_AUTOTUNE_RECORDED);
    current.fd = fd;
    current.collective = call.counters;
    call.start = MPI_Wtime();
    return call;
}

static void end_collective(ADIO_File fd, const call *call)
{
    const ADIOI_AUTOTUNE_counters *now = call->counters, *before = &call->before;
    double seconds = MPI_Wtime() - call->start;

    ADIOI_AUTOTUNE_install(fd, call->state->wrapped, call->table);
    current.fd = NULL;
    current.collective = NULL;
    call->counters->calls++;
    call->counters->seconds += seconds;
    if (call->writes) {
        ADIOI_AUTOTUNE_dirty_add(call->state, call->bytes);
        ADIOI_AUTOTUNE_written_add(call->state, call->bytes);
    }
    if (call->exchange != NULL) /* not what the model predicts, so not used to correct it */
        *call->exchange = ADIOI_HINT_AUTO;
    else if (ADIOI_AUTOTUNE_is_like(call->state, call->writes, call->bytes))
        ADIOI_AUTOTUNE_measure(call->state, seconds,
                               now->storage_seconds - before->storage_seconds);
    if (call->state->recorded)
        ADIOI_AUTOTUNE_record_call(
            call->state, &(ADIOI_AUTOTUNE_call){.seconds = seconds,
                                                .storage_seconds =
                                                    now->storage_seconds - before->storage_seconds,
                                                .bytes = now->bytes - before->bytes,
                                                .accesses = now->accesses - before->accesses,
                                                .at = call->start - call->state->opened_at,
                                                .write = call->writes});
}

/* --- accesses */

/* The counters for an access, or NULL: it is not counted. */
static ADIOI_AUTOTUNE_counters *begin_access(ADIO_File fd, int writes)
{
    ADIOI_AUTOTUNE_state *state;

    if (current.fd == fd) {
        if (current.accessing)
            return NULL;
        current.accessing = 1;
        return current.collective;
    }
    state = ADIOI_AUTOTUNE_state_of(fd);
    if (!state->recorded || current.fd != NULL)
        return NULL;
    current.fd = fd;
    current.accessing = 1;
    return writes ? &state->write : &state->read;
}

static void end_access(ADIOI_AUTOTUNE_counters *counters, double start, double bytes)
{
    double seconds = MPI_Wtime() - start;

    current.accessing = 0;
    if (counters == current.collective) {
        counters->accesses++;
        counters->bytes += bytes;
        counters->storage_seconds += seconds;
    } else {
        current.fd = NULL;
        counters->independent_calls++;
        counters->independent_bytes += bytes;
        counters->independent_seconds += seconds;
    }
}

/*
 * Two-phase I/O has no strided accesses: one inside a collective write is of a rank whose access
 * ROMIO found large enough to be left alone (ADIOI_AUTOTUNE_plan.threshold), which needs no stripe
 * read first (ad_lustre_wrstr.c:377).
 */
static int *skip_sieving(ADIO_File fd, const ADIOI_AUTOTUNE_counters *counters)
{
    const ADIOI_AUTOTUNE_decision *decision = &ADIOI_AUTOTUNE_state_of(fd)->decision;

    if (counters == NULL || counters != current.collective || fd->file_system != ADIO_LUSTRE ||
        !decision->tuned || !decision->config.by_size || fd->hints->cb_write != ADIOI_HINT_AUTO ||
        fd->hints->ds_write != ADIOI_HINT_AUTO)
        return NULL;
    fd->hints->ds_write = ADIOI_HINT_DISABLE;
    return &fd->hints->ds_write;
}

/* --- slots */

#define PARAMETERS(pointer)                                                                        \
    ADIO_File fd, pointer buf, ADIOI_AUTOTUNE_count count, MPI_Datatype datatype,                  \
        int file_ptr_type, ADIO_Offset offset
#define ARGUMENTS fd, buf, count, datatype, file_ptr_type, offset
#define WRAPPED(slot) ADIOI_AUTOTUNE_wrapped_of(fd)->fns->ADIOI_xxx_##slot

#define COLLECTIVE(slot, pointer, writes)                                                          \
    void ADIOI_AUTOTUNE_##slot(PARAMETERS(pointer), ADIO_Status *status, int *error_code)          \
    {                                                                                              \
        call call =                                                                                \
            begin_collective(fd, writes, count, datatype, file_ptr_type, offset, error_code);      \
                                                                                                   \
        if (*error_code != MPI_SUCCESS)                                                            \
            return;                                                                                \
        WRAPPED(slot)(ARGUMENTS, status, error_code);                                              \
        end_collective(fd, &call);                                                                 \
    }

#define ACCESS(slot, pointer, writes, last, last_type)                                             \
    void ADIOI_AUTOTUNE_##slot(PARAMETERS(pointer), last_type *last, int *error_code)              \
    {                                                                                              \
        ADIOI_AUTOTUNE_counters *counters = begin_access(fd, writes);                              \
        double start = counters != NULL ? MPI_Wtime() : 0;                                         \
                                                                                                   \
        if (writes)                                                                                \
            fd->dirty_write = 1; /* ad_autotune_calls.c */                                         \
        WRAPPED(slot)(ARGUMENTS, last, error_code);                                                \
        if (counters != NULL)                                                                      \
            end_access(counters, start, bytes_of(count, datatype));                                \
    }

COLLECTIVE(ReadStridedColl, void *, 0)
COLLECTIVE(WriteStridedColl, const void *, 1)
ACCESS(ReadContig, void *, 0, status, ADIO_Status)
ACCESS(WriteContig, const void *, 1, status, ADIO_Status)
ACCESS(ReadStrided, void *, 0, status, ADIO_Status)
ACCESS(IreadContig, void *, 0, request, ADIO_Request)
ACCESS(IwriteContig, const void *, 1, request, ADIO_Request)
ACCESS(IreadStrided, void *, 0, request, ADIO_Request)
ACCESS(IwriteStrided, const void *, 1, request, ADIO_Request)

void ADIOI_AUTOTUNE_WriteStrided(PARAMETERS(const void *), ADIO_Status *status, int *error_code)
{
    ADIOI_AUTOTUNE_counters *counters = begin_access(fd, 1);
    double start = counters != NULL ? MPI_Wtime() : 0;
    int *sieving = skip_sieving(fd, counters);

    fd->dirty_write = 1;
    WRAPPED(WriteStrided)(ARGUMENTS, status, error_code);
    if (sieving != NULL)
        *sieving = ADIOI_HINT_AUTO;
    if (counters != NULL)
        end_access(counters, start, bytes_of(count, datatype));
}

/* --- nonblocking collective calls */

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

/* --- MPI_File_set_size over NFS */

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

/* --- MPI_File_sync */

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
