/*
 * What users ask us to write: the record of a file, begun at open, extended by
 * decisions and calls and appended at close, and the explanation of each
 * decision.  Uses what has been decided and measured; failures here are at most
 * noted.
 */

#ifndef AD_AUTOTUNE_RECORD_H_INCLUDED
#define AD_AUTOTUNE_RECORD_H_INCLUDED

#include "ad_autotune_state.h"

#pragma GCC visibility push(hidden)

/* --- ad_autotune_record.c */

/* Begin to keep what a record needs. */
void ADIOI_AUTOTUNE_record_begin(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* On rank 0: a decision was put into effect. */
void ADIOI_AUTOTUNE_record_decision(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* A collective call is over: its own counters. */
void ADIOI_AUTOTUNE_record_call(ADIOI_AUTOTUNE_state *state, const ADIOI_AUTOTUNE_call *call);
/* Collective: append the record of a file that all ranks have opened. */
void ADIOI_AUTOTUNE_record_write(MPI_Comm comm, ADIOI_AUTOTUNE_state *state);
/* Free what record_begin allocated. */
void ADIOI_AUTOTUNE_record_end(ADIOI_AUTOTUNE_state *state);

/* --- ad_autotune_explain.c */

/* On rank 0: write, where the user asked for it, what was chosen and why. */
void ADIOI_AUTOTUNE_explain(const ADIOI_AUTOTUNE_state *state, const atm_situation *situation,
                            const atm_decision *made, const int *ranks,
                            ADIOI_AUTOTUNE_decision *decision);
/* The same for the layout that a late file got. */
void ADIOI_AUTOTUNE_explain_layout(ADIOI_AUTOTUNE_state *state);

/* Who runs: the program's name without folders, and the user's; "" where not known. */
void ADIOI_AUTOTUNE_who(size_t program_size, char *program_p, size_t user_size, char *user_p);

/* On rank 0: the path that a pattern stands for, or NULL and why.  ADIOI_Malloc'ed. */
char *ADIOI_AUTOTUNE_output_path(const char *pattern, atm_message *why);
/* The same, if lines can be appended there. */
char *ADIOI_AUTOTUNE_record_path(const char *pattern, atm_message *why);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_RECORD_H_INCLUDED */
