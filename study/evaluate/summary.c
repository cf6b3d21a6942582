/* Summary of a strategy (paper, section VI-B). */

#include <gsl/gsl_statistics_double.h>

#include <math.h>
#include <stdlib.h>

#include "common/stats.h"
#include "study.h"

static double seconds_of(const study *study, const study_strategy *strategy, int repetition,
                         int instance)
{
    return strategy->seconds[repetition * study->instances + instance];
}

double study_speedup(const study *study, const study_strategy *strategy, int instance)
{
    double sum = 0;

    for (int r = 0; r < strategy->repetitions; r++)
        sum += study_default(study, instance) / seconds_of(study, strategy, r, instance);
    return strategy->repetitions > 0 ? sum / strategy->repetitions : NAN;
}

/* Average over the repetitions of time / base. */
static double slowdown(const study *study, const study_strategy *strategy, int instance,
                       double base)
{
    double sum = 0;

    for (int r = 0; r < strategy->repetitions; r++)
        sum += seconds_of(study, strategy, r, instance) / base;
    return sum / strategy->repetitions;
}

static void add_instance(const study *study, const study_strategy *strategy, int instance,
                         study_summary *summary)
{
    double speedup = study_speedup(study, strategy, instance);
    double ratio = slowdown(study, strategy, instance, study_best(study, instance));

    if (isnan(speedup))
        return;
    summary->instances++;
    summary->worse += speedup < 1;
    summary->better += speedup > 1;
    summary->large += speedup >= 1.5;
    summary->medium += speedup >= 1.1 && speedup < 1.5;
    summary->slowest =
        fmax(summary->slowest, slowdown(study, strategy, instance, study_default(study, instance)));
    for (int r = 0; r < strategy->repetitions; r++)
        summary->geometric +=
            log(seconds_of(study, strategy, r, instance) / study_best(study, instance)) /
            strategy->repetitions;
    if (ratio > summary->worst) {
        summary->worst = ratio;
        summary->worst_at = instance;
    }
}

/* Standard deviation of the repetitions' means. */
static double deviation(const study *study, const study_strategy *strategy)
{
    double sum = 0, squares = 0;

    if (strategy->repetitions < 2)
        return NAN;
    for (int r = 0; r < strategy->repetitions; r++) {
        double mean = 0;
        int count = 0;

        for (int i = 0; i < study->instances; i++) {
            double seconds = seconds_of(study, strategy, r, i);

            if (isnan(seconds))
                continue;
            mean += study_default(study, i) / seconds;
            count++;
        }
        mean /= count;
        sum += mean;
        squares += mean * mean;
    }
    sum /= strategy->repetitions;
    return sqrt(fmax(0, squares / strategy->repetitions - sum * sum) * strategy->repetitions /
                (strategy->repetitions - 1));
}

static spread speedups(const study *study, const study_strategy *strategy)
{
    int all = strategy->repetitions * study->instances;
    double *values = malloc(((size_t) all + 1) * sizeof(*values));
    spread s = {0};

    for (int i = 0; values != NULL && i < all; i++)
        values[i] = study_default(study, i % study->instances) / strategy->seconds[i];
    if (values != NULL)
        spread_of(values, all, &s); /* without memory it stays empty */
    free(values);
    return s;
}

/* Logarithm of the speed-up, average over the repetitions. */
static double log_speedup(const study *study, const study_strategy *strategy, int instance)
{
    double sum = 0;

    for (int r = 0; r < strategy->repetitions; r++)
        sum += log(study_default(study, instance) / seconds_of(study, strategy, r, instance));
    return sum / strategy->repetitions;
}

double study_against(const study *study, const study_strategy *ours, const study_strategy *other,
                     int *instances_p)
{
    double sum = 0;
    int count = 0;

    for (int i = 0; i < study->instances; i++) {
        double gain = log_speedup(study, ours, i) - log_speedup(study, other, i);

        if (isnan(gain))
            continue;
        sum += gain;
        count++;
    }
    *instances_p = count;
    return count > 0 ? exp(sum / count) : NAN;
}

/* Adds the mean gain over the instances with an answer and its interval; NAN without memory. */
static void add_gain(const study *study, const study_strategy *strategy, study_summary *summary)
{
    double *logs = malloc(((size_t) study->instances + 1) * sizeof(*logs)), mean, half;
    int count = 0;

    summary->gain = summary->gain_low = summary->gain_high = NAN;
    for (int i = 0; logs != NULL && i < study->instances; i++) {
        double value = log_speedup(study, strategy, i);

        if (!isnan(value))
            logs[count++] = value;
    }
    if (count > 0) {
        mean = gsl_stats_mean(logs, 1, (size_t) count);
        half = stats_half_width(logs, count);
        summary->gain = exp(mean);
        summary->gain_low = exp(mean - half);
        summary->gain_high = exp(mean + half);
    }
    free(logs);
}

void study_summarise(const study *study, const study_strategy *strategy, study_summary *summary_p)
{
    study_summary summary = {.worst_at = -1};

    for (int i = 0; i < study->instances; i++)
        add_instance(study, strategy, i, &summary);
    summary.speedup = speedups(study, strategy);
    summary.mean = summary.speedup.mean;
    summary.deviation = deviation(study, strategy);
    add_gain(study, strategy, &summary);
    summary.geometric = summary.instances > 0 ? exp(summary.geometric / summary.instances) : NAN;
    *summary_p = summary;
}
