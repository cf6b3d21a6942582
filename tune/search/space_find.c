/* Where spaces are. */

#include "space.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The spaces installed in the same tree as this program, which is in libexec/romio-autotune. */
static bool beside(size_t size, char *folder_p)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

    if (length <= 0)
        return false;
    program[length] = '\0';
    return (size_t) snprintf(folder_p, size, "%s/../../share/romio-autotune/spaces",
                             dirname(program)) < size;
}

static bool look(const char *folder, const char *name, size_t size, char *path_p)
{
    char path[PATH_MAX];

    if ((size_t) snprintf(path, sizeof(path), "%s/%s.json", folder, name) >= sizeof(path) ||
        access(path, F_OK) != 0 || strlen(path) >= size)
        return false;
    strcpy(path_p, path);
    return true;
}

atm_status ats_space_find(const char *name, atm_message *message, size_t size, char *path_p)
{
    const char *named = getenv("ROMIO_AUTOTUNE_SPACES");
    char folder[PATH_MAX];

    if (strchr(name, '/') != NULL || access(name, F_OK) == 0) {
        if ((size_t) snprintf(path_p, size, "%s", name) < size)
            return ATM_OK;
    } else if ((named != NULL && look(named, name, size, path_p)) ||
               (beside(sizeof(folder), folder) && look(folder, name, size, path_p)) ||
               look(PKGDATADIR "/spaces", name, size, path_p)) {
        return ATM_OK;
    }
    snprintf(message->text, sizeof(message->text),
             "%.64s: is no file, nor the name of a space that is installed (%.96s)", name,
             named != NULL ? named : PKGDATADIR "/spaces");
    return ATM_NO_ACCESS;
}

/* As the driver tells them apart (ad_autotune_wrapped.c). */
const char *ats_space_for(const char *folder)
{
    struct statfs facts;

    if (statfs(folder, &facts) != 0)
        return "plain";
    switch ((unsigned) facts.f_type) {
        case 0x0BD00BD0u:
            return "lustre";
        case 0x47504653u:
            return "gpfs";
        default:
            return "plain";
    }
}
