/*
 * Situations as members of documents: "situation" of a decision (choose/explain.h).
 *
 *     { "version": 1,
 *       "request": { "driver", "mode", "mpich", "access", "life", ... },     situation_fields.c
 *       "holders": [[first byte, last byte], ...],                           if known
 *       "nodes": [[count, pset, hops, adapters, bridge], ...],               alike, in their order
 *       "node_of": [[0, 1, 8, 16]],                                          of each rank
 *       "ranks": [[0, 16, 8, 1]],                                            aggregators without us
 *       "profile": "8c2f0c8e1a9b7d35",                                       atm_profile_hash
 *       "scale": { "communication", "storage", "communication_doubt", "storage_doubt" },
 *       "advice": { "draw", "control", "set" },                              if a rule matches
 *       "storage": { "now", "seed", "targets", "state": {...} },             if it is known
 *       "past": { "access", "config", "calls", ... }, "look": "due" }        but at open
 *
 * node_of, ranks and targets are lists of integers: runs [first, step, count, each] of count
 * numbers from first on, step apart, each so many times.  Nothing in a situation names a user, a
 * program or a host.
 */

#ifndef ATM_SITUATION_FILE_H
#define ATM_SITUATION_FILE_H

#include "situation.h"
#include "value/value.h"

enum { ATM_SITUATION_VERSION = 1, ATM_HASH = 17 };

/* What tells one profile from another, by all that it holds: digits, and a 0. */
atm_status atm_profile_hash(const atm_profile *profile, char hash_p[ATM_HASH]);

/* hash: of the situation's profile. */
void atm_put_situation(atm_value *object, const char *key, const atm_situation *situation,
                       const char *hash);

/* One that was read, with all that it points to but for the profile, which the caller sets. */
typedef struct atm_replayed {
    atm_situation situation;
    char profile[ATM_HASH];
    atm_topology *topology;
    int *ranks, *targets;
    atm_advice advice;
    atm_rule rule;
    atm_state *state;
    atm_past past;
    bool has_past;
} atm_replayed;

/* Clear it.  ATM_BAD_FILE and a message, or ATM_NO_MEMORY. */
atm_status atm_get_situation(const atm_value *object, const char *key, atm_message *message,
                             atm_replayed *replayed_p);
void atm_replayed_clear(atm_replayed *replayed);

#endif /* ATM_SITUATION_FILE_H */
