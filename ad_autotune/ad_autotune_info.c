#include "ad_autotune_plan.h"

#include "adioi.h"

#include <stdio.h>

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

const char *ADIOI_AUTOTUNE_switch_name(int hint)
{
    return hint == ADIOI_HINT_ENABLE    ? "enable"
           : hint == ADIOI_HINT_DISABLE ? "disable"
                                        : "automatic";
}
