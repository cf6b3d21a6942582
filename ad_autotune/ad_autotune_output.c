#include "ad_autotune_record.h"

#include "adioi.h"
#include "files/job.h"
#include "files/output.h"

#include <limits.h>
#include <unistd.h>

char *ADIOI_AUTOTUNE_output_path(const char *pattern, atm_message *why)
{
    char host[256] = "", *path = ADIOI_Malloc(PATH_MAX);

    gethostname(host, sizeof(host) - 1);
    if (atm_record_path(pattern, host, getpid(), atm_job_id(), why, PATH_MAX, path) == ATM_OK)
        return path;
    ADIOI_Free(path);
    return NULL;
}

char *ADIOI_AUTOTUNE_record_path(const char *pattern, atm_message *why)
{
    char *path = ADIOI_AUTOTUNE_output_path(pattern, why);

    if (path == NULL || atm_line_append(path, "", 0, why) == ATM_OK)
        return path;
    ADIOI_Free(path);
    return NULL;
}
