#include "share.h"

#include <stdio.h>
#include <stdlib.h>

static bool set(int part, int parts, share *share_p)
{
    if (parts < 1 || part < 0 || part >= parts)
        return false;
    *share_p = (share){part, parts};
    return true;
}

bool share_parse(const char *text, share *share_p)
{
    int part, parts, end = 0;

    return sscanf(text, "%d/%d%n", &part, &parts, &end) == 2 && text[end] == '\0' &&
           set(part, parts, share_p);
}

/* This process's share by its launcher.  Not SLURM_NTASKS: a batch script, which is one process,
 * has it as well. */
share share_from_environment(void)
{
    static const char *const names[][2] = {{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}};
    share share = {0, 1};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *part = getenv(names[i][0]), *parts = getenv(names[i][1]);

        if (part != NULL && parts != NULL && set(atoi(part), atoi(parts), &share))
            break;
    }
    return share;
}
