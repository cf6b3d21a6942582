/* Profiles that are installed, and which of them is used. */

#include "installed.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- which there are */

typedef struct list {
    atm_installed *at;
    int count;
} list;

static atm_status add(list *list, atm_source source, const char *path, const struct stat *file)
{
    size_t size = ((size_t) list->count + 1) * sizeof(*list->at);
    atm_installed *at = realloc(list->at, size);

    if (at == NULL)
        return ATM_NO_MEMORY;
    list->at = at;
    at += list->count++;
    memset(at, 0, sizeof(*at));
    at->source = source;
    at->seen.file = *file;
    strcpy(at->seen.path, path);
    return ATM_OK;
}

static int is_profile(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return entry->d_name[0] != '.' && length > 5 &&
           strcmp(entry->d_name + length - 5, ".json") == 0;
}

/* In the same order in every locale. */
static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

static atm_status add_entry(list *list, atm_source source, const char *folder, const char *name)
{
    char path[ATM_SEARCH_PATH];
    struct stat file;
    int length = snprintf(path, sizeof(path), "%s/%s", folder, name);

    if (length < 0 || (size_t) length >= sizeof(path))
        return ATM_BAD_ARGUMENT;
    return stat(path, &file) == 0 ? add(list, source, path, &file) : ATM_OK; /* just removed */
}

/* Adds the profiles of profiles.d beside that profile.json. */
static atm_status add_folder(list *list, const atm_place_to_look *place)
{
    char folder[ATM_SEARCH_PATH];
    int kept = (int) (strrchr(place->path, '/') - place->path) + 1, count;
    struct dirent **entries;
    atm_status status = ATM_OK;
    int length = snprintf(folder, sizeof(folder), "%.*s" ATM_PROFILES_FOLDER, kept, place->path);

    if (length < 0 || (size_t) length >= sizeof(folder))
        return ATM_BAD_ARGUMENT;
    count = scandir(folder, &entries, is_profile, by_name);
    if (count < 0)
        return errno == ENOMEM ? ATM_NO_MEMORY : ATM_OK;
    for (int i = 0; i < count; i++) {
        if (status == ATM_OK)
            status = add_entry(list, place->source, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* The built-in one only where there is no other. */
static atm_status add_place(list *list, const atm_place_to_look *place)
{
    struct stat file = {.st_size = 0};
    bool found = place->path[0] == '\0' ? list->count == 0 : stat(place->path, &file) == 0;
    atm_status status = ATM_OK;

    if (found || place->named)
        status = add(list, place->source, place->path, &file);
    if (status == ATM_OK && !place->named && place->path[0] != '\0')
        status = add_folder(list, place);
    return status;
}

atm_status atm_installed_list(const atm_search_values *values, atm_installed **list_p, int *count_p)
{
    atm_search *search = malloc(sizeof(*search)); /* as atm_search_see */
    atm_status status = search != NULL ? atm_profile_search(values, search) : ATM_NO_MEMORY;
    list list = {.at = NULL};

    for (int i = 0; status == ATM_OK && i < search->count; i++) {
        status = add_place(&list, &search->at[i]);
        if (search->at[i].named)
            break;
    }
    free(search);
    if (status != ATM_OK) {
        free(list.at);
        return status;
    }
    *list_p = list.at;
    *count_p = list.count;
    return ATM_OK;
}

/* --- which one is used */

static bool is_better(const atm_fit *one, atm_source source, const atm_fit *other,
                      atm_source others)
{
    if (one->fits != other->fits)
        return one->fits < other->fits;
    return one->fits == ATM_FIT_GOOD && source == others && one->distance < other->distance;
}

int atm_installed_best(const atm_installed *list, const atm_profile *const *profiles, int count,
                       const atm_use *use, atm_fit *fit_p)
{
    int best = 0;

    for (int i = 0; i < count; i++) {
        atm_fit fit = {.fits = ATM_FIT_NOT_COMPARED, .differs = {true, true}};

        if (list[i].source != ATM_SOURCE_BUILT_IN)
            fit = atm_fit_of(&profiles[i]->machine, use);
        if (i > 0 && !is_better(&fit, list[i].source, fit_p, list[best].source))
            continue;
        *fit_p = fit;
        best = i;
    }
    return best;
}

/* --- how far its costs are those of the use */

/* Deviation of another machine's costs of a kind, as a logarithm: the root mean square of what the
 * grounds in study/ take over the built-in profile's costs, where exchanges are 4.0, 3.4, 2.4 and
 * 0.66 times as long, and full rounds of writes 9.3, 4.0 and, at the rate of slow OSTs, 200. */
static const double other_machine[ATM_KIND_COUNT] = {
    [ATM_COMMUNICATION_KIND] = 1.0, [ATM_STORAGE_KIND] = 3.4};

void atm_installed_doubt(const atm_profile *profile, const atm_fit *fit,
                         double doubt_p[ATM_KIND_COUNT])
{
    bool measured[ATM_KIND_COUNT] = {false};

    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (!profile->generic[i])
            measured[atm_operation_kind((atm_operation) i)] = true;
    for (int i = 0; i < ATM_KIND_COUNT; i++)
        doubt_p[i] = measured[i] && !fit->differs[i] ? 0 : other_machine[i];
}
