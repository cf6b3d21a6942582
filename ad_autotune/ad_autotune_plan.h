/*
 * Between our structures and ROMIO's: the fields of a file that decisions set, which
 * always change together with what fd->info reports about them.  Uses nothing but
 * the state.
 */

#ifndef AD_AUTOTUNE_PLAN_H_INCLUDED
#define AD_AUTOTUNE_PLAN_H_INCLUDED

#include "ad_autotune_state.h"

#pragma GCC visibility push(hidden)

/* --- ad_autotune_plan.c */

/* Every member of a plan: the user's name of it, and where it is in fd->hints. */
typedef struct ADIOI_AUTOTUNE_field {
    const char *key;
    size_t planned, hint; /* offsets in a plan, in ADIOI_Hints */
    int is_switch;        /* ADIOI_HINT_xxx; else a number */
    enum { ADIOI_AUTOTUNE_ON_ALL, ADIOI_AUTOTUNE_ON_LUSTRE, ADIOI_AUTOTUNE_ON_OTHERS } on;
} ADIOI_AUTOTUNE_field;

enum { ADIOI_AUTOTUNE_FIELDS = sizeof(ADIOI_AUTOTUNE_plan) / sizeof(int) };
extern const ADIOI_AUTOTUNE_field ADIOI_AUTOTUNE_fields[ADIOI_AUTOTUNE_FIELDS];

/* Whether plans of this file have it. */
int ADIOI_AUTOTUNE_is_planned(ADIO_File fd, const ADIOI_AUTOTUNE_field *field);
int ADIOI_AUTOTUNE_planned(const ADIOI_AUTOTUNE_plan *plan, const ADIOI_AUTOTUNE_field *field);
/* The plan that fd's hints amount to. */
ADIOI_AUTOTUNE_plan ADIOI_AUTOTUNE_plan_of(ADIO_File fd);
/* The reverse, with what fd->info says of them; local.  cb_nodes is that of the list, which is
 * there already. */
void ADIOI_AUTOTUNE_plan_set(ADIO_File fd, const ADIOI_AUTOTUNE_plan *plan);
/* Why aggregators and buffer must stay as they are, or NULL; the same on all
 * ranks. */
const char *ADIOI_AUTOTUNE_held(ADIO_File fd, const ADIOI_AUTOTUNE_state *state);
/* Make fd->io_buf as large as this rank needs it; local. */
void ADIOI_AUTOTUNE_fit_buffer(ADIO_File fd, ADIOI_AUTOTUNE_state *state);

/* --- ad_autotune_defaults.c */

/* The names of all ranks' nodes, on rank 0, and an empty list elsewhere: ROMIO gathers
 * them for the first open of a communicator, and its duplicates share them
 * (cb_config_list.c:119).  NULL: it has not. */
struct ADIO_cb_name_arrayD *ADIOI_AUTOTUNE_list_names(ADIO_File fd);
/* Between SetInfo and the list of ADIO_Open: leave that list to the first decision if
 * possible; on all ranks or on none, local. */
void ADIOI_AUTOTUNE_list_postpone(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* On rank 0, before the first decision: the wrapped driver's aggregators, and how many
 * they are.  Free them. */
int ADIOI_AUTOTUNE_list_default(ADIO_File fd, const ADIOI_AUTOTUNE_state *state, int **ranks_p);

/* Instead of SetInfo without hints and the report of what it is known then: hints and info of an
 * earlier open like this one; 0: there was none.  Local, as the next. */
int ADIOI_AUTOTUNE_defaults_copy(ADIO_File fd, ADIOI_AUTOTUNE_state *state);
/* Those that fd has now are for later opens. */
void ADIOI_AUTOTUNE_defaults_keep(ADIO_File fd, const ADIOI_AUTOTUNE_state *state);
/* So is what is reported of it after the decision at open, if no other hint has changed. */
void ADIOI_AUTOTUNE_defaults_opened(ADIO_File fd, const ADIOI_AUTOTUNE_state *state);

/* --- values of an MPI_Info, and of the environment */

/* The user's value of a hint in info, as ROMIO knows it; 0: there is none. */
int ADIOI_AUTOTUNE_get_value(MPI_Info info, const char *key, char *value);
/* Set a hint of fd->info. */
void ADIOI_AUTOTUNE_set_number(ADIO_File fd, const char *key, int number);
/* The environment as it was read, and when; zeroed: never. */
typedef struct ADIOI_AUTOTUNE_variables {
    uint64_t hash;
    double at;
} ADIOI_AUTOTUNE_variables;

/* Whether it need not be read again, as it is the same and was read within a second; else it is
 * taken as read now. */
int ADIOI_AUTOTUNE_variables_hold(ADIOI_AUTOTUNE_variables *last);
/* "enable", "disable" or "automatic". */
const char *ADIOI_AUTOTUNE_switch_name(int hint);

#pragma GCC visibility pop

#endif /* AD_AUTOTUNE_PLAN_H_INCLUDED */
