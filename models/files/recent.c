/* What a search has found, for a moment. */

#include "recent.h"

#include <string.h>

enum { VALUES = 6 };

static void list_of(const atm_search_values *values, const char *list_p[VALUES])
{
    const char *const list[VALUES] = {values->hint, values->environment, values->xdg_config,
                                      values->home, values->sysconfdir,  values->file};

    for (int i = 0; i < VALUES; i++)
        list_p[i] = list[i] != NULL ? list[i] : "";
}

bool atm_recent_holds(const atm_recent *recent, const atm_search_values *values, double now)
{
    const char *list[VALUES], *at = recent->values;

    if (recent->length == 0 || now < recent->at || now >= recent->at + ATM_RECENT_SECONDS)
        return false;
    list_of(values, list);
    for (int i = 0; i < VALUES; i++) {
        if (strcmp(list[i], at) != 0)
            return false;
        at += strlen(at) + 1;
    }
    return true;
}

static bool is_relative(const char *path)
{
    return path[0] != '\0' && path[0] != '/';
}

void atm_recent_begin(atm_recent *recent, const atm_search_values *values, double now)
{
    const char *list[VALUES];
    size_t used = 0;

    list_of(values, list);
    recent->at = now;
    recent->length = 0;
    if (is_relative(list[0]) || is_relative(list[1]))
        return;
    for (int i = 0; i < VALUES; i++) {
        size_t length = strlen(list[i]) + 1;

        if (length > sizeof(recent->values) - used)
            return;
        memcpy(recent->values + used, list[i], length);
        used += length;
    }
    recent->length = used;
}

atm_status atm_search_now(const atm_search_values *values, double now, atm_found *found)
{
    atm_status status;

    if (atm_recent_holds(&found->recent, values, now))
        return ATM_OK;
    status = atm_search_see(values, &found->seen);
    if (status == ATM_OK)
        atm_recent_begin(&found->recent, values, now);
    return status;
}
