/*
 * Advice: settings that measured best, for whom they did.
 *
 *     { "format": "romio-autotune-advice", "version": 1, "rules": [
 *       { "match": { "program": "vpic*", "user": "ada", "file": "*.h5",   patterns (glob.h)
 *                    "operation": "write",                                or read
 *                    "ranks": [64, 127],                                  both included
 *                    "bytes": [1048576, 4194303] },         of a call, all ranks together
 *         "set": { "cb_nodes": 16, "striping_factor": 8 },                settings.h
 *         "control": 0.1,                                   see atm_advice_match; default 0
 *         "evidence": { "source": "history", "runs": 60, "seconds": 1.9, "interval": [1.8, 2.1],
 *                       "default_seconds": 4.0, "when": "2026-11-14T08:30:00Z" } } ] }
 *
 * The first rule that matches wins.  What a rule does not say matches anything; a rule without
 * any is not allowed.  Whoever writes the file replaces it as a whole.
 */

#ifndef ATM_ADVICE_H
#define ATM_ADVICE_H

#include "settings.h"

enum {
    ATM_ADVICE_RULES = 4096,  /* at most */
    ATM_ADVICE_PATTERN = 512, /* bytes of a pattern, its 0 included */
    ATM_ADVICE_TIME = 24
};

typedef enum atm_evidence_source {
    ATM_BY_HISTORY,
    ATM_BY_SEARCH,
    ATM_BY_HAND,
    ATM_BY_MODEL /* predicted: without runs */
} atm_evidence_source;

typedef struct atm_evidence {
    atm_evidence_source source;
    int64_t runs;           /* with these settings; 0: nothing is known */
    double seconds;         /* of a call with them */
    double interval[2];     /* of that, 95 % */
    double default_seconds; /* of a call without */
    char when[ATM_ADVICE_TIME];
} atm_evidence;

typedef enum atm_direction { ATM_ANY_DIRECTION, ATM_READS, ATM_WRITES } atm_direction;

typedef struct atm_rule {
    char *program, *user, *file; /* NULL: any */
    atm_direction operation;
    uint64_t ranks[2], bytes[2]; /* 0 and UINT64_MAX: any */
    atm_settings set;
    double control;
    atm_evidence evidence;
} atm_rule;

typedef struct atm_advice {
    char *source; /* file, or what the caller named it */
    int count;
    atm_rule *rules;
} atm_advice;

/* The caller destroys it.  Errors: ATM_NO_ACCESS, ATM_NO_MEMORY or ATM_BAD_FILE; message may be
 * NULL. */
atm_status atm_advice_load(const char *path, atm_message *message, atm_advice **advice_p);
atm_status atm_advice_parse(const char *text, size_t length, const char *name, atm_message *message,
                            atm_advice **advice_p);
void atm_advice_destroy(atm_advice *advice);

/* Copies a rule with its texts, to be freed by whoever has it; false if memory ran out on the
 * way. */
bool atm_rule_copy(const atm_rule *from, atm_rule *to);

/* The whole file, for atm_value_write; the caller destroys it. */
atm_value *atm_advice_value(const atm_advice *advice);

/* As it stands in files. */
void atm_evidence_write(const atm_evidence *evidence, atm_value *object);

/* What is about to happen. */
typedef struct atm_occasion {
    const char *program; /* without folders; "" if not known, as the next */
    const char *user;
    const char *file;
    bool write;
    int ranks;
    uint64_t bytes; /* of a call, all ranks together */
    double draw;    /* 0 <= draw < 1, random but the same for a whole job */
} atm_occasion;

/* The index of the rule that holds, or -1; rules about HDF5 alone are none for a call.  In a share
 * `control` of all jobs a rule that matches is left out, and so are all after it: their times show
 * whether it still is worth having. */
int atm_advice_match(const atm_advice *advice, const atm_occasion *occasion);
/* The same for what is fixed when a file is opened, before any call: a rule that asks for bytes
 * does not match. */
int atm_advice_match_file(const atm_advice *advice, const atm_occasion *occasion);

/* The draw of a job, by whatever names it. */
double atm_advice_draw(const char *job);

/* What came of it; choose/advise.h. */
typedef struct atm_advised {
    const atm_advice *advice;
    int rule;       /* that matches; -1: none */
    bool left_out;  /* as it is in a share of all jobs */
    unsigned fixed; /* what it fixes: bits 1u << atm_fix */
} atm_advised;

#endif /* ATM_ADVICE_H */
