/*
 * Calls on an open file: slots that do something before or after the wrapped
 * driver's function.  They may use every step from decide on.
 */

#ifndef AD_AUTOTUNE_CALL_H_INCLUDED
#define AD_AUTOTUNE_CALL_H_INCLUDED

#include "ad_autotune_wrapped.h"

#pragma GCC visibility push(hidden)

/* --- ad_autotune_calls.c */

/* slots of a tuned, a recorded and a late file */
ADIOI_AUTOTUNE_read_slot ADIOI_AUTOTUNE_ReadStridedColl;
ADIOI_AUTOTUNE_write_slot ADIOI_AUTOTUNE_WriteStridedColl;

/* slots of a recorded file, and of any inside a collective call */
ADIOI_AUTOTUNE_read_slot ADIOI_AUTOTUNE_ReadContig, ADIOI_AUTOTUNE_ReadStrided;
ADIOI_AUTOTUNE_write_slot ADIOI_AUTOTUNE_WriteContig, ADIOI_AUTOTUNE_WriteStrided;
ADIOI_AUTOTUNE_iread_slot ADIOI_AUTOTUNE_IreadContig, ADIOI_AUTOTUNE_IreadStrided;
ADIOI_AUTOTUNE_iwrite_slot ADIOI_AUTOTUNE_IwriteContig, ADIOI_AUTOTUNE_IwriteStrided;

/* --- slots of every file */

ADIOI_AUTOTUNE_iread_slot ADIOI_AUTOTUNE_IreadStridedColl;
ADIOI_AUTOTUNE_iwrite_slot ADIOI_AUTOTUNE_IwriteStridedColl;

/* --- slot of every file of NFS's driver */

void ADIOI_AUTOTUNE_Resize_waiting(ADIO_File fd, ADIO_Offset size, int *error_code);

/* --- slots of every file, but for the close of Lustre's */

ADIOI_AUTOTUNE_write_slot ADIOI_AUTOTUNE_WriteContig_marked, ADIOI_AUTOTUNE_WriteStrided_marked;
ADIOI_AUTOTUNE_iwrite_slot ADIOI_AUTOTUNE_IwriteContig_marked;
void ADIOI_AUTOTUNE_Flush_own(ADIO_File fd, int *error_code);
void ADIOI_AUTOTUNE_Close_own(ADIO_File fd, int *error_code);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_CALL_H_INCLUDED */
