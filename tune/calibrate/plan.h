/*
 * The plan of a calibration: which points there are, which are the most
 * informative, how long each is expected to take, and which one is next.  Pure:
 * no MPI, no clock, no files.
 */

#ifndef PLAN_H
#define PLAN_H

#include "atm.h"

struct plan_point;

/* Exchange: messages from or to others of the node, and of the pset, that has most of them.
 * Storage: accessing ranks there. */
typedef struct plan_links {
    int64_t node, pset;
} plan_links;

/* The resources of a calibration. */
typedef struct plan_job {
    int ranks;
    int nodes;
    const int *ranks_of;  /* [nodes] ranks of each node; the caller's */
    const int *groups_in; /* [nodes] groups (atm_job) that the nodes up to that one are in; the
                             caller's.  NULL: nothing is near or far, there is one order */
    const double *apart;  /* [ATM_APART] as atm_job's, of all ranks; the caller's, or NULL */
    /* those of a point, whatever its bytes; false without memory.  NULL: not known, ATM_FAR
     * tells */
    bool (*links)(const void *world, const struct plan_point *point, plan_links *links_p);
    const void *world; /* is passed to it */
    atm_driver driver;
    uint64_t block;  /* of the file system, or stripe */
    int servers;     /* Lustre: most stripes; else 1 */
    uint64_t memory; /* for the buffers of a node */
    uint64_t disk;   /* for one file */
    unsigned only;   /* operations, a bit each */
    uint64_t seed;
} plan_job;

/*
 * One point.  Ranks that take part are the first per_node ranks of each of the
 * first nodes nodes; for storage those are all ranks of the job, and receivers
 * of them access the file.  Plain data: ranks send it to each other.
 */
typedef struct plan_point {
    atm_operation operation;
    int nodes;
    int per_node;
    int ranks; /* that take part */
    int senders;
    int receivers;
    int fan;          /* exchange: messages of each rank on the side that has all ranks */
    plan_links links; /* exchange, storage; 0: not known */
    atm_order order;  /* of the aggregators */
    int stripes;
    uint64_t before_bytes; /* partial rounds: of the round before */
    uint64_t bytes;        /* as the count models have it: atm.h */
    int rung;              /* of the nested order, coarse ones first, */
    uint64_t key;          /* and shuffled within a rung */
    double features[ATM_FEATURE_COUNT];
} plan_point;

typedef struct plan {
    plan_point *points; /* [count] by operation, then rung, shuffled within */
    int count;
    int first[ATM_OPERATION_COUNT + 1]; /* points of an operation */
} plan;

/* Free what it gives with plan_clear. */
atm_status plan_make(const plan_job *job, plan *plan_p);
void plan_clear(plan *plan);

/* plan_groups.c: ranks that take part, from few to all; at most PLAN_GROUPS. */
enum { PLAN_GROUPS = 256 };
typedef struct plan_group {
    int nodes, per_node, ranks;
    int rung;
} plan_group;
int plan_groups(const plan_job *job, plan_group groups[PLAN_GROUPS]);

/* plan_storage.c, plan_communication.c: add all points of an operation; false
 * without memory. */
typedef struct plan_list {
    const plan_job *job;
    plan_point *points;
    int count, room;
} plan_list;
bool plan_add(plan_list *list, plan_point point);
bool plan_communication(plan_list *list, atm_operation operation);
bool plan_exchange(plan_list *list);
bool plan_storage(plan_list *list, atm_operation operation);

/* Place of index among count values in the order ends, middle, quarters, ... */
int plan_rung(int index, int count);

/* Ranks of the node that has most. */
int plan_most(const plan_job *job);
/* Groups that the first nodes are in. */
int plan_groups_of(const plan_job *job, int nodes);

bool plan_is_storage(atm_operation operation);
/* Storage, and memory for collective buffers */
bool plan_is_of_aggregators(atm_operation operation);
bool plan_is_read(atm_operation operation);
bool plan_is_independent(atm_operation operation);

/* Bytes that move in one repetition, that a rank needs for buffers, and that
 * the files of one visit need. */
double plan_volume(const plan_point *point);
double plan_memory(const plan_point *point);
double plan_disk(const plan_point *point);

/* Bytes of buffers on the node that needs most. */
double plan_needs_memory(const plan_job *job, const plan_point *point);

/* --- plan_room.c: how large files may be */

typedef enum plan_bound { PLAN_BY_MEMORY, PLAN_BY_BUDGET, PLAN_BY_ROOM } plan_bound;

/* Files that exist at the same time, apart from one that fills a cache. */
int plan_files(const plan_job *job);
/* Bytes that a file may take, and why no more: four times the buffers of all nodes
 * (job->memory), what a budget allows (seconds, 0: no limit), or its part of the
 * room on disk. */
uint64_t plan_file_bytes(const plan_job *job, double budget, uint64_t room, plan_bound *bound_p);

/* Points that could be measured with unlimited memory and disk, but not by this job. */
typedef struct plan_missing {
    int possible;
    int by_memory, by_disk; /* of these: left out */
    unsigned has;           /* operations that have points, a bit each */
} plan_missing;
atm_status plan_find_missing(const plan_job *job, plan_missing *missing_p);

/* plan_storage.c: how many numbers of stripes there are to read with. */
int plan_stripe_counts(const plan_job *job);

/* Stripes of the file that a point writes, given those of the file system: a
 * two-phase write on Lustre is one stripe (ad_lustre_wrcoll.c), other accesses are
 * what they are. */
uint64_t plan_stripe(const plan_point *point, atm_driver driver, uint64_t usual);

/* --- which is next: schedule*.c */

enum { PLAN_REPETITIONS = 100 }; /* most, of all visits of a point */

/* What a first look saw of storage; 0: nothing. */
typedef struct plan_look {
    double latency;   /* of a small write, seconds */
    double one;       /* bytes per second of one writer, on one server, */
    double all, read; /* and of all ranks on all servers, until they are on the disks */
    bool cached;      /* writes end before */
} plan_look;

typedef struct schedule_options {
    int visits;    /* of each point */
    int parts;     /* of the time, of which the first of them gets one */
    double budget; /* seconds, 0: no limit */
    double limit;  /* of a visit, seconds: stop repeating then */
    double spare;  /* seconds that are not for visits */
    uint64_t seed;
    plan_look look;
} schedule_options;

typedef struct schedule {
    const plan *plan;
    schedule_options options;
    int *done;      /* [plan->count] visits so far; -1: skipped */
    int *order;     /* [plan->count] of this pass, from the second on */
    double *last;   /* [plan->count] seconds of the last visit */
    double *apart;  /* [plan->count] from the nearest point of its operation that was visited */
    int pass;       /* visits that each chosen point has, at least */
    bool again;     /* a point was visited twice: the first pass is over */
    int at, chosen; /* in order */
    double spent;
    double spent_pass;                       /* in the first pass */
    double spent_on[ATM_OPERATION_COUNT];    /* in the first pass */
    int points_on[ATM_OPERATION_COUNT];      /* in the first pass */
    double expected_on[ATM_OPERATION_COUNT]; /* of the visits that were */
    double took_on[ATM_OPERATION_COUNT];
    double volume_on[ATM_OPERATION_COUNT]; /* largest seen, */
    double rate_on[ATM_OPERATION_COUNT];   /* and bytes per second and server then */
} schedule;

/* Limit of a visit that suits a budget. */
double schedule_limit(double budget, int parts);

/* Seconds that a visit may be expected to take: a twentieth of a budget; INFINITY without. */
double schedule_longest(const schedule_options *options);

/* --- schedule_guess.c */

/* Seconds of one repetition, and of a visit, from what was seen of the operation so far, else
 * from the first look. */
double schedule_once(const schedule *schedule, int index);
double schedule_guess(const schedule *schedule, const plan_point *point);
/* Seconds that a visit is expected to take, from those noted so far. */
double schedule_expect(const schedule *schedule, int index);
/* A repetition took so many seconds. */
void schedule_note_rate(schedule *schedule, const plan_point *point, double once);
/* Two, or one if most operations would else have few points: what is left is for second visits. */
int schedule_parts(const plan *plan, const schedule_options *options);

/* --- schedule_worth.c: what a point teaches */

/* The operation's unvisited point that teaches most for its time, among those that take no more
 * than `most` seconds, or -1. */
int schedule_next_of(const schedule *schedule, int operation, double most);
/* One of its points was visited. */
void schedule_note_near(schedule *schedule, int index);

/* The plan must stay; free with schedule_clear. */
atm_status schedule_make(const plan *plan, const schedule_options *options, schedule *schedule_p);
void schedule_clear(schedule *schedule);

/* Index of the point to visit next, or -1: done, or out of time.  Depends only on the
 * visits noted so far, so that a run that was killed continues as it would have. */
int schedule_next(schedule *schedule);
/* A visit of the point took that many seconds, a repetition once. */
void schedule_note(schedule *schedule, int index, double seconds, double once);
/* The point cannot be measured: it is never next again. */
void schedule_skip(schedule *schedule, int index);
/* Seconds that remain, as an estimate. */
double schedule_remaining(const schedule *schedule);

/* reach.c: what no visited point reached, in words; "" if all was. */
void schedule_describe_missed(const schedule *schedule, char *at, size_t room);

#endif /* PLAN_H */
