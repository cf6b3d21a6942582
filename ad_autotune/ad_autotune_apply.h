/*
 * Putting a decision into effect, on all ranks or on none, and what that may
 * require: opening the file again.  Uses plans and wrapped drivers, never a model.
 */

#ifndef AD_AUTOTUNE_APPLY_H_INCLUDED
#define AD_AUTOTUNE_APPLY_H_INCLUDED

#include "ad_autotune_state.h"

#pragma GCC visibility push(hidden)

/* --- ad_autotune_apply.c */

/* Collective: put a decision into effect on every rank, or on none (then 0);
 * takes ranks. */
int ADIOI_AUTOTUNE_apply(ADIO_File fd, ADIOI_AUTOTUNE_state *state,
                         const ADIOI_AUTOTUNE_decision *decision, int *ranks);

/* Open, on this rank alone, a file that ADIOI_GEN_OpenColl has created or found. */
void ADIOI_AUTOTUNE_open_existing(ADIO_File fd, int *error_code);
/* Let this rank, which has the file open, read what it writes as an aggregator; local. */
void ADIOI_AUTOTUNE_open_for_reading(ADIO_File fd);
/* Give fd, which has no Lustre layout, to the UFS driver; local. */
void ADIOI_AUTOTUNE_leave_lustre(ADIO_File fd, ADIOI_AUTOTUNE_state *state, int *error_code);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_APPLY_H_INCLUDED */
