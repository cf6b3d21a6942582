/* One operation as matrices, parts of it to learn from, and surrogates fitted to
 * a part and asked about the rest. */

#ifndef LEARN_H
#define LEARN_H

#include "cost/surrogate.h"
#include "prep.h"
#include "train.h"
#include "trainer.h"

/* Rows to learn from: all but a fold, or all, or some. */
typedef struct learn_part {
    int rows, columns;
    double *x;       /* [rows][columns] features as they are */
    double *seconds; /* [rows] */
    double *logs;    /* [rows] ln(seconds) */
    double min[ATM_FEATURE_COUNT], max[ATM_FEATURE_COUNT];
    double fastest, slowest;
    atm_pipeline pipeline[PREP_STEPS]; /* fitted to these rows */
    double *inputs[PREP_STEPS];        /* [rows][pipeline.inputs] after it; NULL: not prepared */
} learn_part;

enum { LEARN_FEW = 150 };

typedef struct learn_set {
    const train_operation *operation;
    int folds;
    learn_part *without; /* [folds]: all rows but those of a fold */
    learn_part *few;     /* [folds]: LEARN_FEW of them, or NULL if there are no more */
    learn_part all;
} learn_set;

/* Preprocessing, algorithm and settings. */
typedef struct learn_choice {
    const trainer *trainer;
    int step; /* of prep_steps */
    bool log_target;
    trainer_setting setting;
} learn_choice;

/* What a surrogate is made of: one way to learn, or several, of which it is the mean. */
enum { LEARN_MEMBERS = 5 };

typedef struct learn_recipe {
    int count;
    learn_choice choices[LEARN_MEMBERS];
    uint64_t seeds[LEARN_MEMBERS];
} learn_recipe;

/* The rows for which take[row] is true; steps: bits of the preprocessing that is
 * wanted.  Destroy it, also after a failure. */
atm_status learn_part_make(const train_operation *operation, const bool *take, unsigned steps,
                           learn_part *part_p);
void learn_part_destroy(learn_part *part);

/* operation's folds must have been assigned; seed draws the few.  Destroy it,
 * also after a failure. */
atm_status learn_set_make(const train_operation *operation, int folds, uint64_t seed,
                          learn_set *set_p);
/* Sets take of share of the rows that are not in a fold, at random; how many. */
int learn_draw(const train_operation *operation, int fold, double share, uint64_t seed,
               bool *take_p);
void learn_set_destroy(learn_set *set);

/* Assigns every point to a fold: points with like times to different ones, as
 * caret's createFolds, so that each fold has fast and slow ones. */
void learn_folds(const train_operation *operation, int folds, uint64_t seed, int *fold_p);

/* The object of cost/surrogate.h; destroy it.  error: relative, goes into it. */
atm_status learn_fit(const train_operation *operation, const learn_part *part,
                     const learn_choice *choice, uint64_t seed, double error,
                     atm_value **surrogate_p);

/* The same of a recipe, whose preprocessing the part must have. */
atm_status learn_make(const train_operation *operation, const learn_part *part,
                      const learn_recipe *recipe, double error, atm_value **surrogate_p);
/* Bits of that preprocessing. */
unsigned learn_steps(const learn_recipe *recipe);

/* Geometric means of several predictions of the same points. */
void learn_mean(const double *const *predicted, int members, int points, double *mean_p);

/* Fits to part and predicts the seconds of all points of a fold (predicted is
 * indexed by point). */
atm_status learn_predict(const train_operation *operation, const learn_part *part,
                         const learn_recipe *recipe, int fold, double *predicted);

#endif /* LEARN_H */
