#include "profile_find.h"

#include <stdio.h>
#include <stdlib.h>

static atm_search_values values_of(const char *named)
{
    return (atm_search_values){.hint = named,
                               .environment = getenv("ROMIO_AUTOTUNE_PROFILE"),
                               .xdg_config = getenv("XDG_CONFIG_HOME"),
                               .home = getenv("HOME"),
                               .sysconfdir = SYSCONFDIR};
}

atm_status profile_search(const char *named, atm_search *search_p)
{
    const atm_search_values values = values_of(named);

    return atm_profile_search(&values, search_p);
}

static atm_status load(const atm_seen *seen, atm_message *message, atm_profile **profile_p)
{
    return seen->path[0] != '\0' ? atm_profile_load(seen->path, message, profile_p)
                                 : atm_profile_generic(message, profile_p);
}

/* The best of those that are in list; the others are destroyed. */
static atm_status choose(const atm_installed *list, atm_profile **profiles, int count,
                         const atm_use *use, atm_message *message, profile_found *found_p)
{
    atm_status status = ATM_OK;
    int loaded = 0, best = -1;

    while (loaded < count && status == ATM_OK) {
        status = load(&list[loaded].seen, message, &profiles[loaded]);
        loaded += status == ATM_OK;
    }
    if (status == ATM_OK) {
        profile_found found = {.count = count};

        for (int i = 0; i < count; i++)
            found.user_has |= list[i].source == ATM_SOURCE_USER;
        best =
            atm_installed_best(list, (const atm_profile *const *) profiles, count, use, &found.fit);
        found.profile = profiles[best];
        found.source = list[best].source;
        *found_p = found;
    }
    for (int i = 0; i < loaded; i++)
        if (i != best)
            atm_profile_destroy(profiles[i]);
    return status;
}

atm_status profile_find(const char *named, const atm_use *use, atm_message *message,
                        profile_found *found_p)
{
    const atm_search_values values = values_of(named);
    atm_installed *list;
    atm_profile **profiles;
    int count;
    atm_status status = atm_installed_list(&values, &list, &count);

    if (status == ATM_BAD_ARGUMENT)
        snprintf(message->text, sizeof(message->text), "the profile's path is too long");
    if (status != ATM_OK)
        return status;
    profiles = calloc((size_t) count, sizeof(atm_profile *));
    status =
        profiles != NULL ? choose(list, profiles, count, use, message, found_p) : ATM_NO_MEMORY;
    free(profiles);
    free(list);
    return status;
}
