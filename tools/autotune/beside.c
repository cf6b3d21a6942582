/* Programs that belong to this one. */

#include "beside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void beside_find(const char *name, const char *otherwise, char path_p[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path_p, PATH_MAX - 1);
    char *slash;

    path_p[length > 0 ? length : 0] = '\0';
    slash = strrchr(path_p, '/');
    if (slash != NULL)
        snprintf(slash + 1, PATH_MAX - (size_t) (slash + 1 - path_p), "autotune-%s", name);
    if (slash == NULL || access(path_p, X_OK) != 0)
        snprintf(path_p, PATH_MAX, "%s%sautotune-%s", otherwise != NULL ? otherwise : "",
                 otherwise != NULL ? "/" : "", name);
}
