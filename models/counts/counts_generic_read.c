/* Two-phase reads of UFS, NFS and Lustre: ADIOI_GEN_ReadStridedColl (ad_read_coll.c).
 * Like writes, but holes cost nothing and nobody waits at the end. */

#include "counts_inside.h"

static atm_status count(atm_driver driver, const atm_job *job, const atm_access *access,
                        const atm_config *config, atm_counts *counts)
{
    (void) driver;
    return counts_generic_rounds(job, access, config, counts);
}

const atm_count_model counts_generic_read = {
    .name = "generic-read",
    .summary = "two-phase reads of UFS, NFS and Lustre",
    .drivers = 1u << ATM_UFS | 1u << ATM_NFS | 1u << ATM_LUSTRE,
    .collective = true,
    .read = true,
    .count = count,
};
