/* Where the real calls are: behind this library, in whatever the program has loaded. */

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atw.h"

typedef struct search {
    const char *name;
    void *found;
    const void *here; /* this library */
} search;

/* Libraries that were loaded for one part of the process, as Python loads MPI, are not among those
 * behind this one. */
static int look_at(struct dl_phdr_info *object, size_t size, void *search_)
{
    search *s = search_;
    void *handle, *function;
    Dl_info where;

    (void) size;
    if (object->dlpi_name == NULL || object->dlpi_name[0] == '\0')
        return 0;
    handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL)
        return 0;
    function = dlsym(handle, s->name);
    if (function != NULL && dladdr(function, &where) != 0 && where.dli_fbase != s->here)
        s->found = function;
    dlclose(handle);
    return s->found != NULL;
}

static void *look_everywhere(const char *name)
{
    search s = {name, NULL, NULL};
    Dl_info here;

    if (dladdr((void *) (uintptr_t) atw_find, &here) == 0)
        return NULL;
    s.here = here.dli_fbase;
    dl_iterate_phdr(look_at, &s);
    return s.found;
}

/* Tools between this library and MPI are passed through; MPI's other name is for libraries that
 * have no more. */
atw_function *atw_find_any(const char *name)
{
    int saved = errno;
    void *found = dlsym(RTLD_NEXT, name);
    char other[64];
    atw_function *function;

    if (found == NULL)
        found = look_everywhere(name);
    if (found == NULL && strncmp(name, "MPI_", 4) == 0) {
        snprintf(other, sizeof(other), "P%s", name);
        found = dlsym(RTLD_DEFAULT, other);
        if (found == NULL)
            found = look_everywhere(other);
    }
    memcpy(&function, &found, sizeof(function));
    errno = saved;
    return function;
}

/* A program may have a copy of it, which libraries use as well. */
void *atw_find_variable(const char *name)
{
    int saved = errno;
    void *found = dlsym(RTLD_DEFAULT, name);

    if (found == NULL)
        found = look_everywhere(name);
    errno = saved;
    return found;
}

atw_function *atw_find(const char *name)
{
    atw_function *found = atw_find_any(name);

    if (found == NULL) {
        fprintf(stderr, "romio-autotune: %s is called, and no library has it\n", name);
        abort();
    }
    return found;
}
