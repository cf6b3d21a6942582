/*
 * Study: which configurations the strategies choose on a ground, and their
 * times.  The paper's section VI for a sweep of ours:
 *
 *     study_open(path, &options, &message, &study)    sweep, points or profile, counts, notes
 *     study_run(study, &message)                      trains, picks, asks the questions
 *     ... study->strategies, questions.h
 *     study_close(study)
 *
 * Everything is a function of the ground's files and the seed.
 */

#ifndef STUDY_H
#define STUDY_H

#include "choose/choose.h"
#include "progress.h"
#include "spread.h"
#include "sweep.h"
#include "train/train.h"

typedef struct study_options {
    uint64_t seed;
    int repetitions;     /* of whatever is random; the paper: 10 */
    int threads;         /* 0: as many as there are cores */
    int noisy;           /* trainings for each noise of a calibration (noisy.h); 0: none */
    const char *profile; /* for hybrid, in place of the ground's points; NULL: none */
    progress *progress;
} study_options;

/* The choices of one strategy, and their times. */
typedef struct study_strategy {
    const char *name, *summary;
    int repetitions; /* 0: not available here */
    char *why_not;   /* then the reason; owned */
    int *picks;      /* [repetitions][instances] configuration; -1: none of the sweep's */
    double *seconds; /* [repetitions][instances] median of the pick; NaN: no answer */
    bool rule;       /* one that others set (baselines.h) */
    int nearest;     /* instances where what it sets was not measured, but the pick is near */
    char *note;      /* about its picks, or NULL; owned */
} study_strategy;

enum { STUDY_SIZES = 3 }; /* of ml's training set: all, two thirds, a third */

/* One repetition of the hybrid model. */
typedef struct study_hybrid {
    train_result *result; /* NULL: the profile was given */
    atm_profile *profile;
} study_hybrid;

/* One black box. */
typedef struct study_box {
    points *runs;
    train_result *result;
    atm_surrogate *model;
} study_box;

/* Speed-ups over the default with noise in the training data. */
typedef struct study_noise {
    double sigma;
    spread hybrid, ml;
    double hybrid_same, ml_same; /* share of the picks that are those without noise */
} study_noise;

enum { STUDY_NOISY = 3 };

/* What the driver's modes choose after noisy calibrations. */
typedef struct study_noisy {
    double sigma;
    study_strategy automatic, enable; /* a repetition for each training; none: not done */
} study_noisy;

/* Time under one condition / under another. */
typedef struct study_group {
    char words[64];
    spread ratio;
} study_group;

typedef struct study_variant {
    const char *slow, *fast; /* conditions: NULL is the candidate itself */
    int pairs;               /* 0: not measured on this ground */
    spread ratio;            /* of all */
    study_group *groups;     /* [group_count] by configuration; owned */
    int group_count;
} study_variant;

/* Time with one placement / with the best of all that were measured, / with uniform. */
typedef struct study_placing_row {
    int count;
    double best, best_worst; /* geometric mean, largest */
    double uniform, uniform_worst;
} study_placing_row;

enum { STUDY_FIXED_ORDERS = 3 };

typedef struct study_placing {
    int pairs; /* configurations with all placements; 0: not measured on this ground */
    study_placing_row fixed[STUDY_FIXED_ORDERS]; /* bridge-first, near, uniform */
    study_placing_row chosen;                    /* by the model, of the first two */
} study_placing;

typedef struct study {
    char *path;
    study_options options;
    sweep *sweep;
    points *points; /* NULL: none there */
    points *used;   /* those of operations that the sweep needs; shares with points */
    int instances;
    int servers;         /* of the file system; 0: not known */
    int nics;            /* network adapters of a node; 0: not known */
    char *notes;         /* of people, from notes.txt; NULL: none; owned */
    atm_counts **counts; /* [instances][configs]: the code's */
    atm_counts **isaila; /* the same by the paper's equations; item_count -1: none */

    study_hybrid *hybrids;         /* [hybrid_count] */
    int hybrid_count;              /* repetitions; 1 with a given profile */
    study_box *boxes[STUDY_SIZES]; /* [box_count] each */
    int box_count;
    int box_points[STUDY_SIZES];
    char *no_ml; /* the reason where there is no ml; owned */

    study_strategy *strategies; /* [strategy_count] */
    int strategy_count;
    study_strategy fewer[STUDY_SIZES]; /* ml with fewer points */
    study_noise *noise;                /* [noise_count] */
    int noise_count;
    study_noisy noisy[STUDY_NOISY];
    study_variant placement; /* uniform / bridge-first */
    study_variant bluegene;  /* bluegene / bridge-first */
    study_variant aware;     /* uniform / bluegene: the paper's */
    study_variant stock;     /* ROMIO's own list / bridge-first */
    study_variant locking;   /* with / without granting of locks */
    study_placing placing;
    double **predicted; /* [instances][candidates] of the first repetition, by the code's counts */
} study;

/* ATM_BAD_FILE and a sentence, also where points and profile are missing. */
atm_status study_open(const char *path, const study_options *options, atm_message *message,
                      study **study_p);
atm_status study_run(study *study, atm_message *message);
void study_close(study *study);

/* NULL if there is no such strategy, or it is not available here. */
const study_strategy *study_find(const study *study, const char *name);

/* Seconds of the default and of the best configuration. */
double study_default(const study *study, int instance);
double study_best(const study *study, int instance);

/* --- summary of a strategy */

typedef struct study_summary {
    int instances;              /* with an answer */
    double mean;                /* speed-up over the default: of instances and repetitions */
    double deviation;           /* of the means of repetitions; NaN with one */
    spread speedup;             /* of instances and repetitions */
    double gain;                /* geometric mean of the speed-ups over the instances */
    double gain_low, gain_high; /* its 95 % interval; 0 and infinity: one instance */
    int worse;                  /* instances with an average speed-up below 1 */
    int better;                 /* above 1 */
    int large;                  /* 1.5 and more */
    int medium;                 /* 1.1 to 1.5 */
    double slowest;             /* time / the default's, of repetitions on average: the largest */
    double geometric;           /* mean of time / the best's */
    double worst;               /* the largest of them */
    int worst_at;               /* instance */
} study_summary;

void study_summarise(const study *study, const study_strategy *strategy, study_summary *summary_p);
/* Average over the repetitions; NaN without an answer. */
double study_speedup(const study *study, const study_strategy *strategy, int instance);

/* Geometric mean of other's time / ours over the instances that both answer, whose
 * number *instances_p gets; NaN: none. */
double study_against(const study *study, const study_strategy *ours, const study_strategy *other,
                     int *instances_p);

/* Frees what one strategy owns. */
void study_strategy_clear(study_strategy *strategy);
/* Room for the picks of all instances. */
atm_status study_strategy_make(const study *study, int repetitions, study_strategy *strategy);
void study_pick(const study *study, study_strategy *strategy, int repetition, int instance,
                int index);

#endif /* STUDY_H */
