/* Where a profile is looked for. */

#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool given(const char *value)
{
    return value != NULL && value[0] != '\0';
}

static bool absolute(const char *value)
{
    return given(value) && value[0] == '/';
}

/* The hint or the variable names the built-in profile: nothing else is searched. */
static bool names_built_in(const atm_search_values *values)
{
    const char *named = given(values->hint) ? values->hint : values->environment;

    return given(named) && strcmp(named, ATM_PROFILE_BUILT_IN) == 0;
}

/* Appends a path; false if that is too long. */
static bool add(atm_search *search, atm_source source, const char *path)
{
    atm_place_to_look *place = &search->at[search->count++];
    int length;

    place->source = source;
    place->named = source == ATM_SOURCE_HINT || source == ATM_SOURCE_ENVIRONMENT;
    length = snprintf(place->path, sizeof(place->path), "%s", path);
    return length >= 0 && (size_t) length < sizeof(place->path);
}

/* Appends the file in our folder of base and middle. */
static bool add_file(atm_search *search, atm_source source, const char *base, const char *middle,
                     const char *file)
{
    char path[ATM_SEARCH_PATH];
    int length = snprintf(path, sizeof(path), "%s%s/" ATM_PROFILE_FOLDER "/%s", base, middle,
                          file != NULL ? file : ATM_PROFILE_FILE);

    return length >= 0 && (size_t) length < sizeof(path) && add(search, source, path);
}

atm_status atm_profile_search(const atm_search_values *values, atm_search *search_p)
{
    const char *file = values->file;
    bool fits = true;

    search_p->count = 0;
    if (names_built_in(values)) {
        add(search_p, ATM_SOURCE_BUILT_IN, "");
        return ATM_OK;
    }
    if (given(values->hint))
        fits = fits && add(search_p, ATM_SOURCE_HINT, values->hint);
    if (given(values->environment))
        fits = fits && add(search_p, ATM_SOURCE_ENVIRONMENT, values->environment);
    if (absolute(values->xdg_config))
        fits = fits && add_file(search_p, ATM_SOURCE_USER, values->xdg_config, "", file);
    else if (absolute(values->home))
        fits = fits && add_file(search_p, ATM_SOURCE_USER, values->home, "/.config", file);
    if (given(values->sysconfdir))
        fits = fits && add_file(search_p, ATM_SOURCE_SITE, values->sysconfdir, "", file);
    fits = fits && add(search_p, ATM_SOURCE_BUILT_IN, "");
    return fits ? ATM_OK : ATM_BAD_ARGUMENT;
}

const atm_place_to_look *atm_search_find(const atm_search *search, struct stat *file_p)
{
    const atm_place_to_look *place = search->at;

    for (int i = 0; i < search->count; i++) {
        place = &search->at[i];
        memset(file_p, 0, sizeof(*file_p));
        if (place->path[0] == '\0' || stat(place->path, file_p) == 0 || place->named)
            break;
    }
    return place;
}

atm_status atm_search_see(const atm_search_values *values, atm_seen *seen_p)
{
    atm_search *search = malloc(sizeof(*search)); /* 20 KB: not on a thread's stack */
    atm_status status = search != NULL ? atm_profile_search(values, search) : ATM_NO_MEMORY;

    if (status == ATM_OK)
        strcpy(seen_p->path, atm_search_find(search, &seen_p->file)->path);
    free(search);
    return status;
}

bool atm_seen_again(const atm_seen *before, const atm_seen *now)
{
    return strcmp(before->path, now->path) == 0 && before->file.st_dev == now->file.st_dev &&
           before->file.st_ino == now->file.st_ino && before->file.st_size == now->file.st_size &&
           before->file.st_mtim.tv_sec == now->file.st_mtim.tv_sec &&
           before->file.st_mtim.tv_nsec == now->file.st_mtim.tv_nsec;
}
