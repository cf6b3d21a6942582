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

/* Hints that decisions set: those of a plan, and some that do not change after open. */
static const char *const at_open[] = {"striping_factor", "romio_lustre_start_iodevice",
                                      "start_iodevice", "cb_config_list"};

enum { HINTS = ADIOI_AUTOTUNE_FIELDS + sizeof(at_open) / sizeof(at_open[0]) };

static const char *key_of(int hint)
{
    return hint < ADIOI_AUTOTUNE_FIELDS ? ADIOI_AUTOTUNE_fields[hint].key
                                        : at_open[hint - ADIOI_AUTOTUNE_FIELDS];
}

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
        snprintf(name, sizeof(name), " %s ", key_of(i));
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
        int is_start = strstr(key_of(i), "start_iodevice") != NULL;

        if ((unit && strcmp(key_of(i), "striping_unit") == 0) ||
            (factor && strcmp(key_of(i), "striping_factor") == 0) ||
            (unit && factor && is_start && is_zero(users_info, key_of(i))))
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
        if (ADIOI_AUTOTUNE_get_value(users_info, key_of(i), value))
            used += (size_t) snprintf(text + used, sizeof(text) - used, "%s ", key_of(i));
    if (used > 1)
        ADIOI_Info_set(fd->info, kept_key, text);
}

MPI_Info ADIOI_AUTOTUNE_echo_strip(MPI_Info users_info, unsigned kept)
{
    char value[MPI_MAX_INFO_VAL + 1];
    MPI_Info copy;

    MPI_Info_dup(users_info, &copy);
    for (int i = 0; i < HINTS; i++)
        if ((kept >> i & 1) == 0 && ADIOI_AUTOTUNE_get_value(copy, key_of(i), value))
            ADIOI_Info_delete(copy, key_of(i));
    return copy;
}

static int was_reported(const ADIOI_AUTOTUNE_state *state, const ADIOI_AUTOTUNE_field *field,
                        const char *value)
{
    char text[32];

    for (int i = 0; i < state->reports; i++) {
        int number = ADIOI_AUTOTUNE_planned(&state->reported[i], field);

        if (field->is_switch)
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
    for (int i = 0; i < ADIOI_AUTOTUNE_FIELDS; i++) {
        const ADIOI_AUTOTUNE_field *field = &ADIOI_AUTOTUNE_fields[i];

        if ((is_echo || !field->is_switch) && ADIOI_AUTOTUNE_is_planned(fd, field) &&
            ADIOI_AUTOTUNE_get_value(copy, field->key, value) &&
            ADIOI_AUTOTUNE_get_value(fd->info, field->key, now) &&
            was_reported(state, field, value))
            ADIOI_Info_set(copy, field->key, now);
    }
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
