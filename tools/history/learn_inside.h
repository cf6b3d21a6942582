/* What the files learn*.c share. */

#ifndef ATH_LEARN_INSIDE_H
#define ATH_LEARN_INSIDE_H

#include "learn.h"

/* --- learn_class.c */

typedef struct learn_class {
    const char *program, *user, *pattern;
    bool write, independent;
    uint64_t ranks[2], bytes[2]; /* both ends are in it */
} learn_class;

/* What files of its kind are called; false if that is too long. */
bool learn_pattern(const char *file, char pattern_p[ATM_ADVICE_PATTERN]);
/* Of a sample that was added. */
learn_class learn_class_of(const ath_sample *sample);
/* A total order; independent calls stand right after collective ones that are alike. */
int learn_class_compare(const learn_class *one, const learn_class *other);

/* --- learn_judge.c */

enum { LEARN_WINDOW = 50 }; /* latest trials of settings that count */

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

learn_mean learn_mean_of(const double *paces, int count);
/* The largest difference one - other that is within the error, one-sided. */
double learn_bound(const learn_mean *one, const learn_mean *other, double error);
/* Half the width of the 95 % interval of a mean. */
double learn_half_width(const learn_mean *mean);

double learn_pace(const ath_sample *sample);
/* Neither advice nor hints of the user. */
bool learn_is_plain(const ath_sample *sample);

#endif /* ATH_LEARN_INSIDE_H */
