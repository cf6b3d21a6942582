/* What this variant has for the slots, and what the host has for it. */

#include <dlfcn.h>
#include <string.h>

#include "atp.h"
#include "functions.h"

/* Set in the driver (ad_autotune_name.h). */
extern int ADIOI_AUTOTUNE_all_files;

static void *host; /* handle for dlsym */

atp_function *const *atp_functions(void *host_, const atp_wishes *wishes)
{
    host = host_;
    ADIOI_AUTOTUNE_all_files = wishes->all;
#ifdef OPEN_MPI
    atp_find_theirs(wishes);
#endif
    return functions;
}

bool atp_find(const char *name, void *function_p)
{
    void *found = host != NULL ? dlsym(host, name) : NULL;

    memcpy(function_p, &found, sizeof(found));
    return found != NULL;
}
