/* What the files learn*.c share. */

#ifndef ATH_LEARN_INSIDE_H
#define ATH_LEARN_INSIDE_H

#include "learn_rules.h"

/* --- learn_class.c */

typedef struct learn_class {
    const char *program, *user, *pattern;
    bool write, independent;
    uint64_t ranks[2], bytes[2]; /* both ends are in it */
} learn_class;

/* What files of its kind are called; false if that is too long. */
bool learn_pattern(const char *file, char pattern_p[ATM_ADVICE_PATTERN]);
/* The class that a sample belongs to; sample->pattern must be set. */
learn_class learn_class_of(const ath_sample *sample);
/* A total order; independent calls stand right after collective ones that are alike. */
int learn_class_compare(const learn_class *one, const learn_class *other);

/* --- learn_judge.c */

/* Mean and variance of the mean of ln(seconds / bytes) */
typedef struct learn_mean {
    int count;
    double mean, variance;
} learn_mean;

typedef struct learn_arm {
    const char *settings;
    learn_mean pace;
} learn_arm;

typedef struct learn_judgement {
    ath_verdict verdict;
    int arms;
    learn_arm usual, best; /* best: if there is another than the usual */
} learn_judgement;

/* Samples of one class, in the order of time.  ATH_NO_MEMORY. */
ath_status learn_judge(const ath_sample *const *samples, size_t count,
                       const ath_learn_options *options, learn_judgement *judgement_p);

/* Half the width of the 95 % interval of a mean. */
double learn_half_width(const learn_mean *mean);

double learn_pace(const ath_sample *sample);
/* True if neither advice nor hints of the user were in effect. */
bool learn_is_plain(const ath_sample *sample);

/* --- learn_blocks.c */

enum { LEARN_AGAIN = 2 }; /* trials, or blocks, that show what is so after a change */

/* A stretch in which the usual settings and others were both tried: means of paces. */
typedef struct learn_block {
    double began; /* its first trial */
    int counts[2];
    double paces[2];
    double variance; /* of their difference, in that of one trial */
} learn_block;

/* Summary of all blocks since their difference last changed. */
typedef struct learn_comparison {
    int blocks;
    learn_mean paces[2];   /* count: trials */
    learn_mean difference; /* others - usual; count: blocks */
} learn_comparison;

/* Divides samples, which are in order of time and each of an arm, into blocks; blocks_p has room
 * for as many as samples.  Returns how many there are. */
int learn_blocks(const ath_sample *const *samples, const int *arms, size_t count, int usual,
                 int other, learn_block *blocks_p);
/* ATH_NO_MEMORY */
ath_status learn_compare(const learn_block *blocks, int count, learn_comparison *comparison_p);
/* The largest difference that is within the error, one-sided. */
double learn_difference_bound(const learn_comparison *comparison, double error);

/* The first of the values after their last change; 0 if there is none.  ATH_NO_MEMORY */
ath_status learn_last_change(const double *values, int count, int *from_p);

#endif /* ATH_LEARN_INSIDE_H */
