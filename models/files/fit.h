/*
 * Whether a profile fits: what it was measured on, compared with what it is used for.
 *
 *     file system   of the same type, and the same one
 *     servers       OSTs: at most ATM_FIT_SERVERS times as many, or as few
 *     nodes         at most ATM_FIT_NODES times as many: a calibration also measures with fewer
 *     adapters      as many in each node
 *     MPI           by its name, without the version
 *
 * A fact that one side does not have is not compared.
 */

#ifndef ATM_FIT_H
#define ATM_FIT_H

#include "machine.h"

enum { ATM_FIT_NODES = 4, ATM_FIT_SERVERS = 2 };

/* What a profile is used for. */
typedef struct atm_use {
    const char
        *file_system;   /* its type; "ufs": any that ROMIO has no driver for; NULL: not known */
    int nodes, nics;    /* of the job, and of one of them; 0: not known */
    int servers;        /* of the file system; 0: not known */
    const char *source; /* what is mounted (file_system.h); NULL: not known */
    const char *mpi;    /* library and version; NULL: not known */
} atm_use;

typedef enum atm_fits {
    ATM_FIT_NOT_COMPARED, /* nothing is known of the use, or the profile is the built-in one */
    ATM_FIT_GOOD,
    ATM_FIT_NOT_KNOWN, /* on which file system the profile was measured */
    ATM_FIT_BAD,
    ATM_FIT_COUNT
} atm_fits;

typedef struct atm_fit {
    atm_fits fits;
    bool differs[ATM_KIND_COUNT]; /* costs of this kind are of other hardware */
    double distance;              /* of the nodes, as a factor of 1 or more; INFINITY: not known */
    atm_message why;              /* not known or bad: a sentence without a full stop; else "" */
} atm_fit;

/* "fits", "not known", "does not fit" */
const char *atm_fits_name(atm_fits fits);

atm_fit atm_fit_of(const atm_machine *machine, const atm_use *use);

#endif /* ATM_FIT_H */
