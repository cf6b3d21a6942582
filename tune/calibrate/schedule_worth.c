/*
 * Which point teaches most.  A prediction is the less certain the farther it is from what was
 * measured: points far from all that were visited come first, those that likely jobs need before
 * others, and short ones before long ones.
 *
 * Other communication than the exchange keeps the nested order of the plan: its points take about
 * the same time.
 */

#include "plan.h"

#include <math.h>

/* Rounds and pieces of most programs; a size eight times off counts half. */
#define ROUND_MIN (256.0 * 1024)
#define PIECE_MIN 4096.0
#define ROUND_MAX (16.0 * 1024 * 1024)
#define HALF (1.0 / 3)

#define UNVISITED 2.0 /* no point of an operation is farther from another, */
#define OVERHEAD 0.02 /* and none takes less time than that */

/* What surrogates of file accesses and of the exchange look at; each of these varies for one. */
static const atm_feature axes[] = {ATM_BYTES, ATM_SENDERS, ATM_RECEIVERS, ATM_NODES, ATM_STRIPES};
enum { AXES = sizeof(axes) / sizeof(axes[0]) };

static bool is_weighed(atm_operation operation)
{
    return plan_is_storage(operation) || operation == ATM_EXCHANGE;
}

static double likely(const plan_point *point)
{
    bool small = plan_is_independent(point->operation) || point->before_bytes > 0;
    double bytes = (double) point->bytes, least = small ? PIECE_MIN : ROUND_MIN;
    double off = bytes < least ? least / bytes : bytes > ROUND_MAX ? bytes / ROUND_MAX : 1;

    return exp2(-HALF * log2(off));
}

/* Extent of an operation's points along an axis. */
static double span_of(const plan *plan, atm_operation operation, atm_feature axis)
{
    double min = INFINITY, max = 0;

    for (int i = plan->first[operation]; i < plan->first[operation + 1]; i++) {
        min = fmin(min, plan->points[i].features[axis]);
        max = fmax(max, plan->points[i].features[axis]);
    }
    return max > min ? log(max / min) : 0;
}

void schedule_note_near(schedule *schedule, int index)
{
    const plan *plan = schedule->plan;
    const plan_point *visited = &plan->points[index];
    double span[AXES];

    if (!is_weighed(visited->operation))
        return;
    for (int k = 0; k < AXES; k++)
        span[k] = span_of(plan, visited->operation, axes[k]);
    for (int i = plan->first[visited->operation]; i < plan->first[visited->operation + 1]; i++) {
        double squares = 0;

        for (int k = 0; k < AXES; k++)
            if (span[k] > 0)
                squares += pow(log(plan->points[i].features[axes[k]] / visited->features[axes[k]]) /
                                   span[k],
                               2);
        squares = sqrt(squares);
        if (schedule->apart[i] == 0 || squares < schedule->apart[i])
            schedule->apart[i] = fmax(squares, 1e-6);
    }
}

static double worth(const schedule *schedule, int index, double seconds)
{
    double apart = schedule->apart[index] > 0 ? schedule->apart[index] : UNVISITED;

    return likely(&schedule->plan->points[index]) * apart / sqrt(seconds + OVERHEAD);
}

int schedule_next_of(const schedule *schedule, int operation, double most)
{
    const plan *plan = schedule->plan;
    bool nested = schedule->options.budget <= 0 || !is_weighed((atm_operation) operation);
    double best_worth = 0;
    int best = -1;

    for (int i = plan->first[operation]; i < plan->first[operation + 1]; i++) {
        double seconds, is;

        if (schedule->done[i] != 0)
            continue;
        seconds = schedule_expect(schedule, i);
        if (schedule->options.budget > 0 && seconds > most)
            continue;
        if (nested)
            return i;
        is = worth(schedule, i, seconds);
        if (is > best_worth) {
            best_worth = is;
            best = i;
        }
    }
    return best;
}
