#include "ad_autotune_hints.h"

#include "ad_autotune_plan.h"
#include "ad_autotune_report.h"
#include "adioi.h"
#include "value/nearest.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Hints and variables that are mistyped.  Of variables only those that resemble a hint's: others
 * with our prefix are for other programs.
 */

#define PREFIX "romio_autotune"
enum { NEAR = 3 };

static const char *const keys[] = {"romio_autotune_profile",     "romio_autotune_topology",
                                   "romio_autotune_access_size", "romio_autotune_memory",
                                   "romio_autotune_calls",       "romio_autotune_explain",
                                   "romio_autotune_record",      "romio_autotune_state",
                                   "romio_autotune_advice",      "romio_autotune"};
enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

/* What get_info shows, and programs pass on; and variables of the tools and other libraries. */
static const char *const others[] = {"romio_autotune_status",    "romio_autotune_wrapped",
                                     "romio_autotune_predicted", "romio_autotune_kept",
                                     "romio_autotune_preload",   "romio_autotune_watch",
                                     "romio_autotune_history",   "romio_autotune_spaces",
                                     "romio_autotune_launch",    "romio_autotune_library"};

const char *ADIOI_AUTOTUNE_key_at(int index)
{
    return index < KEYS ? keys[index] : NULL;
}

static int is_in(const char *key, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, list[i]) == 0)
            return 1;
    return 0;
}

/* "romio_autotune" itself is near to too much. */
static const char *nearest_to(const char *key)
{
    return is_in(key, keys, KEYS) || is_in(key, others, sizeof(others) / sizeof(others[0]))
               ? NULL
               : atm_nearest(key, keys, KEYS - 1, NEAR);
}

static void check_hint(const char *key, const char *value, char *notes, size_t size)
{
    const char *nearest = nearest_to(key);
    char why[128];

    if (nearest != NULL)
        snprintf(why, sizeof(why), "there is no such hint; the nearest is %s", nearest);
    else if (strncmp(key, PREFIX, strlen(PREFIX)) == 0 && !is_in(key, keys, KEYS) &&
             !is_in(key, others, sizeof(others) / sizeof(others[0])))
        snprintf(why, sizeof(why), "there is no such hint");
    else
        return;
    ADIOI_AUTOTUNE_refuse(notes, size, key, value, why);
}

static void check_info(MPI_Info users_info, char *notes, size_t size)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int count = 0;

    if (users_info == MPI_INFO_NULL || MPI_Info_get_nkeys(users_info, &count) != MPI_SUCCESS)
        return;
    for (int i = 0; i < count; i++)
        if (MPI_Info_get_nthkey(users_info, i, key) == MPI_SUCCESS &&
            strncmp(key, PREFIX, 6) == 0 && ADIOI_AUTOTUNE_get_value(users_info, key, value))
            check_hint(key, value, notes, size);
}

/* entry: NAME=VALUE */
static void check_variable(const char *entry, char *notes, size_t size)
{
    size_t length = strcspn(entry, "=");
    char key[MPI_MAX_INFO_KEY + 1], variable[MPI_MAX_INFO_KEY + 1], right[MPI_MAX_INFO_KEY + 1];
    char why[64 + sizeof(right)];
    const char *nearest;

    if (entry[length] == '\0' || length >= sizeof(key))
        return;
    for (size_t i = 0; i < length; i++)
        key[i] = (char) (entry[i] >= 'A' && entry[i] <= 'Z' ? entry[i] - 'A' + 'a' : entry[i]);
    key[length] = '\0';
    nearest = nearest_to(key);
    if (nearest == NULL)
        return;
    ADIOI_AUTOTUNE_variable(key, variable);
    ADIOI_AUTOTUNE_variable(nearest, right);
    snprintf(why, sizeof(why), "there is no such variable; the nearest is %s", right);
    ADIOI_AUTOTUNE_refuse(notes, size, variable, entry + length + 1, why);
}

void ADIOI_AUTOTUNE_check_keys(MPI_Info users_info, char *notes, size_t size)
{
    check_info(users_info, notes, size);
    for (char **entry = environ; *entry != NULL; entry++)
        if (strncmp(*entry, "ROMIO_", 6) == 0)
            check_variable(*entry, notes, size);
}
