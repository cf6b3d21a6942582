#include "ad_autotune_decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atm_search_values values_of(const char *hint, const char *file)
{
    /* the hint stands for its variable as well: ad_autotune_settings.c */
    return (atm_search_values){.hint = hint,
                               .xdg_config = secure_getenv("XDG_CONFIG_HOME"),
                               .home = secure_getenv("HOME"),
                               .sysconfdir = ADIOI_AUTOTUNE_SYSCONFDIR,
                               .file = file};
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

int ADIOI_AUTOTUNE_find(const char *hint, const char *file, atm_seen *seen_p, atm_message *message)
{
    const atm_search_values values = values_of(hint, file);

    return explain(atm_search_see(&values, seen_p), file, message);
}

int ADIOI_AUTOTUNE_find_profiles(const char *hint, atm_installed **list_p, int *count_p,
                                 atm_message *message)
{
    const atm_search_values values = values_of(hint, ATM_PROFILE_FILE);

    return explain(atm_installed_list(&values, list_p, count_p), ATM_PROFILE_FILE, message);
}
