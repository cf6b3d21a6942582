/* The table of goals. */

#include "goals.h"

#include <math.h>
#include <string.h>

static bool summary_of(const study *study, const char *strategy, study_summary *summary_p)
{
    const study_strategy *found = study_find(study, strategy);

    if (found != NULL)
        study_summarise(study, found, summary_p);
    return found != NULL && summary_p->instances > 0;
}

static double mean_of(const study *study, const char *strategy)
{
    study_summary summary;

    return summary_of(study, strategy, &summary) ? summary.mean : NAN;
}

static double above_ml(const study *study, const char *strategy)
{
    return mean_of(study, strategy) - mean_of(study, "ml");
}

static double above_rs(const study *study, const char *strategy)
{
    return mean_of(study, strategy) - mean_of(study, "rs");
}

static double worse_share(const study *study, const char *strategy)
{
    study_summary summary;

    return summary_of(study, strategy, &summary) ? (double) summary.worse / summary.instances : NAN;
}

static double slowest(const study *study, const char *strategy)
{
    study_summary summary;

    return summary_of(study, strategy, &summary) ? summary.slowest : NAN;
}

static double geometric(const study *study, const char *strategy)
{
    study_summary summary;

    return summary_of(study, strategy, &summary) ? summary.geometric : NAN;
}

static double worst(const study *study, const char *strategy)
{
    study_summary summary;

    return summary_of(study, strategy, &summary) ? summary.worst : NAN;
}

/* --- noise and points */

static double change_of(const spread *noisy, const spread *clean)
{
    double change = fabs(noisy->mean / clean->mean - 1);

    change = fmax(change, fabs(noisy->q25 / clean->q25 - 1));
    change = fmax(change, fabs(noisy->median / clean->median - 1));
    return fmax(change, fabs(noisy->q75 / clean->q75 - 1));
}

double goals_change(const study *study, double sigma)
{
    double change = 0;

    if (study->noise_count == 0 || study->noise[0].hybrid.count == 0)
        return NAN;
    for (int i = 1; i < study->noise_count && study->noise[i].sigma <= sigma; i++)
        change = fmax(change, change_of(&study->noise[i].hybrid, &study->noise[0].hybrid));
    return change;
}

static double noise_change(const study *study, const char *strategy)
{
    (void) strategy;
    return goals_change(study, GOALS_SIGMA);
}

/* Change of a mode's speed-up after noisy calibrations, relative to noise-free ones. */
static double calibration_change(const study *study, const char *strategy)
{
    double change = NAN;
    spread clean;

    for (int i = 0; i < STUDY_NOISY && study->noisy[i].sigma <= GOALS_SIGMA; i++) {
        const study_noisy *noisy = &study->noisy[i];
        const study_strategy *mode =
            strcmp(strategy, "enable") == 0 ? &noisy->enable : &noisy->automatic;
        study_summary summary;

        if (mode->repetitions == 0)
            return NAN;
        study_summarise(study, mode, &summary);
        if (i == 0)
            clean = summary.speedup;
        else
            change = fmax(change, change_of(&summary.speedup, &clean)); /* fmax leaves NaN out */
    }
    return change;
}

/* Loss of ml's mean at the noise up to which hybrid's must stay. */
static double ml_loss(const study *study, const char *strategy)
{
    (void) strategy;
    for (int i = 0; i < study->noise_count; i++)
        if (study->noise[i].sigma == GOALS_SIGMA && study->noise[i].ml.count > 0)
            return study->noise[0].ml.mean - study->noise[i].ml.mean;
    return NAN;
}

static double loss_between(const study *study, int more, int fewer)
{
    study_summary one, other;

    if (study->fewer[more].repetitions == 0 || study->fewer[fewer].repetitions == 0)
        return NAN;
    study_summarise(study, &study->fewer[more], &one);
    study_summarise(study, &study->fewer[fewer], &other);
    return one.mean - other.mean;
}

static double loss_two_thirds(const study *study, const char *strategy)
{
    (void) strategy;
    return loss_between(study, 0, 1);
}

static double loss_third(const study *study, const char *strategy)
{
    (void) strategy;
    return loss_between(study, 1, 2);
}

/* --- what there is to gain, and where aggregators are */

#define NOTHING 1.02 /* a best that is this much faster than the default, or less */

static double taken(const study *study, const char *strategy)
{
    study_summary summary;
    double best;

    if (!summary_of(study, strategy, &summary))
        return NAN;
    best = summary.gain * summary.geometric;
    return best > NOTHING ? log(summary.gain) / log(best) : NAN;
}

static double placed(const study *study, double value)
{
    return study->placing.pairs > 0 ? value : NAN;
}

static double placed_geometric(const study *study, const char *strategy)
{
    (void) strategy;
    return placed(study, study->placing.chosen.best);
}

static double placed_worst(const study *study, const char *strategy)
{
    (void) strategy;
    return placed(study, study->placing.chosen.best_worst);
}

static double placed_uniform(const study *study, const char *strategy)
{
    (void) strategy;
    return placed(study, study->placing.chosen.uniform_worst);
}

/* --- the table */

#define SHARE_WORSE (2.0 / 33) /* the paper's count */

static const char *const hybrid[] = {"hybrid", NULL}, *const ml[] = {"ml", NULL},
                         *const placement[] = {"placement", NULL},
                         *const careful[] = {"automatic", "driver", NULL},
                         *const bold[] = {"enable", "driver-enable", NULL},
                         *const chosen[] = {"automatic", "enable", NULL},
                         *const modes[] = {"automatic", "driver", "enable", "driver-enable", NULL};
static const char simulated[] = "simulated", stand_in[] = "stand-in", measured[] = "measured";

static const goal table[] = {
    {"mean speed-up above that of ml", hybrid, NULL, above_ml, 0, false, false},
    {"mean speed-up above that of rs", ml, NULL, above_rs, 0, false, false},
    {"mean speed-up above that of rs", hybrid, NULL, above_rs, 0, false, false},
    {"share of instances slower than the default at most 2 of 33", hybrid, NULL, worse_share,
     SHARE_WORSE, true, false},
    {"time / default at most 1.05 on any instance", hybrid, NULL, slowest, 1.05, true, false},
    {"time / best at most 1.10, geometric mean", hybrid, NULL, geometric, 1.10, true, false},
    {"time / best at most 1.25 on any instance", hybrid, NULL, worst, 1.25, true, false},
    {"share of instances slower than the default at most 2 of 33", modes, NULL, worse_share,
     SHARE_WORSE, true, true},
    {"time / default at most 1.02 on any instance", careful, NULL, slowest, 1.02, true, true},
    {"time / default at most 1.05 on any instance", bold, NULL, slowest, 1.05, true, true},
    {"time / best at most 1.05, geometric mean", modes, simulated, geometric, 1.05, true, true},
    {"time / best at most 1.25 on any instance", modes, simulated, worst, 1.25, true, true},
    {"mean speed-up above 1.42", modes, simulated, mean_of, 1.42, false, true},
    {"time / best at most 1.03, geometric mean", modes, stand_in, geometric, 1.03, true, true},
    {"time / best at most 1.10 on any instance", modes, stand_in, worst, 1.10, true, true},
    {"time / best at most 1.15 on any instance", modes, measured, worst, 1.15, true, true},
    {"share of what there is to gain above 0.8, of logarithms", modes, measured, taken, 0.8, false,
     true},
    {"time / that of the best placement at most 1.03, geometric mean", placement, NULL,
     placed_geometric, 1.03, true, false},
    {"time / that of the best placement at most 1.15", placement, NULL, placed_worst, 1.15, true,
     false},
    {"time / that of uniform placement at most 1.03", placement, NULL, placed_uniform, 1.03, true,
     false},
    {"change of speed-ups by noise up to sigma 0.5 at most 5 %", hybrid, NULL, noise_change,
     GOALS_SAME, true, false},
    {"change of speed-ups by a calibration's noise up to sigma 0.5 at most 3 %", chosen, NULL,
     calibration_change, 0.03, true, true},
    {"mean speed-up lost by noise of sigma 0.5 above 0", ml, NULL, ml_loss, 0, false, false},
    {"mean speed-up lost with two thirds of the points above 0", ml, NULL, loss_two_thirds, 0,
     false, false},
    {"mean speed-up lost from two thirds to a third of the points above 0", ml, NULL, loss_third, 0,
     false, false},
};

enum {
    TABLE = sizeof(table) / sizeof(table[0]),
    MODES = sizeof(modes) / sizeof(modes[0]) - 1 /* the longest list */
};

_Static_assert((int) TABLE *(int) MODES <= (int) GOALS_MAX, "room for all goals");

static goal_result judge(const study *study, const goal *goal, const char *strategy)
{
    double value = goal->value(study, strategy);
    double over = goal->at_most ? value - goal->limit : goal->limit - value;
    goal_result result = {
        .goal = goal, .strategy = strategy, .value = value, .known = !isnan(value)};

    result.met = result.known && (goal->at_most ? over <= 0 : over < 0);
    result.missed_by = result.known && !result.met ? over : 0;
    return result;
}

int goals_judge(const study *study, goal_result results[GOALS_MAX])
{
    int count = 0;

    for (int i = 0; i < TABLE; i++) {
        const goal *goal = &table[i];

        if (goal->kind != NULL && strcmp(goal->kind, study->sweep->kind) != 0)
            continue;
        for (int k = 0; goal->strategies[k] != NULL; k++)
            results[count++] = judge(study, goal, goal->strategies[k]);
    }
    return count;
}
