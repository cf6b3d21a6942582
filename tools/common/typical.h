/*
 * Typical jobs of a machine: what a profile is asked when it is described,
 * compared or reported on.  As large as what was measured, and half of it; a
 * contiguous write, an interleaved write of small pieces, an interleaved read.
 */

#ifndef TYPICAL_H
#define TYPICAL_H

#include "choose/choose.h"

enum { TYPICAL_CASES = 6 };

typedef struct typical_case {
    char words[128]; /* "write of 16 MiB by each of 8 ranks on 1 node, one piece each" */
    atm_request request;
} typical_case;

/* The largest job that was measured; of a generic cluster 16 nodes of 16 ranks. */
atm_job typical_job(const atm_profile *profile);

void typical_cases(const atm_profile *profile, typical_case cases[TYPICAL_CASES]);

/* "8 aggregators, 16 MiB", with striping on Lustre, or "independent access" */
void typical_config(const atm_request *request, const atm_config *config, char *words, size_t size);

/* Does this configuration run two-phase I/O? */
bool typical_collective(const atm_request *request, const atm_config *config);

#endif /* TYPICAL_H */
