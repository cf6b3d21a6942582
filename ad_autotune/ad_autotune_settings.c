#include "ad_autotune.h"

#include "adioi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ADIOI_AUTOTUNE_get_hint(MPI_Info users_info, const char *key, char *value)
{
    char variable[MPI_MAX_INFO_KEY + 1];
    const char *found;
    size_t i;
    int flag = 0;

    if (users_info != MPI_INFO_NULL)
        ADIOI_Info_get(users_info, key, MPI_MAX_INFO_VAL, value, &flag);
    if (flag)
        return;
    for (i = 0; key[i] != '\0'; i++)
        variable[i] = (char) (key[i] >= 'a' && key[i] <= 'z' ? key[i] - 'a' + 'A' : key[i]);
    variable[i] = '\0';
    found = getenv(variable);
    snprintf(value, MPI_MAX_INFO_VAL + 1, "%s", found != NULL ? found : "");
}

void ADIOI_AUTOTUNE_note(char *notes, size_t size, const char *key, const char *value,
                         const char *why)
{
    size_t used = strlen(notes);

    snprintf(notes + used, size - used, "%s%s=%.32s ignored: %s", used > 0 ? "; " : "", key, value,
             why);
}

static char *get_text(MPI_Info users_info, const char *key)
{
    char value[MPI_MAX_INFO_VAL + 1];

    ADIOI_AUTOTUNE_get_hint(users_info, key, value);
    return value[0] != '\0' ? ADIOI_Strdup(value) : NULL;
}

/* 0 where there is none. */
static uint64_t get_size(MPI_Info users_info, const char *key, char *notes, size_t size)
{
    char value[MPI_MAX_INFO_VAL + 1], *end;
    unsigned long long number;

    ADIOI_AUTOTUNE_get_hint(users_info, key, value);
    if (value[0] == '\0')
        return 0;
    errno = 0;
    number = strtoull(value, &end, 10);
    /* strtoull takes a minus sign and spaces as well */
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || number == 0 ||
        number > (UINT64_C(1) << 60)) {
        ADIOI_AUTOTUNE_note(notes, size, key, value, "not a number of bytes");
        return 0;
    }
    return number;
}

static int get(MPI_Info users_info, const char *key, char *value)
{
    int flag = 0;

    if (users_info != MPI_INFO_NULL)
        ADIOI_Info_get(users_info, key, MPI_MAX_INFO_VAL, value, &flag);
    return flag;
}

int ADIOI_AUTOTUNE_has(MPI_Info users_info, const char *key)
{
    char value[MPI_MAX_INFO_VAL + 1];

    return get(users_info, key, value);
}

void ADIOI_AUTOTUNE_settings_add(ADIOI_AUTOTUNE_settings *settings, MPI_Info users_info)
{
    for (int i = 0; i < ATM_FIX_COUNT; i++)
        if (i != ATM_FIX_COLLECTIVE && ADIOI_AUTOTUNE_has(users_info, atm_fix_name((atm_fix) i)))
            settings->fixed |= 1u << i;
    settings->fixed_read |= ADIOI_AUTOTUNE_has(users_info, "romio_cb_read");
    settings->fixed_write |= ADIOI_AUTOTUNE_has(users_info, "romio_cb_write");
}

ADIOI_AUTOTUNE_settings *ADIOI_AUTOTUNE_settings_create(MPI_Info users_info, char *notes,
                                                        size_t size)
{
    ADIOI_AUTOTUNE_settings *settings = ADIOI_Calloc(1, sizeof(*settings));
    char value[MPI_MAX_INFO_VAL + 1];

    settings->profile = get_text(users_info, "romio_autotune_profile");
    settings->topology = get_text(users_info, "romio_autotune_topology");
    settings->explain = get_text(users_info, "romio_autotune_explain");
    settings->access_size = get_size(users_info, "romio_autotune_access_size", notes, size);
    settings->memory = get_size(users_info, "romio_autotune_memory", notes, size);
    ADIOI_AUTOTUNE_settings_add(settings, users_info);
    settings->fixed_list = ADIOI_AUTOTUNE_has(users_info, "cb_config_list");
    settings->start = ADIOI_AUTOTUNE_has(users_info, "romio_lustre_start_iodevice");
    if (get(users_info, "cb_nodes", value))
        settings->cb_nodes = atoi(value);
    return settings;
}

void ADIOI_AUTOTUNE_settings_destroy(ADIOI_AUTOTUNE_settings *settings)
{
    if (settings == NULL)
        return;
    if (settings->profile != NULL)
        ADIOI_Free(settings->profile);
    if (settings->topology != NULL)
        ADIOI_Free(settings->topology);
    if (settings->explain != NULL)
        ADIOI_Free(settings->explain);
    ADIOI_Free(settings);
}
