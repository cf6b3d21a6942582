#include "ad_autotune_plan.h"

#include "adioi.h"
#include "files/recent.h"

#include <stdio.h>
#include <unistd.h>

int ADIOI_AUTOTUNE_get_value(MPI_Info info, const char *key, char *value)
{
    int flag = 0;

    if (info != MPI_INFO_NULL)
        ADIOI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
    return flag;
}

void ADIOI_AUTOTUNE_set_number(ADIO_File fd, const char *key, int number)
{
    char text[32];

    snprintf(text, sizeof(text), "%d", number);
    ADIOI_Info_set(fd->info, key, text);
}

/* By where its strings are: setenv puts a new one elsewhere. */
static uint64_t hash_of_environment(void)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (char **entry = environ; entry != NULL && *entry != NULL; entry++)
        hash = (hash ^ (uintptr_t) *entry) * UINT64_C(0x100000001b3);
    return hash;
}

int ADIOI_AUTOTUNE_variables_hold(ADIOI_AUTOTUNE_variables *last)
{
    ADIOI_AUTOTUNE_variables now = {hash_of_environment(), MPI_Wtime()};

    if (now.hash == last->hash && now.at >= last->at && now.at < last->at + ATM_RECENT_SECONDS)
        return 1;
    *last = now;
    return 0;
}

const char *ADIOI_AUTOTUNE_switch_name(int hint)
{
    return hint == ADIOI_HINT_ENABLE    ? "enable"
           : hint == ADIOI_HINT_DISABLE ? "disable"
                                        : "automatic";
}
