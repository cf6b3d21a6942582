/*
 * Sweep: what an application's collective access took with every configuration
 * that was tried, on one proving ground.  Written by the grounds' own programs
 * (study/vesta, study/cluster, study/standin), read by autotune-evaluate.
 *
 *     { "format": "romio-autotune-sweep", "version": 1,
 *       "ground": { "name": "vesta",
 *                   "kind": "simulated",           or "stand-in", "measured"
 *                   "title": "one line for people",
 *                   "version": "...", "date": "2026-01-31T10:00:00Z", "seed": 1,   (seed optional)
 *                   "facts": { "any": "text", ... } },
 *       "instances": [
 *         { "name": "128 nodes, 4 MiB a process",
 *           "driver": "gpfs",                      ufs, nfs, gpfs, lustre: whose counts apply
 *           "nodes": 128, "per_node": 16, "psets": 4, "bridges": 8,   (psets, bridges optional: 0)
 *           "apart": [0.1, ...],      share of ranks whose successor 1, 2, 4, ... on is in another
 *                                     pset (optional: psets follow each other)
 *           "block": 8388608,         of the file system (optional; GPFS: 1 MiB)
 *           "access": { "write": true,
 *                       "bytes": 4194304,     of one process (a mean where uneven)
 *                       "strided": 0,         size of the pieces that ranks take in turn; 0: one
 *                                             piece each
 *                       "affinity": 0.5,      of what is next to each other in the file, the share
 *                                             that the group of nodes with most of it holds
 *                                             (optional: not known)
 *                       "calls": 1 },         collective calls that "seconds" covers
 *           "configurations": [
 *             { "aggregators": 8, "buffer": 16777216,
 *               "collective": true,                optional; false: every rank for itself
 *               "stripes": 4, "stripe_size": 1048576,      Lustre only
 *               "default": true,                   exactly one of an instance
 *               "variant": "uniform",              optional: not a candidate, but the same
 *                                                  configuration under another condition:
 *                                                  "uniform", "bluegene", "near" (placement;
 *                                                  else bridge-first, of a default that is not
 *                                                  GPFS's ROMIO's own list),
 *                                                  "existing" (locks already granted), or a rule's
 *                                                  name ("gio")
 *               "seconds": [ 3.2, 3.1, 3.3 ],      repetitions, interleaved where measured
 *               "in_call": [ 2.2, 2.0, 2.1 ],      optional: the calls alone, where seconds have
 *                                                  more: what is predicted
 *               "parts": { "partitioning": 0.1, "shuffle": 1.0, "storage": 2.1 } }, ... ],
 *                                                  optional
 *           "choice": {                            optional: what the driver itself did when it
 *                                                  ran there, measured
 *               "aggregators": 8, "buffer": 4194304, "collective": true,
 *               "stripes": .., "stripe_size": ..,  as above
 *               "status": "tuned", "seconds": [ ... ] } } ] }
 *
 * A ground is a directory that holds this as sweep.json, beside points.json
 * (points.h) and perhaps topology.json.
 *
 * On Lustre "aggregators" are the ranks that write: romio_lustre_co_ratio is what
 * makes them so.
 */

#ifndef SWEEP_H
#define SWEEP_H

#include "counts/counts.h"
#include "value/value.h"

/* Variants that are conditions; all others are rules. */
#define SWEEP_UNIFORM "uniform"
#define SWEEP_BLUEGENE "bluegene"
#define SWEEP_NEAR "near"
#define SWEEP_STOCK "stock" /* ROMIO's own list: the first nodes */
#define SWEEP_EXISTING "existing"

/* Repetitions of one thing. */
typedef struct sweep_times {
    double *seconds; /* [count], count >= 1; owned */
    int count;
    double median;
    double spread; /* (largest - smallest) / median */
} sweep_times;

typedef struct sweep_config {
    atm_config config;
    const char *variant; /* NULL: a candidate */
    sweep_times times;
    sweep_times in_call; /* count 0: all of times is */
    bool has_parts;
    double parts[ATM_PART_COUNT]; /* seconds */
} sweep_config;

typedef struct sweep_choice {
    atm_config config;
    const char *status;
    sweep_times times;
} sweep_choice;

typedef struct sweep_instance {
    const char *name;
    atm_driver driver;
    atm_job job;
    int per_node; /* ranks */
    int psets, bridges;
    int calls;
    atm_access access;     /* of the first call */
    uint64_t piece;        /* "strided" */
    sweep_config *configs; /* [count], the candidates first; owned */
    int count;
    int candidates;
    int defaults; /* index of the default, a candidate */
    int best;     /* of the candidate with the smallest median */
    bool has_choice;
    sweep_choice choice;
} sweep_instance;

typedef struct sweep {
    atm_value *root; /* texts live there */
    const char *name, *kind, *title, *version, *date;
    const atm_value *facts;
    sweep_instance *instances; /* [count] */
    int count;
} sweep;

/* Checks everything, also that each configuration can be counted; destroy it. */
atm_status sweep_read(const char *path, atm_message *message, sweep **sweep_p);
void sweep_destroy(sweep *sweep);

/* The operations of all calls of a configuration, by a count model (NULL: the
 * one that ROMIO runs): the first on a newly opened file, later ones with
 * existing locks and buffers. */
atm_status sweep_count(const sweep_instance *instance, const atm_config *config,
                       const atm_count_model *model, atm_counts *counts_p);

/* Is it one of the above, which every configuration may have, and not a rule? */
bool sweep_is_condition(const char *variant);

/* Seconds that a prediction is compared with. */
double sweep_in_call(const sweep_config *config);

/* The same configuration under a condition (NULL: the candidate); NULL: none. */
const sweep_config *sweep_under(const sweep_instance *instance, const atm_config *config,
                                const char *condition);

/* "8 x 16 MiB": aggregators and buffer, with striping on Lustre, or "each for itself" */
void sweep_words(const sweep_instance *instance, const atm_config *config, char *words,
                 size_t size);

#endif /* SWEEP_H */
