/*
 * Choice: predict every configuration that makes sense and is allowed, and
 * choose the fastest.
 *
 *   allowed   by the user's fixed values, by the memory cap, and by the
 *             training range: the part of the time that is guessed, as operations leave
 *             it, may exceed that of the default by no more than ATM_GUESS
 *   fastest   within ATM_TIE of it: fewest rounds, then least memory, then fewest
 *             aggregators
 *   taken     mode enable: always; automatic: the fastest that, with a probability of
 *             no more than the risk, is slower than the default by more than
 *             ATM_HARM; or if the default is not allowed
 */

#ifndef ATM_CHOOSE_H
#define ATM_CHOOSE_H

#include "advice/advice.h"
#include "files/fit.h"
#include "fixes.h"
#include "predict.h"
#include "state/steering.h"

#define ATM_TIE 0.01
#define ATM_GUESS 0.1
#define ATM_HARM 0.05
#define ATM_RISK 0.025 /* unless the caller wants another */

typedef enum atm_mode { ATM_AUTOMATIC, ATM_ENABLE, ATM_MODE_COUNT } atm_mode;

const char *atm_mode_name(atm_mode mode);

#define ATM_CALLS_MAX 1000000000
#define ATM_IDLE_MAX 1e9

/* The calls that are still to come, all alike.  What a change costs is weighed against them. */
typedef struct atm_life {
    double calls; /* with this one; 0: only this one */
    double idle;  /* seconds from one to the next for other things */
    bool begun;   /* calls were made with this configuration: */
    atm_config current;
    double change; /* seconds until another one is in effect: aggregators open the file */
} atm_life;

/* At least 1. */
double atm_life_calls(const atm_life *life);

/* Numbers that are not known are 0. */
typedef struct atm_request {
    atm_driver driver;
    atm_mode mode;
    atm_job job;
    atm_access access;      /* its pieces are counted for every candidate: slow */
    atm_life life;          /* predictions are of all its calls */
    atm_config written;     /* with which access.cached bytes were written */
    atm_config defaults;    /* what ROMIO does, with the user's values in it */
    unsigned fixed;         /* bit 1u << atm_fix of those values */
    bool fixed_order;       /* the user has listed the aggregators */
    bool new_layout;        /* Lustre: the striping can still be set */
    bool new_targets;       /* and the targets of the stripes */
    bool repeats;           /* of which some may have more than one */
    atm_steering *steering; /* what is known of the state of storage, or NULL */
    uint64_t memory;        /* most bytes of collective buffers on a node; 0: the
                               profile's cap, or what the default takes if more */
    int psets, bridges;     /* of the job's nodes */
    int nics;               /* of a node */
    int servers;            /* of the file system */
    double risk;            /* automatic: at most; 0: ATM_RISK */
    bool whole;             /* also predict what cannot win, for an explanation */
    /* The only ones to choose from, as counted by the caller, the default first;
     * NULL: all that make sense. */
    const atm_config *among;
    const atm_counts *among_counts; /* [among_count] */
    int among_count;
    /* Which of the fixed values are advice (choose/advise.h), for explanations, or NULL. */
    const atm_advised *advised;
    /* How the profile fits, for explanations; NULL: not compared. */
    const atm_fit *fit;
} atm_request;

/* ROMIO's values without hints: one aggregator per node, 16 MiB, collective
 * (except on GPFS) only if ranks' accesses interleave.  On Lustre one stripe of
 * 1 MiB, unless the profile has another default: the caller has to fill in the
 * file's own striping. */
atm_config atm_default_config(atm_driver driver, const atm_job *job, const atm_profile *profile);

/* The operations of the request's calls with this configuration.  One that is not in effect has
 * none of the locks of earlier calls.  Buffers that are used for the first time cost what new
 * memory costs, if there is none left from earlier ones. */
atm_status atm_count_request(const atm_request *request, const atm_config *config,
                             atm_counts *counts_p);

typedef enum atm_verdict {
    ATM_ALLOWED,
    ATM_OVER_MEMORY,  /* more than the cap */
    ATM_OUT_OF_RANGE, /* too much is guessed outside the training range */
    ATM_SLOWER,       /* than another: prediction not completed */
    ATM_UNCOUNTED,    /* no run can have it */
    ATM_VERDICT_COUNT
} atm_verdict;

const char *atm_verdict_name(atm_verdict verdict);

typedef struct atm_candidate {
    atm_config config;
    atm_prediction prediction;
    uint64_t memory_per_node;
    uint64_t rounds;
    atm_verdict verdict;
} atm_candidate;

typedef struct atm_choice {
    atm_candidate *candidates; /* the default is the first, others differ from it */
    int count;
    int best;        /* the fastest that is allowed */
    int chosen;      /* best or, if that is a risk, another, or 0: the default */
    uint64_t memory; /* the cap that was applied; 0: none */
    /* About the chosen one; if that is the default, about the best: */
    double saved;       /* seconds of the default that it saves; may be negative */
    double deviation;   /* of ln(default / it), one standard deviation */
    double confidence;  /* probability that it is the faster one, for normal errors of these */
    double harm;        /* probability that it is slower by more than ATM_HARM */
    atm_message reason; /* for chosen, a sentence without a full stop */
} atm_choice;

/* Destroy the choice.  ATM_BAD_ARGUMENT if the default cannot be counted,
 * ATM_NO_CHOICE if nothing is allowed. */
atm_status atm_choose(const atm_request *request, const atm_profile *profile,
                      atm_choice **choice_p);

void atm_choice_destroy(atm_choice *choice);

#endif /* ATM_CHOOSE_H */
