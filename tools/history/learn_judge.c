/* A class of samples: its settings, and whether one of them is worth advising. */

#include "learn_inside.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECENT = 20,   /* runs without advice that show what happens without it */
    SHORTEST = 2,  /* trials after a change */
    ARMS_MAX = 256 /* of a class; what is tried later than these is left out */
};

/* A change of pace is believed if chance gives it once in so many trials, and it is no trifle. */
#define CHANGE_ERROR 1e-4
#define CHANGE_LEAST 0.10

/* What had been tried often before a change has shown that it can be worth it: less is asked. */
#define AGAIN_ERROR 0.05
enum { AGAIN_TRIALS = 2 };

bool learn_is_plain(const ath_sample *sample)
{
    return sample->origin == ATH_BY_DEFAULT || sample->origin == ATH_BY_MODEL;
}

double learn_pace(const ath_sample *sample)
{
    return log(sample->seconds / sample->bytes);
}

/* --- means */

learn_mean learn_mean_of(const double *paces, int count)
{
    learn_mean m = {.count = count};
    double squares = 0;

    for (int i = 0; i < count; i++)
        m.mean += paces[i] / count;
    for (int i = 0; i < count; i++)
        squares += (paces[i] - m.mean) * (paces[i] - m.mean);
    /* clocks and rounding: equal times are not equal for ever */
    m.variance = count > 1 ? squares / (count - 1) / count + 1e-8 / count : INFINITY;
    return m;
}

/* Welch and Satterthwaite */
static double freedom(const learn_mean *one, const learn_mean *other)
{
    double sum = one->variance + other->variance;

    return sum * sum /
           (one->variance * one->variance / (one->count - 1) +
            other->variance * other->variance / (other->count - 1));
}

double learn_bound(const learn_mean *one, const learn_mean *other, double error)
{
    if (one->count < 2 || other->count < 2)
        return INFINITY;
    return one->mean - other->mean +
           gsl_cdf_tdist_Qinv(error, freedom(one, other)) * sqrt(one->variance + other->variance);
}

/* The same with one variance for both: two trials tell little about their own. */
static double bound_of_few(const learn_mean *one, const learn_mean *other, double error)
{
    int freedom = one->count + other->count - 2;
    double squares = one->variance * one->count * (one->count - 1) +
                     other->variance * other->count * (other->count - 1);

    return one->mean - other->mean +
           gsl_cdf_tdist_Qinv(error, freedom) *
               sqrt(squares / freedom * (1.0 / one->count + 1.0 / other->count));
}

double learn_half_width(const learn_mean *mean)
{
    return mean->count > 1 ? gsl_cdf_tdist_Qinv(0.025, mean->count - 1) * sqrt(mean->variance)
                           : INFINITY;
}

/* --- changes of pace */

/* Student's test with one variance for both sides, which two trials of a side are enough for. */
static double evidence(const double *paces, int count, int split)
{
    learn_mean before = learn_mean_of(paces, split);
    learn_mean after = learn_mean_of(paces + split, count - split);
    double squares = 1e-8, difference = fabs(before.mean - after.mean), error;

    for (int i = 0; i < count; i++) {
        double off = paces[i] - (i < split ? before.mean : after.mean);

        squares += off * off;
    }
    if (difference < log1p(CHANGE_LEAST))
        return 1;
    error = sqrt(squares / (count - 2) * (1.0 / split + 1.0 / (count - split)));
    return 2 * gsl_cdf_tdist_Q(difference / error, count - 2);
}

/* The first trial after the last change, 0 if there is none. */
static int since_change(const double *paces, int count)
{
    int from = 0;

    for (bool found = true; found && count - from >= 2 * SHORTEST + 1;) {
        int splits = count - from - 2 * SHORTEST + 1, best = 0;
        double least = CHANGE_ERROR / splits;

        found = false;
        for (int split = SHORTEST; split <= count - from - SHORTEST; split++) {
            double chance = evidence(paces + from, count - from, split);

            if (chance < least) {
                least = chance;
                best = split;
                found = true;
            }
        }
        from += best;
    }
    return from;
}

/* --- arms */

typedef struct arm {
    const char *settings;
    int count, from; /* trials, and the first that counts */
    double paces[LEARN_WINDOW], when[LEARN_WINDOW];
} arm;

static void add_trial(arm *a, const ath_sample *sample)
{
    if (a->count == LEARN_WINDOW) {
        memmove(a->paces, a->paces + 1, (LEARN_WINDOW - 1) * sizeof(*a->paces));
        memmove(a->when, a->when + 1, (LEARN_WINDOW - 1) * sizeof(*a->when));
        a->count--;
    }
    a->paces[a->count] = learn_pace(sample);
    a->when[a->count++] = sample->when;
}

static int collect(const ath_sample *const *samples, size_t count, arm *arms)
{
    int found = 0;

    for (size_t i = 0; i < count; i++) {
        int at = 0;

        while (at < found && strcmp(arms[at].settings, samples[i]->settings) != 0)
            at++;
        if (at == ARMS_MAX)
            continue;
        if (at == found)
            arms[found++] = (arm){.settings = samples[i]->settings};
        add_trial(&arms[at], samples[i]);
    }
    for (int i = 0; i < found; i++)
        arms[i].from = since_change(arms[i].paces, arms[i].count);
    return found;
}

/* What most of the last runs without advice or hints had; the later one of two that are equal. */
static const char *usual_settings(const ath_sample *const *samples, size_t count)
{
    const ath_sample *recent[RECENT];
    int found = 0, most = 0;
    const char *usual = NULL;

    for (size_t i = count; i-- > 0 && found < RECENT;)
        if (learn_is_plain(samples[i]))
            recent[found++] = samples[i];
    for (int i = 0; i < found; i++) {
        int same = 0;

        for (int k = 0; k < found; k++)
            same += strcmp(recent[i]->settings, recent[k]->settings) == 0;
        if (same > most) {
            most = same;
            usual = recent[i]->settings;
        }
    }
    return usual;
}

/* Trials after a time, of those that count. */
static learn_arm since(const arm *a, double when)
{
    int from = a->from;

    while (from < a->count && a->when[from] <= when)
        from++;
    return (learn_arm){a->settings, learn_mean_of(a->paces + from, a->count - from)};
}

/* A change came after the last trial at the old pace and not after the first at the new. */
static double changed_after(const arm *a)
{
    return a->from > 0 ? a->when[a->from - 1] : -INFINITY;
}

static double changed_before(const arm *a)
{
    return a->from > 0 ? a->when[a->from] : -INFINITY;
}

/* --- verdicts */

/* Both since either of them changed: storage that has become another is so for all settings.  Runs
 * without advice from a time when that is not certain do not count; there will be more. */
static void compare(const arm *usual, const arm *other, const ath_learn_options *options,
                    double error, learn_judgement *j)
{
    learn_arm one = since(other, changed_after(usual));
    learn_arm base = since(usual, changed_before(other));
    bool again = other->from >= options->trials && one.pace.count < options->trials;
    ath_verdict verdict = ATH_NOT_FASTER;
    double bound;

    if (base.pace.count < options->trials ||
        one.pace.count < (again ? AGAIN_TRIALS : options->trials))
        return;
    bound = again ? bound_of_few(&one.pace, &base.pace, AGAIN_ERROR)
                  : learn_bound(&one.pace, &base.pace, error);
    if (bound <= log1p(-options->gain))
        verdict = ATH_ADVISED;
    /* one that is advised is better than any that is not, whatever their means are */
    if (j->best.settings == NULL || verdict > j->verdict ||
        (verdict == j->verdict && one.pace.mean < j->best.pace.mean)) {
        j->verdict = verdict;
        j->best = one;
        j->usual = base;
    }
}

static void judge_arms(const arm *arms, int count, const char *usual,
                       const ath_learn_options *options, learn_judgement *j)
{
    const arm *base = NULL;

    j->arms = count;
    for (int i = 0; i < count && usual != NULL; i++)
        if (strcmp(arms[i].settings, usual) == 0)
            base = &arms[i];
    if (base == NULL || base->count - base->from < options->trials)
        return;
    j->verdict = ATH_ONE_WAY;
    j->usual = since(base, -INFINITY);
    for (int i = 0; i < count; i++)
        if (&arms[i] != base)
            compare(base, &arms[i], options, options->error / (count - 1), j);
}

ath_status learn_judge(const ath_sample *const *samples, size_t count,
                       const ath_learn_options *options, learn_judgement *judgement_p)
{
    learn_judgement judgement = {.verdict = ATH_TOO_FEW};
    size_t most = count < ARMS_MAX ? count : ARMS_MAX;
    arm *arms = malloc((most + 1) * sizeof(*arms));
    int found;

    if (arms == NULL)
        return ATH_NO_MEMORY;
    found = collect(samples, count, arms);
    judge_arms(arms, found, usual_settings(samples, count), options, &judgement);
    free(arms);
    *judgement_p = judgement;
    return ATH_OK;
}
