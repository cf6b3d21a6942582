/* Real calls in a program that is linked statically: those of calls.list, "ld --wrap" has given to
 * their wrappers; the few that are asked for by name are in a table (wrappers.awk). */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "atw.h"

off_t __real_lseek(int fd, off_t offset, int whence);

static const atw_asked *asked(const char *name)
{
    const atw_asked *at = atw_asked_names;

    while (at->name != NULL && strcmp(at->name, name) != 0)
        at++;
    return at;
}

atw_function *atw_find_any(const char *name)
{
    return strcmp(name, "lseek") == 0 ? (atw_function *) __real_lseek : asked(name)->function;
}

void *atw_find_variable(const char *name)
{
    return asked(name)->variable;
}

atw_function *atw_find(const char *name)
{
    atw_function *found = atw_find_any(name);

    if (found == NULL) {
        fprintf(stderr, "romio-autotune: %s is called, and was not linked\n", name);
        abort();
    }
    return found;
}
