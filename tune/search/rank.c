/* Who won. */

#include "rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/stats.h"

enum { VALUES = 1024 };

static void measure(const ats_seen *seen, ats_ranked *ranked)
{
    double values[VALUES];

    ranked->runs = ats_seen_values(seen, &ranked->point, VALUES, values);
    ranked->median = ranked->low = ranked->high = INFINITY;
    for (int i = 0; i < seen->count; i++)
        ranked->failures += seen->at[i].outcome.end != ATS_DONE &&
                            ats_point_equal(&seen->at[i].trial.point, &ranked->point);
    if (ranked->runs == 0)
        return;
    ranked->median = stats_median(values, ranked->runs);
    ranked->low = stats_quantile(values, ranked->runs, 0);
    ranked->high = stats_quantile(values, ranked->runs, 1);
}

/* One that failed once cannot win. */
static double standing(const ats_ranked *ranked)
{
    return ranked->failures > 0 ? INFINITY : ranked->median;
}

/* Insertion keeps the order of equals. */
static void insert(ats_ranked *all, int count)
{
    ats_ranked last = all[count];
    int at = count;

    for (; at > 0 && standing(&all[at - 1]) > standing(&last); at--)
        all[at] = all[at - 1];
    all[at] = last;
}

ats_ranked *ats_rank(const ats_seen *seen, int *count_p)
{
    ats_ranked *all = calloc((size_t) seen->count + 1, sizeof(*all));
    int count = 0;

    for (int i = 0; all != NULL && i < seen->count; i++) {
        bool known = false;

        for (int k = 0; k < count && !known; k++)
            known = ats_point_equal(&all[k].point, &seen->at[i].trial.point);
        if (known)
            continue;
        all[count] = (ats_ranked){.point = seen->at[i].trial.point};
        measure(seen, &all[count]);
        insert(all, count++);
    }
    *count_p = count;
    return all;
}

/* Values of whole pairs of --verify, in their order; returns how many. */
static int pairs_of(const ats_seen *seen, const ats_point *winner, double *winner_p,
                    double *default_p)
{
    int count = 0;

    for (int i = 0; i + 1 < seen->count && count < VALUES; i++) {
        const ats_measured *one = &seen->at[i], *other = &seen->at[i + 1];
        bool first = ats_point_equal(&one->trial.point, winner);
        const ats_measured *won = first ? one : other, *usual = first ? other : one;

        if (one->trial.kind != ATS_VERIFY || other->trial.kind != ATS_VERIFY ||
            one->trial.number != other->trial.number || one->outcome.end != ATS_DONE ||
            other->outcome.end != ATS_DONE || !ats_point_equal(&won->trial.point, winner) ||
            !ats_point_is_default(&usual->trial.point))
            continue;
        winner_p[count] = won->outcome.value;
        default_p[count++] = usual->outcome.value;
    }
    return count;
}

/* The latest of both: those of the checks were made in turn. */
static int latest_of(const ats_seen *seen, const ats_point *winner, double *winner_p,
                     double *default_p)
{
    static const ats_point none = {{0}};
    int won = ats_seen_values(seen, winner, VALUES, winner_p);
    int usual = ats_seen_values(seen, &none, VALUES, default_p);
    int count = won < usual ? won : usual;

    memmove(winner_p, winner_p + (won - count), (size_t) count * sizeof(*winner_p));
    memmove(default_p, default_p + (usual - count), (size_t) count * sizeof(*default_p));
    return count;
}

bool ats_is_faster(const ats_verdict *verdict)
{
    return verdict->known && verdict->sure && verdict->speed_up > 1;
}

ats_verdict ats_judge(const ats_seen *seen, const ats_point *winner, uint64_t seed)
{
    double won[VALUES], usual[VALUES], half;
    ats_verdict verdict = {.known = false};
    int count = pairs_of(seen, winner, won, usual);

    verdict.paired = count > 0;
    if (count == 0)
        count = latest_of(seen, winner, won, usual);
    if (count == 0)
        return verdict;
    verdict.known = true;
    verdict.runs = count;
    verdict.seconds = stats_median(won, count);
    verdict.default_seconds = stats_median(usual, count);
    half = count > 1 ? stats_half_width(won, count) : 0;
    verdict.interval[0] = fmax(verdict.seconds - half, 0);
    verdict.interval[1] = verdict.seconds + half;
    verdict.speed_up = verdict.default_seconds / verdict.seconds;
    if (stats_ratio_interval(usual, won, count, seed, &verdict.low, &verdict.high))
        verdict.sure = verdict.low > 1 || verdict.high < 1;
    else
        verdict.low = verdict.high = 0;
    return verdict;
}
