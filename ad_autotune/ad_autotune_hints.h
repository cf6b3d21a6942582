/*
 * The user's hints: our own, with their environment variables, and those of ROMIO
 * that decisions must respect.  Uses the echo of reports, and the paths of
 * records.
 */

#ifndef AD_AUTOTUNE_HINTS_H_INCLUDED
#define AD_AUTOTUNE_HINTS_H_INCLUDED

#include "ad_autotune_state.h"

#pragma GCC visibility push(hidden)

/* --- ad_autotune_settings.c */

/* The value of the hint key, else of the variable of the same name in capitals,
 * "" if neither is set.  value has room for MPI_MAX_INFO_VAL characters and the end. */
void ADIOI_AUTOTUNE_get_hint(MPI_Info users_info, const char *key, char *value);

/* Whether there is a variable of ours. */
int ADIOI_AUTOTUNE_variables_given(void);

/* Whether users_info sets the key to a value other than the one reported in `before`. */
int ADIOI_AUTOTUNE_user_sets(MPI_Info users_info, MPI_Info before, const char *key, int is_switch);

/* On rank 0: what users_info and the environment say; destroy it.  Invalid values
 * are noted in notes[size]. */
ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_settings_create(MPI_Info users_info, char *notes,
                                                        size_t size);
/* The same where no hints are given. */
ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_settings_none(void);
/* Hints of a later MPI_File_set_info or _set_view, of a file that reported `before`
 * until then. */
void ADIOI_AUTOTUNE_settings_add(ADIOI_AUTOTUNE_settings *settings, MPI_Info users_info,
                                 MPI_Info before);
/* Destroy it. */
ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_settings_copy(const ADIOI_AUTOTUNE_settings *settings);
void ADIOI_AUTOTUNE_settings_destroy(ADIOI_AUTOTUNE_settings *settings);

/* On rank 0, of an open without an info: mode and settings of the last one, if the variables are
 * the same; destroy them.  NULL: they are to be read. */
ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_variables_again(ADIOI_AUTOTUNE_mode *mode_p);
/* Those that were read now are for later opens. */
void ADIOI_AUTOTUNE_variables_keep(ADIOI_AUTOTUNE_mode mode,
                                   const ADIOI_AUTOTUNE_settings *settings);

/* The keys of our hints, the mode's last; NULL behind them. */
const char *ADIOI_AUTOTUNE_key_at(int index);
/* Refuses hints and variables that nobody knows. */
void ADIOI_AUTOTUNE_check_keys(MPI_Info users_info, char *notes, size_t size);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_HINTS_H_INCLUDED */
