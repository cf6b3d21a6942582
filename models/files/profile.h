/*
 * Profiles: the costs of the elemental operations on one machine, and facts
 * about it.
 *
 *     { "format": "romio-autotune-profile", "version": 1,
 *       "machine": { "name": "...", "block": 1048576, ... },      facts, all optional
 *       "defaults": { "access_size": 16777216, "memory": 536870912 },
 *       "operations": { "allreduce": { ... }, ... },              cost/surrogate.h
 *       "write_cache": { ... },                                   cost/write_cache.h, optional
 *       "generic": ["bcast"] }                                    see below
 *
 * Operations and defaults that are missing are taken from the built-in profile
 * of a generic cluster (profiles/generic.json).  "generic" lists the operations
 * for which that happened before the profile was saved.  Keys that start with
 * "_" are comments; they are not kept.
 */

#ifndef ATM_PROFILE_H
#define ATM_PROFILE_H

#include "atm.h"
#include "cost/surrogate.h"
#include "cost/write_cache.h"
#include "machine.h"
#include "value/value.h"

#define ATM_PROFILE_GENERIC "built-in profile"

typedef struct atm_profile {
    atm_machine machine;
    struct {
        uint64_t access_size; /* bytes of one rank in one call, if not specified */
        uint64_t memory;      /* cap of all collective buffers on a node, bytes */
    } defaults;
    atm_surrogate *operations[ATM_OPERATION_COUNT]; /* never NULL */
    bool generic[ATM_OPERATION_COUNT];              /* taken from the built-in profile */
    atm_write_cache write_cache;
    char *source;                 /* file, or what the caller named it, or ATM_PROFILE_GENERIC */
    char *note;                   /* what was taken from the built-in profile, and what was scaled,
                                     a sentence; or "" */
    double scale[ATM_KIND_COUNT]; /* all costs of a kind are multiplied by it: 1 but in a
                                     caller's copy; not kept in files */
    double doubt[ATM_KIND_COUNT]; /* the same: error of that factor, one standard deviation of its
                                     logarithm: 0 but where costs of another machine are only the
                                     shape of this one's */
} atm_profile;

/* The caller destroys the profile; it keeps nothing of the arguments.  Errors:
 * ATM_NO_ACCESS, ATM_NO_MEMORY, or ATM_BAD_FILE; message may be NULL. */
atm_status atm_profile_load(const char *path, atm_message *message, atm_profile **profile_p);
atm_status atm_profile_parse(const char *text, size_t length, const char *name,
                             atm_message *message, atm_profile **profile_p);
/* The built-in one. */
atm_status atm_profile_generic(atm_message *message, atm_profile **profile_p);

/* Whether predictions ever ask for it: without caches, write_drained has no meaning; without
 * read_cached of its own, a profile knows none that are read. */
bool atm_profile_uses(const atm_profile *profile, atm_operation operation);

/* Whether it was learned from points of its own: neither generic nor scaled. */
bool atm_profile_learned(const atm_profile *profile, atm_operation operation);

/* Servers that accesses are spread over, if that makes a difference to any cost; else 0. */
int atm_profile_servers(const atm_profile *profile);

/* The completed profile as text, over many lines or on one (the caller frees it), or file.  Loading
 * it gives the same profile to the last bit. */
atm_status atm_profile_print(const atm_profile *profile, char **text_p, size_t *length_p);
atm_status atm_profile_line(const atm_profile *profile, char **line_p, size_t *length_p);
atm_status atm_profile_save(const atm_profile *profile, const char *path, atm_message *message);

void atm_profile_destroy(atm_profile *profile);

#endif /* ATM_PROFILE_H */
