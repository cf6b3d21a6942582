/*
 * ad_autotune: a driver that tunes the driver it wraps.
 *
 *   MPI_File_open("autotune:[ufs:|nfs:|gpfs:|lustre:]/path")
 *     -> ADIO_AUTOTUNE_operations.SetInfo       ad_autotune_hints.c
 *          strips the nested prefix             ad_autotune_name.c
 *          finds the wrapped driver             ad_autotune_wrapped.c
 *          installs its table with our slots    ad_autotune_wrapped.c
 *     -> OpenColl                               ad_autotune_open.c
 *     -> the wrapped driver's functions, for every later call; those of a
 *        file that is recorded are timed        ad_autotune_watch.c
 *   MPI_File_close: one record                  ad_autotune_record.c
 *
 * After SetInfo, fd->file_system and fd->fns are those of the wrapped driver
 * but for the slots listed in ad_autotune_wrapped.c, so that ROMIO's own
 * tests of fd->file_system keep their meaning and nothing is forwarded call by
 * call.  State lives in an attribute of fd->comm (ad_autotune_state.c).
 */

#ifndef AD_AUTOTUNE_H_INCLUDED
#define AD_AUTOTUNE_H_INCLUDED

#include "adio.h"
#include "ad_autotune_name.h"

#pragma GCC visibility push(hidden)

/* ADIO counts became MPI_Aint in MPICH 4.1 (adioi.h, struct ADIOI_Fns_struct). */
#if MPICH_NUMVERSION >= 40100000
typedef MPI_Aint ADIOI_AUTOTUNE_count;
#else
typedef int ADIOI_AUTOTUNE_count;
#endif

/* A driver that can be wrapped.  The list is constant and in
 * ad_autotune_wrapped.c. */
typedef struct ADIOI_AUTOTUNE_wrapped {
    const char *name;    /* as in the prefix, without the colon */
    int file_system;     /* ADIO_xxx constant */
    ADIOI_Fns *fns;      /* the driver's own table */
    unsigned long magic; /* statfs f_type; 0 = chosen when no other is */
} ADIOI_AUTOTUNE_wrapped;

/* The driver for a name that reached us: by its nested prefix, else by the file
 * system that holds or will hold it; local.  path_p gets the name without
 * prefixes.  NULL when the prefix names no driver. */
const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_by_file(const char *name, const char **path_p);

/* Conversion for a broadcast; index is in [0, number of drivers). */
int ADIOI_AUTOTUNE_wrapped_index(const ADIOI_AUTOTUNE_wrapped *wrapped);
const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_at(int index);

/* Make fd a file of the wrapped driver, with our slots in its table; those
 * that count and time only if it is watched. */
void ADIOI_AUTOTUNE_install(ADIO_File fd, const ADIOI_AUTOTUNE_wrapped *wrapped, int watched);

/* The driver behind a table set by ADIOI_AUTOTUNE_install. */
const ADIOI_AUTOTUNE_wrapped *ADIOI_AUTOTUNE_wrapped_of(ADIO_File fd);

/* Counters of the blocking collective calls of one direction, with the way
 * ranks' values combine.  All are doubles, so that they can be reduced at once. */
#define ADIOI_AUTOTUNE_COUNTERS(X)                                                                 \
    X(calls, MAX)           /* collective calls */                                                 \
    X(seconds, MAX)         /* in them, of the slowest rank */                                     \
    X(accesses, SUM)        /* of the file inside them */                                          \
    X(bytes, SUM)           /* moved by these accesses */                                          \
    X(storage_seconds, MAX) /* in these accesses, of the slowest rank */

typedef struct ADIOI_AUTOTUNE_counters {
#define X(name, combine) double name;
    ADIOI_AUTOTUNE_COUNTERS(X)
#undef X
} ADIOI_AUTOTUNE_counters;

/* What the driver remembers of an open file. */
typedef struct ADIOI_AUTOTUNE_state {
    const ADIOI_AUTOTUNE_wrapped *wrapped;
    char status[192]; /* as in romio_autotune_status */
    int opened;       /* OpenColl succeeded on this rank */
    int nonblocking;  /* a nonblocking collective was started; on all ranks */
    int recorded;     /* leave a record at close; on all ranks */
    char *record;     /* where, on rank 0; ours */
    char *filename;   /* of what, on rank 0; ours */
    ADIOI_AUTOTUNE_counters read, write;
} ADIOI_AUTOTUNE_state;

/* Attach zeroed state to fd->comm; it is freed, and the record written, with
 * the communicator.  NULL when MPI refuses. */
ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_create(ADIO_File fd);
/* NULL where it could not be attached. */
ADIOI_AUTOTUNE_state *ADIOI_AUTOTUNE_state_of(ADIO_File fd);

/* Whether a record can be written to path: 0 or errno; local. */
int ADIOI_AUTOTUNE_record_check(const char *path);
/* Collective: append the record of a file that all ranks have opened.  Best
 * effort: nothing that fails here concerns the program. */
void ADIOI_AUTOTUNE_record_write(MPI_Comm comm, const ADIOI_AUTOTUNE_state *state);

/* Report why the wrapped driver's own values are in effect. */
void ADIOI_AUTOTUNE_report_default(ADIO_File fd, const char *reason);

/* Error code for a name whose prefix is no driver's, as ROMIO's own. */
int ADIOI_AUTOTUNE_unsupported(const char *where);

/* slots of ADIO_AUTOTUNE_operations */
void ADIOI_AUTOTUNE_SetInfo(ADIO_File fd, MPI_Info users_info, int *error_code);
void ADIOI_AUTOTUNE_OpenColl(ADIO_File fd, int rank, int access_mode, int *error_code);
void ADIOI_AUTOTUNE_Delete(const char *filename, int *error_code);

/* slots of an installed table */
void ADIOI_AUTOTUNE_SetInfo_again(ADIO_File fd, MPI_Info users_info, int *error_code);
void ADIOI_AUTOTUNE_OpenColl_wrapped(ADIO_File fd, int rank, int access_mode, int *error_code);
void ADIOI_AUTOTUNE_IreadStridedColl(ADIO_File fd, void *buf, ADIOI_AUTOTUNE_count count,
                                     MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                     ADIO_Request *request, int *error_code);
void ADIOI_AUTOTUNE_IwriteStridedColl(ADIO_File fd, const void *buf, ADIOI_AUTOTUNE_count count,
                                      MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                      ADIO_Request *request, int *error_code);

/* the same, of a watched file */
void ADIOI_AUTOTUNE_ReadStridedColl(ADIO_File fd, void *buf, ADIOI_AUTOTUNE_count count,
                                    MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                    ADIO_Status *status, int *error_code);
void ADIOI_AUTOTUNE_WriteStridedColl(ADIO_File fd, const void *buf, ADIOI_AUTOTUNE_count count,
                                     MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                     ADIO_Status *status, int *error_code);
void ADIOI_AUTOTUNE_ReadContig(ADIO_File fd, void *buf, ADIOI_AUTOTUNE_count count,
                               MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                               ADIO_Status *status, int *error_code);
void ADIOI_AUTOTUNE_WriteContig(ADIO_File fd, const void *buf, ADIOI_AUTOTUNE_count count,
                                MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                ADIO_Status *status, int *error_code);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_H_INCLUDED */
