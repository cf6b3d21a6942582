/* Two-phase reads of UFS, NFS and Lustre: ADIOI_GEN_ReadStridedColl (ad_read_coll.c).
 * Like writes, but holes cost nothing and nobody waits at the end. */

#include "counts_inside.h"

/* ad_read_coll.c:620 of 4.1, before a window is read.  Pieces in the order of the file: each round
 * leaves fewer by as many. */
static double compared(const atm_job *job, const atm_counts *counts)
{
    if (job->mpich < 40100 || counts->domains == 0)
        return 0;
    return (double) (counts->request_bytes / 16) / counts->domains * ((double) counts->rounds + 1) /
           2;
}

static atm_status count(atm_driver driver, const atm_job *job, const atm_access *access,
                        const atm_config *config, atm_counts *counts)
{
    atm_status status = counts_generic_rounds(job, access, config, counts);

    (void) driver;
    if (status == ATM_OK)
        counts->compared = compared(job, counts);
    return status;
}

const atm_count_model counts_generic_read = {
    .name = "generic-read",
    .summary = "two-phase reads of UFS, NFS and Lustre",
    .drivers = 1u << ATM_UFS | 1u << ATM_NFS | 1u << ATM_LUSTRE,
    .collective = true,
    .read = true,
    .count = count,
};
