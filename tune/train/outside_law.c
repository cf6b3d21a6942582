/* A law of powers, by least squares with exponents of 0 and more. */

#include "outside_law.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 400, COLUMNS = ATM_FEATURE_COUNT + 2 };

/* Ridge: columns that say nearly the same share the effect, and none grows large for little
 * reason. */
#define RIDGE 0.01

/* ln(seconds) = exponents x ln(features) + curve x ln(bytes)^2, which only makes room for latency;
 * all about their means. */
typedef struct normal {
    int count, columns;
    double products[COLUMNS][COLUMNS], right[COLUMNS];
    double mean[COLUMNS];
} normal;

static void row_of(const train_operation *o, int point, double *row)
{
    const double *features = o->points[point]->features;

    for (int i = 0; i < o->feature_count; i++)
        row[i] = log(features[o->features[i]]);
    row[o->feature_count] = pow(log(features[ATM_BYTES]), 2);
    row[o->feature_count + 1] = log(o->points[point]->seconds);
}

static void sum_up(const train_operation *o, const bool *take, normal *n)
{
    double row[COLUMNS];

    n->columns = o->feature_count + 1;
    for (int i = 0; i < o->count; i++) {
        if (!take[i])
            continue;
        row_of(o, i, row);
        for (int k = 0; k <= n->columns; k++)
            n->mean[k] += row[k];
        n->count++;
    }
    for (int k = 0; k <= n->columns; k++)
        n->mean[k] /= n->count;
    for (int i = 0; i < o->count; i++) {
        if (!take[i])
            continue;
        row_of(o, i, row);
        for (int k = 0; k < n->columns; k++) {
            n->right[k] +=
                (row[k] - n->mean[k]) * (row[n->columns] - n->mean[n->columns]) / n->count;
            for (int m = 0; m < n->columns; m++)
                n->products[k][m] += (row[k] - n->mean[k]) * (row[m] - n->mean[m]) / n->count;
        }
    }
}

/* Coordinate descent, each coordinate at its best in turn. */
static void solve(const normal *n, double *exponents)
{
    for (int i = 0; i < ROUNDS * n->columns; i++) {
        int k = i % n->columns;
        double right = n->right[k];

        for (int m = 0; m < n->columns; m++)
            if (m != k)
                right -= n->products[k][m] * exponents[m];
        exponents[k] = right / (n->products[k][k] + RIDGE);
        if (k < n->columns - 1)
            exponents[k] = fmax(exponents[k], 0);
    }
}

void outside_law(const train_operation *o, const bool *take, double *exponents_p)
{
    double exponents[COLUMNS] = {0};
    normal n;

    memset(&n, 0, sizeof(n));
    sum_up(o, take, &n);
    solve(&n, exponents);
    for (int i = 0; i < o->feature_count; i++)
        exponents_p[i] = atm_away_of(o->features[i]) == ATM_AWAY_SCALE ? fmin(exponents[i], 2) : 0;
}
