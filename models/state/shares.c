/* Expected times of the slowest of many targets, and the shares for which it is least. */

#include "shares.h"

#include <math.h>

/* Beyond it nothing is left of a normal distribution, in deviations. */
#define TAIL 8.0
/* A smaller deviation is none. */
#define LEAST_DEVIATION 1e-3

enum {
    POINTS_MIN = 200, /* of an integral */
    POINTS_MAX = 4000,
    STEPS = 200 /* of a search */
};

double atm_pace_seconds(const atm_pace *pace)
{
    return exp(pace->mean + pace->deviation * pace->deviation / 2);
}

atm_pace atm_pace_of(double seconds, double deviation)
{
    return (atm_pace){log(seconds) - deviation * deviation / 2, deviation};
}

double atm_targets_seconds(const atm_targets *targets)
{
    return targets->idle * atm_pace_seconds(&targets->paces[ATM_IDLE]) +
           (1 - targets->idle) * atm_pace_seconds(&targets->paces[ATM_BUSY]);
}

/* --- one target at t = exp(u), with a share of 1 */

static double deviation_of(const atm_pace *pace)
{
    return pace->deviation > LEAST_DEVIATION ? pace->deviation : LEAST_DEVIATION;
}

double atm_pace_done(const atm_pace *pace, double u)
{
    return 0.5 * erfc((pace->mean - u) / deviation_of(pace) * M_SQRT1_2);
}

static double weight_of(const atm_targets *targets, int activity)
{
    return activity == ATM_IDLE ? targets->idle : 1 - targets->idle;
}

/* F */
static double done_by(const atm_targets *targets, double u)
{
    double done = 0;

    for (int i = 0; i < ATM_ACTIVITY_COUNT; i++)
        done += weight_of(targets, i) * atm_pace_done(&targets->paces[i], u);
    return done;
}

/* dF / du */
static double density(const atm_targets *targets, double u)
{
    double sum = 0;

    for (int i = 0; i < ATM_ACTIVITY_COUNT; i++) {
        const atm_pace *pace = &targets->paces[i];
        double deviation = deviation_of(pace), z = (u - pace->mean) / deviation;

        sum += weight_of(targets, i) * exp(-z * z / 2) / deviation;
    }
    return sum * M_2_SQRTPI * M_SQRT1_2 / 2;
}

/* --- an integral over u of points that are `step` apart */

typedef struct grid {
    double from, step;
    int points;
} grid;

/* Grid from where the slowest can first be done to where it surely is. */
static grid grid_for(const atm_targets *groups, const double *shares, int n)
{
    double from = -INFINITY, to = -INFINITY, least = INFINITY;

    for (int i = 0; i < n; i++) {
        double first = INFINITY, shift = log(shares[i]);

        for (int k = 0; k < ATM_ACTIVITY_COUNT; k++) {
            double mean = groups[i].paces[k].mean + shift;
            double deviation = deviation_of(&groups[i].paces[k]);

            if (weight_of(&groups[i], k) <= 0)
                continue;
            first = fmin(first, mean - TAIL * deviation);
            to = fmax(to, mean + (TAIL + deviation) * deviation);
            least = fmin(least, deviation);
        }
        from = fmax(from, first);
    }
    double points = ceil((to - from) / (least / 4));
    points = points > POINTS_MIN ? points : POINTS_MIN;
    points = points < POINTS_MAX ? points : POINTS_MAX;
    return (grid){from, (to - from) / points, (int) points};
}

/* Logarithm of the probability that all are done at u. */
static double log_all_done(const atm_targets *groups, const double *shares, int n, double u)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += groups[i].count * log(done_by(&groups[i], u - log(shares[i])));
    return sum;
}

/* Midpoints: the integrand is smooth and ends flat on both sides. */
static double point(const grid *grid, int i)
{
    return grid->from + (i + 0.5) * grid->step;
}

double atm_slowest(const atm_targets *groups, const double *shares, int n)
{
    grid grid = grid_for(groups, shares, n);
    double sum = 0;

    for (int i = 0; i < grid.points; i++) {
        double u = point(&grid, i);

        sum -= expm1(log_all_done(groups, shares, n, u)) * exp(u);
    }
    return exp(grid.from) + sum * grid.step;
}

/* --- shares */

static void normalise(const atm_targets *groups, int n, double *shares)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += groups[i].count * shares[i];
    for (int i = 0; i < n && sum > 0; i++)
        shares[i] /= sum;
}

void atm_shares_equal(const atm_targets *groups, int n, double *shares_p)
{
    for (int i = 0; i < n; i++)
        shares_p[i] = 1;
    normalise(groups, n, shares_p);
}

void atm_shares_by_label(const atm_targets *groups, int n, double *shares_p)
{
    for (int i = 0; i < n; i++) {
        atm_activity label = groups[i].idle > 0.5 ? ATM_IDLE : ATM_BUSY;

        shares_p[i] = 1 / atm_pace_seconds(&groups[i].paces[label]);
    }
    normalise(groups, n, shares_p);
}

/* E, and for each group the part of E that is spent waiting for one of its targets, over its
 * share: dE / dw_i / count_i.  At the minimum all of these are E. */
static double slowest_and_slopes(const atm_targets *groups, const double *shares, int n,
                                 double *slopes_p)
{
    grid grid = grid_for(groups, shares, n);
    double sum = 0;

    for (int i = 0; i < n; i++)
        slopes_p[i] = 0;
    for (int k = 0; k < grid.points; k++) {
        double u = point(&grid, k), all = log_all_done(groups, shares, n, u), t = exp(u);

        sum -= expm1(all) * t;
        for (int i = 0; i < n; i++) {
            double of_one = u - log(shares[i]), done = done_by(&groups[i], of_one);

            if (done > 0)
                slopes_p[i] += exp(all) / done * density(&groups[i], of_one) * t;
        }
    }
    for (int i = 0; i < n; i++)
        slopes_p[i] *= grid.step / shares[i];
    return exp(grid.from) + sum * grid.step;
}

/* A step from `from`: each share against its slope, by no more than a factor of e. */
static void step(const atm_targets *groups, int n, const double *from, const double *slopes,
                 double slowest, double length, double *to_p)
{
    for (int i = 0; i < n; i++) {
        double by = -length * log(slopes[i] / slowest);

        to_p[i] = from[i] * exp(by > 1 ? 1 : by < -1 ? -1 : by);
    }
    normalise(groups, n, to_p);
}

/* No shares are faster than the least slope: E is convex and homogeneous. */
static bool is_minimum(const double *slopes, int n, double slowest)
{
    for (int i = 0; i < n; i++)
        if (slopes[i] < (1 - ATM_SHARES_TOLERANCE) * slowest)
            return false;
    return true;
}

/* Descent in the logarithms of the shares, with steps that grow while they succeed. */
void atm_shares_best(const atm_targets *groups, int n, double *shares_p)
{
    double slopes[ATM_TARGET_GROUPS], next[ATM_TARGET_GROUPS], next_slopes[ATM_TARGET_GROUPS];
    double length = 0.25, slowest;

    atm_shares_equal(groups, n, shares_p);
    slowest = slowest_and_slopes(groups, shares_p, n, slopes);
    for (int i = 0; i < STEPS && length > 1e-9 && !is_minimum(slopes, n, slowest); i++) {
        step(groups, n, shares_p, slopes, slowest, length, next);
        double found = slowest_and_slopes(groups, next, n, next_slopes);
        if (found < slowest) {
            slowest = found;
            length *= 1.5;
            for (int k = 0; k < n; k++) {
                shares_p[k] = next[k];
                slopes[k] = next_slopes[k];
            }
        } else {
            length /= 3;
        }
    }
}
