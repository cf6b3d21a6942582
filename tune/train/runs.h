/*
 * Runs: how long an application's collective accesses took with chosen
 * configurations.  What the paper's black box `ml` learns from (section IV);
 * the hybrid model needs none.
 *
 *     { "format": "romio-autotune-runs", "version": 1,
 *       "machine": { "name": "...", ... },                   facts as in a profile
 *       "runs": [ { "nodes": 128, "per_node": 16,
 *                   "bytes": 16777216,                       of one process
 *                   "aggregators": 128, "buffer": 16777216,  the configuration
 *                   "stripes": 1,                            optional
 *                   "seconds": 3.2 }, ... ] }
 *
 * Several runs of the same count as one with their mean.
 *
 * The model is a surrogate (cost/surrogate.h).  It stands in a document
 *
 *     { "format": "romio-autotune-ml", "version": 1, "machine": { ... },
 *       "model": { ... } }
 *
 * in which, as surrogates know features of operations only, the aggregators are
 * called "receivers" and the buffer "messages".
 */

#ifndef RUNS_H
#define RUNS_H

#include "train.h"

/* Runs as points, which train_run takes with .algorithm = "svr"; destroy them
 * with points_destroy.  Their operation has no meaning. */
atm_status runs_read(const char *path, atm_message *message, points **points_p);

/* The document of a result trained with runs; destroy it. */
atm_status runs_ml_document(const train_result *result, atm_value **document_p);

#endif /* RUNS_H */
