#include "profile_find.h"

#include <stdio.h>
#include <stdlib.h>

atm_status profile_search(const char *named, atm_search *search_p)
{
    const atm_search_values values = {.hint = named,
                                      .environment = getenv("ROMIO_AUTOTUNE_PROFILE"),
                                      .xdg_config = getenv("XDG_CONFIG_HOME"),
                                      .home = getenv("HOME"),
                                      .sysconfdir = SYSCONFDIR};

    return atm_profile_search(&values, search_p);
}

atm_status profile_find(const char *named, atm_message *message, atm_profile **profile_p,
                        atm_source *source_p)
{
    const atm_place_to_look *place;
    atm_search search;
    struct stat file;
    atm_status status = profile_search(named, &search);

    if (status != ATM_OK) {
        snprintf(message->text, sizeof(message->text), "the profile's path is too long");
        return status;
    }
    place = atm_search_find(&search, &file);
    status = place->path[0] != '\0' ? atm_profile_load(place->path, message, profile_p)
                                    : atm_profile_generic(message, profile_p);
    if (status == ATM_OK)
        *source_p = place->source;
    return status;
}
