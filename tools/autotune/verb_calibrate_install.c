/* Installing the profile of autotune calibrate for its user. */

#include <stdio.h>
#include <string.h>

#include "autotune.h"
#include "common/profile_find.h"
#include "verb_calibrate.h"

enum { WORDS = 6, NAME = 64 };

static char verb[] = "install-profile", user[] = "--user", add[] = "--add", dest[] = "--dest",
            name[] = "--name";

static const char *known(const char *fact)
{
    return fact[0] != '\0' ? fact : NULL;
}

static int replace(char *profile, char *installed)
{
    char *slash = strrchr(installed, '/');
    char *words[WORDS] = {verb, profile, dest, installed, name, slash + 1};

    *slash = '\0';
    return autotune_install(WORDS, words);
}

/* Names the profile after the file system, of which there may be profiles with other numbers of
 * nodes. */
static int add_beside(char *profile, const atm_machine *machine)
{
    char file[NAME], *words[WORDS] = {verb, profile, user, add, name, file};

    snprintf(file, sizeof(file), "%.32s-%llu.json",
             machine->file_system_type[0] != '\0' ? machine->file_system_type : "any",
             (unsigned long long) machine->nodes);
    return autotune_install(WORDS, words);
}

static int install(atm_profile *profile, const profile_found *found)
{
    char *words[] = {verb, profile->source, user};

    if (found->source == ATM_SOURCE_USER && found->fit.fits != ATM_FIT_BAD &&
        strchr(found->profile->source, '/') != NULL)
        return replace(profile->source, found->profile->source);
    if (found->user_has)
        return add_beside(profile->source, &profile->machine);
    return autotune_install(3, words);
}

int calibrate_install(const char *path)
{
    atm_message message = {""};
    atm_profile *profile = NULL;
    profile_found found = {.profile = NULL};
    atm_status status = atm_profile_load(path, &message, &profile);
    int code = 1;

    if (status == ATM_OK) {
        const atm_machine *machine = &profile->machine;
        atm_use use = {.file_system = known(machine->file_system_type),
                       .nodes = (int) machine->nodes,
                       .nics = (int) machine->nics,
                       .servers = (int) machine->servers,
                       .source = known(machine->file_system_source),
                       .mpi = known(machine->mpi)};

        status = profile_find(NULL, &use, &message, &found);
    }
    if (status == ATM_OK)
        code = install(profile, &found);
    else
        fprintf(stderr, "autotune calibrate: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
    atm_profile_destroy(found.profile);
    atm_profile_destroy(profile);
    return code;
}
