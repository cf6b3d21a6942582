#include "ad_autotune_decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

atm_search_values ADIOI_AUTOTUNE_places(void)
{
    return (atm_search_values){.xdg_config = secure_getenv("XDG_CONFIG_HOME"),
                               .home = secure_getenv("HOME"),
                               .sysconfdir = ADIOI_AUTOTUNE_SYSCONFDIR};
}

static atm_search_values values_of(const atm_search_values *places, const char *hint,
                                   const char *file)
{
    atm_search_values values = *places;

    values.hint = hint; /* it stands for its variable as well: ad_autotune_settings.c */
    values.file = file;
    return values;
}

static int explain(atm_status status, const char *file, atm_message *message)
{
    message->text[0] = '\0';
    if (status == ATM_BAD_ARGUMENT)
        snprintf(message->text, sizeof(message->text), "the %.*s's path is too long",
                 (int) strcspn(file, "."), file);
    else if (status != ATM_OK)
        snprintf(message->text, sizeof(message->text), "%s", atm_status_text(status));
    return status == ATM_OK;
}

const atm_seen *ADIOI_AUTOTUNE_find(const atm_search_values *places, const char *hint,
                                    const char *file, atm_found *last, atm_message *message)
{
    const atm_search_values values = values_of(places, hint, file);
    atm_status status = atm_search_now(&values, MPI_Wtime(), last);

    return explain(status, file, message) ? &last->seen : NULL;
}

const atm_seen *ADIOI_AUTOTUNE_look(const char *path, atm_found *last)
{
    const atm_search_values values = {.hint = path};

    if (path == NULL && last->seen.path[0] == '\0')
        return &last->seen;
    if (path == NULL || atm_search_now(&values, MPI_Wtime(), last) != ATM_OK)
        memset(last, 0, sizeof(*last));
    return &last->seen;
}

int ADIOI_AUTOTUNE_profiles_hold(const atm_search_values *places, const char *hint,
                                 const atm_recent *recent)
{
    const atm_search_values values = values_of(places, hint, ATM_PROFILE_FILE);

    return atm_recent_holds(recent, &values, MPI_Wtime());
}

int ADIOI_AUTOTUNE_find_profiles(const atm_search_values *places, const char *hint,
                                 atm_installed **list_p, int *count_p, atm_recent *recent_p,
                                 atm_message *message)
{
    const atm_search_values values = values_of(places, hint, ATM_PROFILE_FILE);
    double now = MPI_Wtime();
    atm_status status = atm_installed_list(&values, list_p, count_p);

    if (status == ATM_OK)
        atm_recent_begin(recent_p, &values, now);
    return explain(status, ATM_PROFILE_FILE, message);
}
