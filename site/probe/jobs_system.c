#include "jobs_system.h"

#include "command.h"

static char *const slurm[] = {"squeue", "--noheader",      "--all", "--states=RUNNING",
                              "-O",     JOBS_SLURM_FORMAT, NULL};
static char *const pbs[] = {"qstat", "-f", NULL};

static const jobs_system systems[] = {[SYSTEM_SLURM] = {"slurm", slurm, jobs_parse_slurm},
                                      [SYSTEM_PBS] = {"pbs", pbs, jobs_parse_pbs}};

const jobs_system *jobs_system_find(probe_system wanted)
{
    if (wanted == SYSTEM_NONE)
        return NULL;
    if (wanted != SYSTEM_AUTO)
        return &systems[wanted];
    for (int i = SYSTEM_SLURM; i <= SYSTEM_PBS; i++)
        if (command_exists(systems[i].arguments[0]))
            return &systems[i];
    return NULL;
}
