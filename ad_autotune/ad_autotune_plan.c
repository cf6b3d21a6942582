#include "ad_autotune_plan.h"

#include "ad_tuning.h"
#include "adioi.h"
#include "files/recent.h"
#include "fnv.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

/* --- values of an MPI_Info */

int ADIOI_AUTOTUNE_get_value(MPI_Info info, const char *key, char *value)
{
    int flag = 0;

    if (info != MPI_INFO_NULL)
        ADIOI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
    return flag;
}

void ADIOI_AUTOTUNE_set_number(ADIO_File fd, const char *key, int number)
{
    char text[32];

    snprintf(text, sizeof(text), "%d", number);
    ADIOI_Info_set(fd->info, key, text);
}

/* By where its strings are: setenv puts a new one elsewhere. */
static uint64_t hash_of_environment(void)
{
    uint64_t hash = ATM_FNV_BEGIN;

    for (char **entry = environ; entry != NULL && *entry != NULL; entry++)
        hash = atm_fnv_add(hash, (uintptr_t) *entry);
    return hash;
}

int ADIOI_AUTOTUNE_variables_hold(ADIOI_AUTOTUNE_variables *last)
{
    ADIOI_AUTOTUNE_variables now = {hash_of_environment(), MPI_Wtime()};

    if (now.hash == last->hash && now.at >= last->at && now.at < last->at + ATM_RECENT_SECONDS)
        return 1;
    *last = now;
    return 0;
}

const char *ADIOI_AUTOTUNE_switch_name(int hint)
{
    return hint == ADIOI_HINT_ENABLE    ? "enable"
           : hint == ADIOI_HINT_DISABLE ? "disable"
                                        : "automatic";
}

/* --- fields of ROMIO that decisions set */

#define FIELD(key, member, hint, is_switch, on)                                                    \
    {                                                                                              \
        key, offsetof(ADIOI_AUTOTUNE_plan, member), offsetof(ADIOI_Hints, hint), is_switch, on     \
    }
const ADIOI_AUTOTUNE_field ADIOI_AUTOTUNE_fields[ADIOI_AUTOTUNE_FIELDS] = {
    FIELD("cb_nodes", cb_nodes, cb_nodes, 0, ADIOI_AUTOTUNE_ON_ALL),
    /* collective writes read it from the info, reads from the hints (ad_write_coll.c:299,
     * ad_read_coll.c:516) */
    FIELD("cb_buffer_size", cb_buffer_size, cb_buffer_size, 0, ADIOI_AUTOTUNE_ON_ALL),
    FIELD("romio_cb_read", cb_read, cb_read, 1, ADIOI_AUTOTUNE_ON_ALL),
    FIELD("romio_cb_write", cb_write, cb_write, 1, ADIOI_AUTOTUNE_ON_ALL),
    FIELD("romio_lustre_co_ratio", co_ratio, fs_hints.lustre.co_ratio, 0, ADIOI_AUTOTUNE_ON_LUSTRE),
    FIELD("romio_lustre_coll_threshold", threshold, fs_hints.lustre.coll_threshold, 0,
          ADIOI_AUTOTUNE_ON_LUSTRE),
    FIELD("striping_unit", striping_unit, striping_unit, 0, ADIOI_AUTOTUNE_ON_OTHERS),
    FIELD("romio_min_fdomain_size", min_fdomain_size, min_fdomain_size, 0,
          ADIOI_AUTOTUNE_ON_OTHERS),
};

/* fs_hints is a union. */
int ADIOI_AUTOTUNE_is_planned(ADIO_File fd, const ADIOI_AUTOTUNE_field *field)
{
    return field->on == ADIOI_AUTOTUNE_ON_ALL ||
           (field->on == ADIOI_AUTOTUNE_ON_LUSTRE) == (fd->file_system == ADIO_LUSTRE);
}

static int *hint_of(ADIO_File fd, const ADIOI_AUTOTUNE_field *field)
{
    return (int *) ((char *) fd->hints + field->hint);
}

int ADIOI_AUTOTUNE_planned(const ADIOI_AUTOTUNE_plan *plan, const ADIOI_AUTOTUNE_field *field)
{
    return *(const int *) ((const char *) plan + field->planned);
}

ADIOI_AUTOTUNE_plan ADIOI_AUTOTUNE_plan_of(ADIO_File fd)
{
    ADIOI_AUTOTUNE_plan plan = {0};

    for (int i = 0; i < ADIOI_AUTOTUNE_FIELDS; i++) {
        const ADIOI_AUTOTUNE_field *field = &ADIOI_AUTOTUNE_fields[i];

        if (ADIOI_AUTOTUNE_is_planned(fd, field))
            *(int *) ((char *) &plan + field->planned) = *hint_of(fd, field);
    }
    return plan;
}

void ADIOI_AUTOTUNE_plan_set(ADIO_File fd, const ADIOI_AUTOTUNE_plan *plan)
{
    for (int i = 0; i < ADIOI_AUTOTUNE_FIELDS; i++) {
        const ADIOI_AUTOTUNE_field *field = &ADIOI_AUTOTUNE_fields[i];
        int value = ADIOI_AUTOTUNE_planned(plan, field);

        if (!ADIOI_AUTOTUNE_is_planned(fd, field) || *hint_of(fd, field) == value)
            continue;
        *hint_of(fd, field) = value;
        if (field->is_switch)
            ADIOI_Info_set(fd->info, field->key, ADIOI_AUTOTUNE_switch_name(value));
        else
            ADIOI_AUTOTUNE_set_number(fd, field->key, value);
    }
}

const char *ADIOI_AUTOTUNE_held(ADIO_File fd, const ADIOI_AUTOTUNE_state *state)
{
    /* which holds fd->io_buf until it completes, and no slot reports that */
    if (state->nonblocking)
        return "a nonblocking collective operation may be under way";
    if (fd->hints->cb_pfr == ADIOI_HINT_ENABLE && fd->file_realm_st_offs != NULL)
        return "file realms are persistent";
    if (fd->io_buf_window != MPI_WIN_NULL)
        return "the buffer is in a one-sided window";
    return NULL;
}

/* Only aggregators use the buffer, but ADIO_Open allocates it on all ranks
 * (ad_open.c:135), and ADIO_Close must not find NULL. */
void ADIOI_AUTOTUNE_fit_buffer(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    int wanted = fd->is_agg ? fd->hints->cb_buffer_size : 1;

    if (wanted == state->buffer_size || romio_write_aggmethod != 0 || romio_read_aggmethod != 0)
        return;
    ADIOI_Free(fd->io_buf);
    fd->io_buf = ADIOI_Malloc((size_t) wanted);
    state->buffer_size = wanted;
}
