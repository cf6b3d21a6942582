/*
 * Striping on Lustre: layouts read and written (striping), and late files, which
 * get theirs after open (late, late_calls).  A late file's layout comes from the
 * last decision; nothing here makes one.
 */

#ifndef AD_AUTOTUNE_LATE_H_INCLUDED
#define AD_AUTOTUNE_LATE_H_INCLUDED

#include "ad_autotune_state.h"

#pragma GCC visibility push(hidden)

/* --- ad_autotune_late.c */

/* Whether a file on Lustre was created before OpenColl: */
typedef enum {
    ADIOI_AUTOTUNE_NOT_CREATED, /* the wrapped open does it */
    ADIOI_AUTOTUNE_CREATED,     /* with the layout of the user's hints */
    ADIOI_AUTOTUNE_CREATED_LATE /* without one */
} ADIOI_AUTOTUNE_creation;

/* Collective. */
ADIOI_AUTOTUNE_creation ADIOI_AUTOTUNE_late_create(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                                                   int access_mode);
/* Collective: set the layout of a late file; the error is the same on all ranks. */
void ADIOI_AUTOTUNE_late_settle(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code);
/* Local: the same, without the other ranks. */
void ADIOI_AUTOTUNE_late_settle_alone(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code);
/* On rank 0, at close: a file that is still late gets a layout. */
void ADIOI_AUTOTUNE_late_end(ADIOI_AUTOTUNE_state *state);

/* --- ad_autotune_striping_list.c: as ADIOI_AUTOTUNE_striping_set below */

/* With the OST of each stripe. */
int ADIOI_AUTOTUNE_striping_set_listed(int descriptor, const ADIOI_AUTOTUNE_striping *striping,
                                       const int *targets);
/* The same, with a stripe on each OST that is listed more than once, after the list itself was
 * refused; if there is none, -1 and errno as it was. */
int ADIOI_AUTOTUNE_striping_set_once(int descriptor, const ADIOI_AUTOTUNE_striping *striping,
                                     const int *targets);
/* Whether an OST may have several stripes, as far as is known. */
int ADIOI_AUTOTUNE_striping_repeats(void);

/* --- ad_autotune_striping.c */

/* Reads the layout of an open file; 0, or -1 and errno (ENODATA: it has none yet). */
int ADIOI_AUTOTUNE_striping_get(int descriptor, ADIOI_AUTOTUNE_striping *striping_p);
/* OSTs of the file system of a directory; 0: not known. */
int ADIOI_AUTOTUNE_striping_osts(const char *directory);
/* OSTs of the stripes of a file, *targets_p ADIOI_Malloc'ed; returns how many, 0 if it has no plain
 * layout. */
int ADIOI_AUTOTUNE_striping_targets(const char *filename, int **targets_p);
/* Sets that of an open file that has none; the same results (EEXIST: it has one).  pool "":
 * none. */
int ADIOI_AUTOTUNE_striping_set(int descriptor, const ADIOI_AUTOTUNE_striping *striping,
                                const char *pool);
/* As state's default_layout says. */
int ADIOI_AUTOTUNE_striping_set_default(int descriptor, const ADIOI_AUTOTUNE_state *state);
/* The default layout of filename's directory: 1 if it is plain striping, with which
 * state's default_* are filled in; 0 if it is more than that (components, a pool, which
 * pool_p[16] gets, data on the MDT), or cannot be determined. */
int ADIOI_AUTOTUNE_striping_default(const char *filename, ADIOI_AUTOTUNE_state *state,
                                    char *pool_p);
/* Use it as fd's striping, and report it; unit 0: there is none. */
void ADIOI_AUTOTUNE_striping_report(ADIO_File fd, const ADIOI_AUTOTUNE_striping *striping);

/* slot of every file of Lustre's driver that is not late */
void ADIOI_AUTOTUNE_Open_striped(ADIO_File fd, int *error_code);

/* --- ad_autotune_late_calls.c: slots of a late file */

void ADIOI_AUTOTUNE_Open_late(ADIO_File fd, int *error_code);
ADIOI_AUTOTUNE_read_slot ADIOI_AUTOTUNE_ReadContig_late, ADIOI_AUTOTUNE_ReadStrided_late;
ADIOI_AUTOTUNE_write_slot ADIOI_AUTOTUNE_WriteContig_late, ADIOI_AUTOTUNE_WriteStrided_late;
ADIOI_AUTOTUNE_iread_slot ADIOI_AUTOTUNE_IreadContig_late, ADIOI_AUTOTUNE_IreadStrided_late;
ADIOI_AUTOTUNE_iwrite_slot ADIOI_AUTOTUNE_IwriteContig_late, ADIOI_AUTOTUNE_IwriteStrided_late;
void ADIOI_AUTOTUNE_Fcntl_late(ADIO_File fd, int flag, ADIO_Fcntl_t *fcntl_struct, int *error_code);
void ADIOI_AUTOTUNE_Flush_late(ADIO_File fd, int *error_code);
void ADIOI_AUTOTUNE_Resize_late(ADIO_File fd, ADIO_Offset size, int *error_code);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_LATE_H_INCLUDED */
