/* What this variant has for the slots, and what the host has for it. */

#include <dlfcn.h>
#include <string.h>

#include "atp.h"
#include "functions.h"

static void *host; /* handle for dlsym */

atp_function *const *atp_functions(void *host_)
{
    host = host_;
    return functions;
}

bool atp_find(const char *name, void *function_p)
{
    void *found = host != NULL ? dlsym(host, name) : NULL;

    memcpy(function_p, &found, sizeof(found));
    return found != NULL;
}
