/*
 * ad_autotune: a driver that tunes the driver it wraps.
 *
 *   MPI_File_open("autotune:[ufs:|nfs:|gpfs:|lustre:]/path")
 *
 * In the direction of data, every file calls only files further down:
 *
 *   entry     ad_autotune.c              the tables: which slots are ours; MPI_File_delete
 *             ad_autotune_open.c         SetInfo at open: mode, driver, hints; OpenColl
 *             ad_autotune_set_info.c     MPI_File_set_info, MPI_File_set_view
 *             ad_autotune_close.c        when fd->comm is freed
 *   hints     ad_autotune_settings.c     the user's hints, ours and ROMIO's
 *   call      ad_autotune_calls.c        collective calls and accesses, timed; MPI_File_sync
 *   decide    ad_autotune_tune.c         when a decision is due
 *             ad_autotune_prepare.c      what decisions start from: servers, MPI,
 *             ad_autotune_job.c          the job's topology,
 *             ad_autotune_access.c       what is accessed
 *             ad_autotune_decide.c       rank 0 gathers the situation, decides, broadcasts
 *             ad_autotune_storage.c      which targets of the file system are busy
 *             ad_autotune_files.c        profile and advice, and where they are
 *             ad_autotune_known.c        what the process knows of earlier files
 *             ad_autotune_life.c         the calls that are still to come, and those alike
 *   apply     ad_autotune_apply.c        every rank opens what it aggregates, sets ROMIO's fields
 *   late      ad_autotune_late_calls.c   Lustre: calls on a file without a layout
 *             ad_autotune_late.c         Lustre: its creation and its layout
 *             ad_autotune_striping.c     Lustre: layouts read and written
 *             ad_autotune_striping_list.c  Lustre: layouts with a list of OSTs
 *   record    ad_autotune_record.c       romio_autotune_record
 *             ad_autotune_explain.c      romio_autotune_explain
 *   report    ad_autotune_report.c       what MPI_File_get_info shows, and programs pass on
 *   plan      ad_autotune_defaults.c     aggregators and hints without us, or without the user
 *             ad_autotune_plan.c         ROMIO's fields that decisions set
 *   state     ad_autotune_state.c        what the driver keeps of an open file
 *   wrapped   ad_autotune_wrapped.c      the drivers that can be wrapped
 *   name      ad_autotune_name.c         file names, values of hints
 *
 * Each step has a header, ad_autotune_<step>.h; that of the entry is this one.
 * test/tree/circles.sh checks the order.
 *
 * After SetInfo, fd->file_system and fd->fns are those of the wrapped driver
 * but for the slots listed in ad_autotune.c, so that ROMIO's own tests of
 * fd->file_system remain valid and calls need not be forwarded.
 */

#ifndef AD_AUTOTUNE_H_INCLUDED
#define AD_AUTOTUNE_H_INCLUDED

#include "adio.h"

#pragma GCC visibility push(hidden)

/* slots of ADIO_AUTOTUNE_operations */
void ADIOI_AUTOTUNE_SetInfo(ADIO_File fd, MPI_Info users_info, int *error_code);
void ADIOI_AUTOTUNE_OpenColl(ADIO_File fd, int rank, int access_mode, int *error_code);
void ADIOI_AUTOTUNE_Delete(const char *filename, int *error_code);

/* slots of the tables that replace it */
void ADIOI_AUTOTUNE_SetInfo_again(ADIO_File fd, MPI_Info users_info, int *error_code);
void ADIOI_AUTOTUNE_OpenColl_wrapped(ADIO_File fd, int rank, int access_mode, int *error_code);

/* Deletes the attribute that holds a file's state: collective, as freeing fd->comm is. */
int ADIOI_AUTOTUNE_close(MPI_Comm comm, int keyval, void *value, void *extra);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_H_INCLUDED */
