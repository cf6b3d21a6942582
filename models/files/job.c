#include "job.h"

#include <stddef.h>
#include <stdlib.h>

const char *atm_job_id(void)
{
    static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID", ATM_LAUNCH_VARIABLE};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *job = secure_getenv(names[i]);

        if (job != NULL && job[0] != '\0')
            return job;
    }
    return "";
}
