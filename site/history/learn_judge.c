/* A class of samples: its settings, and whether one of them is worth advising. */

#include "learn_inside.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECENT = 20,   /* runs without advice that show what happens without it */
    SHOWN = 50,    /* latest trials of settings that have nothing to be compared with */
    ARMS_MAX = 256 /* of a class; what is tried later than these is left out */
};

/* Error allowed for the gain itself, which need only be likely; that settings are not slower must
 * be beyond doubt (`error`). */
#define GAIN_ERROR 0.1

bool learn_is_plain(const ath_sample *sample)
{
    return sample->origin == ATH_BY_DEFAULT || sample->origin == ATH_BY_MODEL;
}

double learn_pace(const ath_sample *sample)
{
    return log(sample->seconds / sample->bytes);
}

/* --- means */

static learn_mean mean_of(const double *paces, int count)
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

double learn_half_width(const learn_mean *mean)
{
    return mean->count > 1 ? gsl_cdf_tdist_Qinv(0.025, mean->count - 1) * sqrt(mean->variance)
                           : INFINITY;
}

/* --- arms: settings of a class */

typedef struct judging {
    const ath_sample *const *samples;
    size_t count;
    int *arms; /* of each sample; -1: left out */
    int found;
    const char *settings[ARMS_MAX];
    int trials[ARMS_MAX];
    double *paces;       /* room for all */
    learn_block *blocks; /* the same */
    const ath_learn_options *options;
} judging;

static void collect(judging *g)
{
    for (size_t i = 0; i < g->count; i++) {
        int at = 0;

        while (at < g->found && strcmp(g->settings[at], g->samples[i]->settings) != 0)
            at++;
        g->arms[i] = at < ARMS_MAX ? at : -1;
        if (at == ARMS_MAX)
            continue;
        if (at == g->found)
            g->settings[g->found++] = g->samples[i]->settings;
        g->trials[at]++;
    }
}

/* The latest trials of an arm after a time, at most so many; returns how many. */
static int latest_paces(const judging *g, int arm, double after, int most, double *paces_p)
{
    int count = 0;

    for (size_t i = g->count; i-- > 0 && count < most && g->samples[i]->when >= after;)
        if (g->arms[i] == arm)
            paces_p[count++] = learn_pace(g->samples[i]);
    return count;
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

/* --- verdicts */

/* When its own pace last changed: the first trial at the new one; -INFINITY: never. */
static ath_status changed_at(const judging *g, int arm, double *when_p)
{
    int count = 0, from = 0;
    ath_status status;

    for (size_t i = 0; i < g->count; i++)
        if (g->arms[i] == arm)
            g->paces[count++] = learn_pace(g->samples[i]);
    status = learn_last_change(g->paces, count, &from);
    *when_p = -INFINITY;
    for (size_t i = g->count; from > 0 && count > from; i--)
        if (g->arms[i - 1] == arm && --count == from)
            *when_p = g->samples[i - 1]->when;
    return status;
}

/* What has changed its pace may be alone with that.  It is held back until it was compared again,
 * or until runs without advice, which then are all, show that it still is the faster one. */
static ath_status is_held(const judging *g, int usual, int other, int blocks, bool *held_p)
{
    double when, one = 0, base = 0;
    int again = 0, count, without;
    ath_status status = changed_at(g, other, &when);

    *held_p = false;
    for (int i = 0; i < blocks; i++)
        again += g->blocks[i].began >= when;
    if (status != ATH_OK || when == -INFINITY || again >= LEARN_AGAIN)
        return status;
    count = latest_paces(g, other, when, SHOWN, g->paces);
    for (int i = 0; i < count; i++)
        one += g->paces[i] / count;
    without = latest_paces(g, usual, when, SHOWN, g->paces);
    for (int i = 0; i < without; i++)
        base += g->paces[i] / without;
    *held_p = count < LEARN_AGAIN || without < g->options->trials || one >= base;
    return ATH_OK;
}

/* An advised one is better than any that is not, whatever their means are. */
static ath_status compare(const judging *g, int usual, int other, learn_judgement *j)
{
    int blocks = learn_blocks(g->samples, g->arms, g->count, usual, other, g->blocks);
    double error = g->options->error / (g->found - 1);
    ath_verdict verdict = ATH_NOT_FASTER;
    learn_comparison c;
    bool held = false;
    ath_status status = learn_compare(g->blocks, blocks, &c);

    if (status != ATH_OK || g->trials[other] < g->options->trials)
        return status;
    if (c.blocks < g->options->trials) {
        j->verdict = j->verdict < ATH_APART ? ATH_APART : j->verdict;
        return ATH_OK;
    }
    if (learn_difference_bound(&c, error) < 0 &&
        learn_difference_bound(&c, GAIN_ERROR) <= log1p(-g->options->gain)) {
        status = is_held(g, usual, other, blocks, &held);
        verdict = held ? ATH_NOT_FASTER : ATH_ADVISED;
    }
    if (status == ATH_OK &&
        (j->best.settings == NULL || verdict > j->verdict ||
         (verdict == j->verdict && c.difference.mean < j->best.pace.mean - j->usual.pace.mean))) {
        j->verdict = verdict;
        j->best = (learn_arm){g->settings[other], c.paces[1]};
        j->usual = (learn_arm){g->settings[usual], c.paces[0]};
    }
    return status;
}

static ath_status judge_arms(const judging *g, const char *usual, learn_judgement *j)
{
    int base = -1, count;
    ath_status status = ATH_OK;

    j->arms = g->found;
    for (int i = 0; i < g->found && usual != NULL; i++)
        if (strcmp(g->settings[i], usual) == 0)
            base = i;
    if (base < 0 || g->trials[base] < g->options->trials)
        return ATH_OK;
    j->verdict = ATH_ONE_WAY;
    count = latest_paces(g, base, -INFINITY, SHOWN, g->paces);
    j->usual = (learn_arm){g->settings[base], mean_of(g->paces, count)};
    for (int i = 0; status == ATH_OK && i < g->found; i++)
        if (i != base)
            status = compare(g, base, i, j);
    return status;
}

ath_status learn_judge(const ath_sample *const *samples, size_t count,
                       const ath_learn_options *options, learn_judgement *judgement_p)
{
    learn_judgement judgement = {.verdict = ATH_TOO_FEW};
    judging g = {.samples = samples,
                 .count = count,
                 .arms = calloc(count + 1, sizeof(*g.arms)),
                 .paces = calloc(count + 1, sizeof(*g.paces)),
                 .blocks = calloc(count + 1, sizeof(*g.blocks)),
                 .options = options};
    ath_status status = ATH_NO_MEMORY;

    if (g.arms != NULL && g.paces != NULL && g.blocks != NULL) {
        collect(&g);
        status = judge_arms(&g, usual_settings(samples, count), &judgement);
    }
    free(g.arms);
    free(g.paces);
    free(g.blocks);
    if (status == ATH_OK)
        *judgement_p = judgement;
    return status;
}
