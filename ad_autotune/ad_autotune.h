/*
 * ad_autotune: a driver that tunes the driver it wraps.
 *
 *   MPI_File_open("autotune:[ufs:|nfs:|gpfs:|lustre:]/path")
 *
 * In the direction of data, every file calls only files further down:
 *
 *   entry     ad_autotune.c              the tables: which slots are ours
 *             ad_autotune_hints.c        SetInfo at open: mode, driver, hints
 *             ad_autotune_open.c         OpenColl, then the first decision
 *             ad_autotune_set_info.c     MPI_File_set_info, MPI_File_set_view
 *             ad_autotune_delete.c       MPI_File_delete
 *             ad_autotune_close.c        when fd->comm is freed
 *   hints     ad_autotune_variables.c    the same variables again, where there are no hints
 *             ad_autotune_settings.c     the user's hints, ours and ROMIO's
 *             ad_autotune_unknown.c      those that there are not
 *   call      ad_autotune_watch.c        collective calls and accesses, timed
 *             ad_autotune_nonblocking.c  nonblocking collective calls
 *             ad_autotune_resize.c       MPI_File_set_size over NFS
 *             ad_autotune_sync.c         MPI_File_sync: who has written
 *   decide    ad_autotune_tune.c         when a decision is due
 *             ad_autotune_prepare.c      what decisions start from: the
 *             ad_autotune_use.c          file system, servers and MPI, the
 *             ad_autotune_job.c          job's topology and the
 *             ad_autotune_profile.c      machine's profile
 *             ad_autotune_access.c       what is accessed
 *             ad_autotune_kind.c         what the last files of a kind accessed
 *             ad_autotune_dirty.c        what caches still have to drain of earlier writes
 *             ad_autotune_decide.c       rank 0 decides and broadcasts
 *             ad_autotune_situation.c    what it depends on
 *             ad_autotune_advice.c       what measured best so far, for whom
 *             ad_autotune_storage.c      which targets of the file system are busy
 *             ad_autotune_trust.c        whether that helped the files before
 *             ad_autotune_find.c         where profile, advice and state are
 *             ad_autotune_written.c      what caches may still hold of a file that is read
 *             ad_autotune_life.c         the calls that are still to come
 *             ad_autotune_like.c         calls like the one that was decided for
 *   apply     ad_autotune_apply.c        every rank sets ROMIO's fields
 *             ad_autotune_reopen.c       on new aggregators; with the UFS driver
 *   late      ad_autotune_late_calls.c   Lustre: calls on a file without a layout
 *             ad_autotune_late.c         Lustre: its creation and its layout
 *             ad_autotune_striping.c     Lustre: layouts read and written
 *             ad_autotune_striping_list.c  Lustre: layouts with a list of OSTs
 *   record    ad_autotune_record.c       romio_autotune_record
 *             ad_autotune_explain.c      romio_autotune_explain
 *             ad_autotune_who.c          who runs
 *             ad_autotune_output.c       where these two write
 *   report    ad_autotune_complain.c     what is wrong, on stderr
 *             ad_autotune_report.c       what MPI_File_get_info shows
 *             ad_autotune_echo.c         the same, when programs pass it on
 *   plan      ad_autotune_plan.c         ROMIO's fields that decisions set
 *             ad_autotune_list.c         the default list of aggregators
 *             ad_autotune_defaults.c     the wrapped driver's hints without the user's
 *             ad_autotune_info.c         values of an MPI_Info
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

/* Of the attribute that holds a file's state: collective, as freeing fd->comm is. */
int ADIOI_AUTOTUNE_close(MPI_Comm comm, int keyval, void *value, void *extra);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_H_INCLUDED */
