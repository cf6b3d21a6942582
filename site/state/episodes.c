/* Episodes: medians of successive minutes. */

#include "episodes.h"

#include <math.h>
#include <stdlib.h>

#include "common/stats.h"
#include "learner.h"

enum {
    FEWEST = 2, /* latencies of a median */
    MOST = 32,
    FEWEST_BUSY = 5, /* medians */
    FEWEST_ALL = 100
};

/* Median of ln(latency / typical) of samples [*next_p, ...) that are not later than `to`; NaN: too
 * few.  Of many, some. */
static double level_until(const features_of *of, double to, size_t *next_p)
{
    const trace_series *series = &of->target->series[of->source];
    double sorted[MOST];
    size_t first = *next_p, end = first, step;
    int count = 0;

    while (end < series->count && series->samples[end].time <= to)
        end++;
    *next_p = end;
    step = (end - first + MOST - 1) / MOST;
    for (size_t i = first; i < end; i += step) {
        double x = log(series->samples[i].seconds / of->typical);
        int at = count++;

        for (; at > 0 && sorted[at - 1] > x; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = x;
    }
    return count >= FEWEST ? (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 : NAN;
}

/* levels_p[room]: of one window after the other; NaN where there is none. */
static int list_levels(const features_of *of, double until, double seconds, double *levels_p,
                       int room)
{
    const trace_series *series = &of->target->series[of->source];
    double end = series->samples[0].time + seconds;
    size_t next = 0;
    int count = 0;

    for (; end <= until && next < series->count && count < room; end += seconds)
        levels_p[count++] = level_until(of, end, &next);
    return count;
}

static void look(const double *levels, int count, episodes *e)
{
    double busy = 0, known = 0, followed = 0, stays = 0, sum = 0;

    for (int i = 0; i < count; i++) {
        known += !isnan(levels[i]);
        if (!(levels[i] > e->threshold))
            continue;
        busy++;
        sum += levels[i];
        if (i + 1 < count && !isnan(levels[i + 1])) {
            followed++;
            stays += levels[i + 1] > e->threshold;
        }
    }
    e->level = busy > 0 ? sum / busy : NAN;
    e->share = (busy + 0.5) / (known + 1);
    e->found =
        known >= FEWEST_ALL && busy >= FEWEST_BUSY && busy < known / 2 && stays > followed / 2;
}

/* What most medians are, and how far from it. */
static bool find_threshold(const double *levels, int count, episodes *e)
{
    double *some = malloc((size_t) (count + 1) * sizeof(*some)), middle, deviation;
    int known = 0;

    if (some == NULL)
        return false;
    for (int i = 0; i < count; i++)
        if (!isnan(levels[i]))
            some[known++] = levels[i];
    middle = known > 0 ? stats_median(some, known) : 0;
    deviation = known > 0 ? 1.4826 * stats_deviation(some, known) : 0;
    free(some);
    e->threshold = middle + fmax(log(EPISODES_SLOWER), EPISODES_APART * deviation);
    return !isnan(e->threshold);
}

atm_status episodes_find(const features_of *of, double until, episodes *episodes_p)
{
    const trace_series *series = &of->target->series[of->source];
    episodes e = {.seconds = learn_latency_seconds(0), .threshold = INFINITY, .level = NAN};
    atm_status status = ATM_OK;
    double *levels, span;
    int count;

    *episodes_p = e;
    if (series->count < 2 || isnan(of->typical))
        return ATM_OK;
    span = series->samples[series->count - 1].time - series->samples[0].time;
    e.seconds = learn_latency_seconds(span / (double) (series->count - 1));
    count = (int) fmin(span / e.seconds + 1, 1e6);
    levels = malloc((size_t) count * sizeof(*levels));
    if (levels == NULL)
        return ATM_NO_MEMORY;
    count = list_levels(of, until, e.seconds, levels, count);
    if (count > 0 && find_threshold(levels, count, &e))
        look(levels, count, &e);
    else if (count > 0)
        status = ATM_NO_MEMORY;
    free(levels);
    if (status == ATM_OK)
        *episodes_p = e;
    return status;
}

int episodes_after(const episodes *episodes, const features_of *of, double time)
{
    size_t next = features_count(&of->target->series[of->source], time);
    double level = level_until(of, time + episodes->seconds, &next);

    return isnan(level) ? -1 : level > episodes->threshold;
}
