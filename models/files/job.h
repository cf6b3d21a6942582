/* The job that a process is part of: records, spools and advice know the processes of a run by it.
 */

#ifndef ATM_JOB_H
#define ATM_JOB_H

#include "atm.h"

/* Set by autotune run where it is not set: drawn for each launch. */
#define ATM_LAUNCH_VARIABLE "ROMIO_AUTOTUNE_LAUNCH"

/* Id of the batch job (SLURM_JOB_ID, PBS_JOBID), or else of the launch; "" if neither is known.
 * Valid until the environment is changed. */
const char *atm_job_id(void);

#endif /* ATM_JOB_H */
