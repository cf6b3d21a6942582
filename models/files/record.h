/*
 * Record: what was decided for one file, and the outcome, as one line of JSON.
 * The driver fills a record while a file is open and appends its line when the
 * file is closed, in one write, so that records of several jobs do not mix.
 *
 *     {"format": "romio-autotune-record", "version": 2,
 *      "file", "wrapped", "status", "mode", "profile",
 *      "ranks", "nodes", "host", "pid", "job", "started", "seconds",
 *      "decisions": [{"call", "tuned", "write", "config", "rank_count", "ranks",
 *                     "access", "predicted": {"partitioning", "shuffle", "storage"},
 *                     "uncertainty", "scale": {"storage", "communication"}, "reason",
 *                     "advised", "hinted"}],    only if they are true
 *      "calls": [{"call", "write", "at", "seconds", "storage_seconds", "bytes", "accesses"}],
 *      "dropped": {"decisions", "calls"},       how many more there were
 *      "layout": {"stripe_size", "stripe_count", "first_ost"},    on Lustre only
 *      "program", "user",                       where they are known
 *      "read": {...}, "write": {...}}           atm_record_counters
 *
 * Times are kept to the nanosecond.
 *
 * Version 1 had file, wrapped, status, ranks and the first five counters, times
 * in microseconds; it is read too.  Unlike in files that people write, unknown
 * keys are ignored, so that tools can read records of slightly newer drivers.
 */

#ifndef ATM_RECORD_H
#define ATM_RECORD_H

#include <time.h>

#include "value/value.h"

enum {
    ATM_RECORD_LINE = 64 * 1024, /* a line is shorter, newline included */
    ATM_RECORD_DECISIONS = 32,   /* kept, the first ones */
    ATM_RECORD_CALLS = 256,      /* kept, the first ones */
    ATM_RECORD_RANKS = 64        /* aggregators of a decision, kept */
};

/* A decision, in effect until the next one for calls of both directions; it
 * predicts those of its own. */
typedef struct atm_record_decision {
    uint64_t call; /* collective call, from 1, that it precedes; 0: at open */
    bool tuned;    /* else the wrapped driver's own values */
    bool write;
    atm_config config;
    int rank_count;               /* aggregators */
    int ranks[ATM_RECORD_RANKS];  /* the first of them */
    atm_access access;            /* assumed or seen; without pieces */
    double parts[ATM_PART_COUNT]; /* predicted seconds of one call; all 0: not predicted */
    double uncertainty;           /* of their sum, as in atm_prediction */
    double storage_scale;         /* factors of self-correction that are in parts; */
    double communication_scale;   /* 1: none */
    atm_message reason;
    bool advised; /* by a rule of advice.json */
    bool hinted;  /* the user has set some of it */
} atm_record_decision;

/* A collective call; times are those of the slowest rank. */
typedef struct atm_record_call {
    uint64_t call; /* from 1, both directions together */
    bool write;
    double at; /* seconds since open */
    double seconds;
    double storage_seconds;
    uint64_t bytes;    /* moved by accesses to the file, of all ranks */
    uint64_t accesses; /* of all ranks */
} atm_record_call;

/* Counters of one direction: sums over ranks, but for calls and seconds, which are
 * those of the rank with most. */
typedef struct atm_record_counters {
    uint64_t calls;             /* collective calls */
    double seconds;             /* in them */
    uint64_t accesses;          /* to the file inside them: one per round and aggregator */
    uint64_t bytes;             /* moved by these */
    double storage_seconds;     /* in these */
    uint64_t independent_calls; /* accesses outside collective calls */
    uint64_t independent_bytes;
    double independent_seconds;
} atm_record_counters;

/* Some 45 KB: on the heap.  All zero is a valid record. */
typedef struct atm_record {
    int version; /* of the line it was read from; ignored when written */
    char file[ATM_MAX_STRING + 1];
    char wrapped[32];
    char status[672]; /* as long as the driver makes it */
    char mode[32];
    char profile[ATM_MAX_STRING + 1]; /* atm_profile's source */
    int ranks, nodes;
    char host[256];
    int64_t pid;
    char job[64];                /* atm_job_id (job.h) */
    char program[256], user[64]; /* without folders; "": not known */
    time_t started;
    double seconds; /* from open to close */
    uint64_t stripe_size;
    int stripe_count, first_ost; /* on Lustre; count 0: not known */
    int decision_count;
    atm_record_decision decisions[ATM_RECORD_DECISIONS];
    int call_count;
    atm_record_call calls[ATM_RECORD_CALLS];
    uint64_t decisions_dropped, calls_dropped; /* not among these */
    atm_record_counters read, write;
} atm_record;

/* Add one; if there is no room, it is counted as dropped. */
void atm_record_add_decision(atm_record *record, const atm_record_decision *decision);
void atm_record_add_call(atm_record *record, const atm_record_call *call);

/* The line with its newline; free it.  If necessary, the last calls and then
 * the last decisions are dropped.  Texts may be any bytes.  ATM_BAD_ARGUMENT: a
 * number is not finite or negative, or the year has no four digits. */
atm_status atm_record_line(const atm_record *record, char **line_p, size_t *length_p);

/* As a document, with all calls and decisions; destroy it. */
atm_status atm_record_value(const atm_record *record, atm_value **document_p);

/* A line back, with or without its newline; name stands for it in messages.
 * Free the record.  ATM_BAD_FILE, ATM_NO_MEMORY. */
atm_status atm_record_parse(const char *line, size_t length, const char *name, atm_message *message,
                            atm_record **record_p);

/* Expand %p (pid), %h (host), %j (job, "nojob" if it is "") and %%; a slash in
 * host or job becomes "_".  path_p has room for size bytes.  ATM_BAD_ARGUMENT
 * and a message: another letter after %, or the path does not fit. */
atm_status atm_record_path(const char *pattern, const char *host, int64_t pid, const char *job,
                           atm_message *message, size_t size, char *path_p);

#endif /* ATM_RECORD_H */
