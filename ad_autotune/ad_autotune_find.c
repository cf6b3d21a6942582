#include "ad_autotune_decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ADIOI_AUTOTUNE_find(const char *hint, const char *file, atm_seen *seen_p, atm_message *message)
{
    /* the hint stands for its variable as well: ad_autotune_settings.c */
    const atm_search_values values = {.hint = hint,
                                      .xdg_config = getenv("XDG_CONFIG_HOME"),
                                      .home = getenv("HOME"),
                                      .sysconfdir = ADIOI_AUTOTUNE_SYSCONFDIR,
                                      .file = file};
    atm_status status = atm_search_see(&values, seen_p);

    message->text[0] = '\0';
    if (status == ATM_BAD_ARGUMENT)
        snprintf(message->text, sizeof(message->text), "the %.*s's path is too long",
                 (int) strcspn(file, "."), file);
    else if (status != ATM_OK)
        snprintf(message->text, sizeof(message->text), "%s", atm_status_text(status));
    return status == ATM_OK;
}
