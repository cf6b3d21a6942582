#include "ad_autotune_report.h"

#include "ad_autotune_plan.h"
#include "adioi.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/*
 * Programs pass on what MPI_File_get_info gave them: HDF5 1.14 passes the info that
 * it got at open to every MPI_File_set_view, others that of one file to the open of
 * the next.  Values that we reported are not the user's hints.  The exception is a
 * switch if nothing else in the info is ours: the user may mean any of its three
 * values.
 *
 * Keys are never removed from an info that only some ranks may have: ROMIO
 * broadcasts a hint on the ranks that have its key (hint_fns.c:24), and would
 * hang.
 */

/* Hints that decisions set. */
static const struct {
    const char *key;
    int offset;    /* of the value in a plan; -1: it does not change after open */
    int is_switch; /* else a number */
} hints[] = {
    {"cb_nodes", offsetof(ADIOI_AUTOTUNE_plan, cb_nodes), 0},
    {"cb_buffer_size", offsetof(ADIOI_AUTOTUNE_plan, cb_buffer_size), 0},
    {"romio_cb_read", offsetof(ADIOI_AUTOTUNE_plan, cb_read), 1},
    {"romio_cb_write", offsetof(ADIOI_AUTOTUNE_plan, cb_write), 1},
    {"romio_lustre_co_ratio", offsetof(ADIOI_AUTOTUNE_plan, co_ratio), 0},
    {"romio_lustre_coll_threshold", offsetof(ADIOI_AUTOTUNE_plan, threshold), 0},
    {"striping_unit", -1, 0},
    {"striping_factor", -1, 0},
    {"romio_lustre_start_iodevice", -1, 0},
    {"start_iodevice", -1, 0},
    {"cb_config_list", -1, 0},
};

enum { HINTS = sizeof(hints) / sizeof(hints[0]) };

/* Which of them the user gave, by name. */
static const char kept_key[] = "romio_autotune_kept";

int ADIOI_AUTOTUNE_is_echo(MPI_Info users_info)
{
    char value[MPI_MAX_INFO_VAL + 1];

    return ADIOI_AUTOTUNE_get_value(users_info, "romio_autotune_status", value);
}

/* The hints that a report of ours says the user gave. */
static unsigned named_as_kept(MPI_Info users_info)
{
    char value[MPI_MAX_INFO_VAL + 1], name[MPI_MAX_INFO_KEY + 3];
    unsigned kept = 0;

    if (!ADIOI_AUTOTUNE_get_value(users_info, kept_key, value))
        return 0;
    for (int i = 0; i < HINTS; i++) {
        snprintf(name, sizeof(name), " %s ", hints[i].key);
        if (strstr(value, name) != NULL)
            kept |= 1u << i;
    }
    return kept;
}

static int is_zero(MPI_Info users_info, const char *key)
{
    char value[MPI_MAX_INFO_VAL + 1];

    return ADIOI_AUTOTUNE_get_value(users_info, key, value) && strcmp(value, "0") == 0;
}

/* Striping of zeros, which ROMIO reports for a file without any: since MPICH 4.2 for every one
 * (ad_opencoll.c:182).  OST 0 alone may be a wish. */
static unsigned no_striping(MPI_Info users_info)
{
    int unit = is_zero(users_info, "striping_unit");
    int factor = is_zero(users_info, "striping_factor");
    unsigned bits = 0;

    for (int i = 0; i < HINTS; i++) {
        int is_start = strstr(hints[i].key, "start_iodevice") != NULL;

        if ((unit && strcmp(hints[i].key, "striping_unit") == 0) ||
            (factor && strcmp(hints[i].key, "striping_factor") == 0) ||
            (unit && factor && is_start && is_zero(users_info, hints[i].key)))
            bits |= 1u << i;
    }
    return bits;
}

unsigned ADIOI_AUTOTUNE_echo_kept(MPI_Info users_info)
{
    unsigned kept =
        ADIOI_AUTOTUNE_is_echo(users_info) ? named_as_kept(users_info) : ADIOI_AUTOTUNE_ALL_KEPT;

    return kept & ~no_striping(users_info);
}

void ADIOI_AUTOTUNE_echo_report(ADIO_File fd, MPI_Info users_info)
{
    char text[MPI_MAX_INFO_VAL + 1] = " ", value[MPI_MAX_INFO_VAL + 1];
    size_t used = 1;

    for (int i = 0; i < HINTS; i++)
        if (ADIOI_AUTOTUNE_get_value(users_info, hints[i].key, value))
            used += (size_t) snprintf(text + used, sizeof(text) - used, "%s ", hints[i].key);
    if (used > 1)
        ADIOI_Info_set(fd->info, kept_key, text);
}

MPI_Info ADIOI_AUTOTUNE_echo_strip(MPI_Info users_info, unsigned kept)
{
    char value[MPI_MAX_INFO_VAL + 1];
    MPI_Info copy;

    MPI_Info_dup(users_info, &copy);
    for (int i = 0; i < HINTS; i++)
        if ((kept >> i & 1) == 0 && ADIOI_AUTOTUNE_get_value(copy, hints[i].key, value))
            ADIOI_Info_delete(copy, hints[i].key);
    return copy;
}

static int was_reported(const ADIOI_AUTOTUNE_state *state, int hint, const char *value)
{
    char text[32];

    for (int i = 0; i < state->reports; i++) {
        int number;

        memcpy(&number, (const char *) &state->reported[i] + hints[hint].offset, sizeof(number));
        if (hints[hint].is_switch)
            snprintf(text, sizeof(text), "%s", ADIOI_AUTOTUNE_switch_name(number));
        else
            snprintf(text, sizeof(text), "%d", number);
        if (strcmp(text, value) == 0)
            return 1;
    }
    return 0;
}

MPI_Info ADIOI_AUTOTUNE_echo_renew(ADIO_File fd, const ADIOI_AUTOTUNE_state *state,
                                   MPI_Info users_info)
{
    char value[MPI_MAX_INFO_VAL + 1], now[MPI_MAX_INFO_VAL + 1];
    int is_echo = ADIOI_AUTOTUNE_is_echo(users_info);
    MPI_Info copy;

    MPI_Info_dup(users_info, &copy);
    for (int i = 0; i < HINTS; i++)
        if (hints[i].offset >= 0 && (is_echo || !hints[i].is_switch) &&
            ADIOI_AUTOTUNE_get_value(copy, hints[i].key, value) &&
            ADIOI_AUTOTUNE_get_value(fd->info, hints[i].key, now) && was_reported(state, i, value))
            ADIOI_Info_set(copy, hints[i].key, now);
    return copy;
}

void ADIOI_AUTOTUNE_echo_remember(ADIO_File fd, ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_plan plan = ADIOI_AUTOTUNE_plan_of(fd);

    if (state->reports > 0 &&
        memcmp(&state->reported[state->reports - 1], &plan, sizeof(plan)) == 0)
        return;
    if (state->reports < ADIOI_AUTOTUNE_REPORTS)
        state->reported[state->reports++] = plan;
}
