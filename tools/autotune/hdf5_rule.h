/* What the model says of a layout of HDF5, as a rule of advice: no run is needed. */

#ifndef AUTOTUNE_HDF5_RULE_H
#define AUTOTUNE_HDF5_RULE_H

#include "advice/advice.h"

typedef struct hdf5_rule {
    const char *path;           /* that of the advice; what it has stays */
    const char *program, *file; /* patterns, at least one; NULL: any */
    int ranks;                  /* and those of the same power of two */
    const atm_settings *set;
} hdf5_rule;

atm_status hdf5_rule_write(const hdf5_rule *rule, atm_message *message, int *rules_p);

#endif /* AUTOTUNE_HDF5_RULE_H */
