/*
 * Training: from points to the surrogates of a profile, by the paper's model
 * selection (section VI-A): preprocessing x algorithm x settings, each judged by
 * cross-validation, the best one kept for each operation.
 *
 *     points_read(path, &message, &points)                    points.h
 *     train_run(&points, 1, &options, &message, &result)
 *     train_profile(result, &message, &document)              ready for atm_value_write
 *     train_destroy(result), then points_destroy(points)
 *
 * Whatever is cross-validated is the surrogate that inference evaluates:
 * fit -> atm_value -> atm_surrogate_read -> atm_surrogate_predict.
 *
 * Results depend on points, seed, criterion and folds, never on the number of
 * threads.
 */

#ifndef TRAIN_H
#define TRAIN_H

#include "cost/surrogate.h"
#include "fit_cache.h"
#include "points.h"

/* What the choice minimises. */
typedef enum train_criterion {
    TRAIN_LOG,    /* RMSE of ln(seconds): relative errors, which choices depend on */
    TRAIN_SECONDS /* RMSE of seconds, as the paper */
} train_criterion;

typedef struct train_options {
    uint64_t seed; /* of folds, settings, bootstraps, initial weights */
    int folds;     /* 2 to 100; 0: 10 */
    int threads;   /* 0: as many as there are cores */
    train_criterion criterion;
    const char *algorithm; /* the only one to try; NULL: all */
    /* Called now and then by one of the threads, never by two at once, with
     * 0 <= done <= 1 of all the work; NULL: nobody wants to know. */
    void (*progress)(void *context, double done);
    void *context;
} train_options;

/* How well predictions agree with measurements.  NaN where it has no meaning
 * (R-squared of constant values). */
typedef struct train_score {
    double rmse;         /* seconds */
    double r2;           /* squared correlation, as R's caret and the paper */
    double r2_explained; /* 1 - SSE/SST: below r2 where predictions are biased */
    double log_rmse;     /* the same three of ln(seconds) */
    double log_r2;
    double log_r2_explained;
} train_score;

/* One combination that was tried. */
typedef struct train_candidate {
    const char *algorithm;  /* "model" of the profile: linear, knn, svr, ... ; static */
    char preprocessing[64]; /* in words: "log, centre, scale; log target" */
    char settings[96];      /* in words: "k = 3" */
    int simplicity;         /* rank of the algorithm, 0 simplest */
    bool finished;          /* false: given up after some folds, as it was far behind */
    train_score score;      /* of the folds it saw, out-of-fold predictions pooled */
    double error;           /* the criterion's RMSE */
    double standard_error;  /* of what error exceeds that of the best by, paired over the points;
                               only of finished ones */
    double falls;           /* share of octaves of bytes over which the cost falls;
                               only of finished ones, else 0 */
} train_candidate;

/* The chosen candidate, taught less. */
typedef struct train_lesson {
    double share; /* of the points of each fold that it was trained with: 0.25 ... 1 */
    int points;   /* that is, on average */
    train_score score;
} train_lesson;

enum { TRAIN_LESSONS = 4 };

/* What was learned about one operation. */
typedef struct train_operation {
    atm_operation operation;

    int count;                   /* of its points */
    const points_point **points; /* [count], of all files; merged ones belong to the result */
    double *predicted;           /* [count] out-of-fold predictions of the chosen one, seconds */
    int *fold;                   /* [count] in which each point was held out */

    int feature_count; /* that the surrogate looks at */
    atm_feature features[ATM_FEATURE_COUNT];

    int candidate_count;
    train_candidate *candidates; /* [candidate_count], by algorithm as listed in trainers.c */
    int best;                    /* of them: smallest error */
    int chosen;                  /* of them: simplest within one standard error of best */

    bool repeatable_known; /* enough points were visited twice */
    train_score ceiling;   /* of the second visit as a prediction of the first: what
                              noise leaves for any model to explain */
    train_lesson lessons[TRAIN_LESSONS];
    double outside[ATM_AWAY_COUNT]; /* deviation of ln(seconds) for each doubling (outside.h) */
    double coverage; /* share of held-out points in the interval that claims 90 % (local.h) */

    int note_count;
    char **notes; /* sentences: columns left out, points merged, ... */

    atm_value *surrogate;        /* the object of cost/surrogate.h, trained with all points */
    struct learn_recipe *recipe; /* how it was, for train_refit */
} train_operation;

typedef struct train_result {
    train_criterion criterion;
    int folds;
    uint64_t seed;
    double seconds; /* the training took */
    int operation_count;
    train_operation *operations; /* those with enough points, in the order of atm_operation */
    int few_count;
    const points_point **few; /* of the others, in that order: scale.h */
    const atm_value *machine; /* facts; of the first file: belongs to its points */
    int note_count;
    char **notes;         /* about all */
    points_point *merged; /* points made of several files' points; [merged_count] */
    int merged_count;
    atm_write_cache write_cache; /* as the capacities of all files say */
    fit_drain drain;             /* and how fast they drain: */
    bool drains_by_law;          /* used in place of what was learned about write_drained */
} train_result;

/* Points of one operation, of several sizes, that learning it needs at least. */
enum { TRAIN_POINTS_MIN = 10 };

/* files[count]: of one machine; they outlive the result.  Destroy it.
 * ATM_BAD_FILE and a sentence for what cannot be learned from. */
atm_status train_run(points *const *files, int count, const train_options *options,
                     atm_message *message, train_result **result_p);
void train_destroy(train_result *result);

/* The chosen candidates fitted anew to the same points with other times, all
 * above 0, which times gives in the order of operations and their points:
 * surrogates_p[operation_count], each to be destroyed.  Several threads may do so
 * with one result.  GSL's error handler stays off. */
atm_status train_refit(const train_result *result,
                       double (*times)(void *context, const points_point *point), void *context,
                       atm_value **surrogates_p);

/* The profile as a document; destroy it.  It has been read back once: loading
 * it cannot fail. */
atm_status train_profile(const train_result *result, atm_message *message, atm_value **profile_p);

/* count values of measured and predicted seconds, all above 0 */
train_score train_score_of(const double *measured, const double *predicted, int count);

/* The paper's Table II: its operation, R-squared and RMSE of the counterpart of
 * ours; false where it has none. */
typedef struct train_paper {
    const char *name; /* "M_aar" */
    int points;
    const char *algorithm;
    double r2, rmse;
} train_paper;
bool train_paper_of(atm_operation operation, train_paper *paper_p);

#endif /* TRAIN_H */
