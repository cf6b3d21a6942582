/*
 * What MPI_File_get_info shows about a file: the hints in effect, the status, notes
 * about hints that were ignored; and how such an info is recognized when a program
 * passes it on as hints.  Uses plans and the state, decides nothing.
 */

#ifndef AD_AUTOTUNE_REPORT_H_INCLUDED
#define AD_AUTOTUNE_REPORT_H_INCLUDED

#include "ad_autotune_state.h"

#pragma GCC visibility push(hidden)

/* --- ad_autotune_report.c */

/* "KEY=VALUE ignored: WHY" after earlier notes, as far as there is room; not
 * twice. */
void ADIOI_AUTOTUNE_note(char *notes, size_t size, const char *key, const char *value,
                         const char *why);

/* Text behind the first `used` characters of a longer one, as far as there is room; the number of
 * all.  Every open makes a report, and takes much longer with snprintf. */
size_t ADIOI_AUTOTUNE_append(size_t size, char *text, size_t used, const char *more);

/* Report the status, or why the wrapped driver's own values are in effect. */
void ADIOI_AUTOTUNE_report(ADIO_File fd, const char *status);
void ADIOI_AUTOTUNE_report_default(ADIO_File fd, const char *reason);
/* The same of a file that a single process has opened. */
void ADIOI_AUTOTUNE_report_alone(ADIO_File fd);
/* Add to a reason why nothing was decided what can be done about it. */
void ADIOI_AUTOTUNE_say_next(const atm_profile *profile, size_t size, char *reason);
/* Report the last decision, and remember what get_info shows from now on. */
void ADIOI_AUTOTUNE_report_decision(ADIO_File fd, ADIOI_AUTOTUNE_state *state);

/* The environment variable of a hint; room for MPI_MAX_INFO_KEY characters and the end. */
void ADIOI_AUTOTUNE_variable(const char *key, char *variable_p);
/* On stderr, unless it has been said or another process says it. */
void ADIOI_AUTOTUNE_say_once(const char *text);
/* Note a hint of ours that is ignored, and say so once. */
void ADIOI_AUTOTUNE_refuse(char *notes, size_t size, const char *key, const char *value,
                           const char *why);

/* --- infos of MPI_File_get_info as hints */

/* Whether it was reported by a file of ours, whatever has been added. */
int ADIOI_AUTOTUNE_is_echo(MPI_Info users_info);
#define ADIOI_AUTOTUNE_ALL_KEPT (~0u)
/* Bits of the hints that decisions set and the user gave; of an info with nothing that was
 * reported, ADIOI_AUTOTUNE_ALL_KEPT. */
unsigned ADIOI_AUTOTUNE_echo_kept(MPI_Info users_info);
/* A copy without the hints that decisions set, except those kept; free it. */
MPI_Info ADIOI_AUTOTUNE_echo_strip(MPI_Info users_info, unsigned kept);
/* A copy in which values that this file reported earlier are replaced by its
 * current ones; free it. */
MPI_Info ADIOI_AUTOTUNE_echo_renew(ADIO_File fd, const ADIOI_AUTOTUNE_state *state,
                                   MPI_Info users_info);
/* Remember what get_info shows from now on. */
void ADIOI_AUTOTUNE_echo_remember(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* Report which hints of users_info the user gave, for opens that pass it on. */
void ADIOI_AUTOTUNE_echo_report(ADIO_File fd, MPI_Info users_info);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_REPORT_H_INCLUDED */
