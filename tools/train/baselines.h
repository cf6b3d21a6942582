/* What the hybrid model is compared with (paper, section VI-B): `default`, `rs`
 * and `ml`.  Each picks one of the configurations of an instance. */

#ifndef BASELINES_H
#define BASELINES_H

#include "cost/surrogate.h"

/* An instance of the benchmark: all but the configuration. */
typedef struct baseline_job {
    int nodes;
    double per_node; /* ranks */
    uint64_t bytes;  /* of one process */
} baseline_job;

typedef struct baseline_config {
    int aggregators;
    uint64_t buffer;
    int stripes;
} baseline_config;

/* ROMIO's own: an aggregator on each node (cb_config_list "*:1") and a buffer of
 * 16 MiB (adio/include/adioi.h: ADIOI_CB_BUFFER_SIZE_DFLT).  Its index, or -1 if
 * it is not among the configurations. */
int baseline_default(const baseline_job *job, const baseline_config *configs, int count);

/* Random search: the fastest of tries configurations that are drawn (each at
 * most once) and measured.  With 1 try it is the paper's rs.  count >= 1. */
int baseline_random(const double *seconds, int count, int tries, uint64_t *random);

/* The black box: the configuration that the model of runs.h predicts to be
 * fastest; of equal ones the first.  count >= 1. */
int baseline_ml(const atm_surrogate *model, const baseline_job *job, const baseline_config *configs,
                int count);

/* What it predicts for one of them. */
double baseline_ml_seconds(const atm_surrogate *model, const baseline_job *job,
                           const baseline_config *config);

#endif /* BASELINES_H */
