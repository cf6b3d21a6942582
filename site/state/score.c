/* Scores. */

#include "score.h"

#include <math.h>
#include <stdlib.h>

void score_add(score_sums *sums, double p, double busy, int label)
{
    double q = fmin(fmax(p, 1e-6), 1 - 1e-6);

    sums->rows++;
    sums->right += (p > 0.5) == (label == 1);
    sums->expected += p > 0.5 ? busy : 1 - busy;
    sums->loss -= label == 1 ? log(q) : log(1 - q);
}

double score_accuracy(const score_sums *sums)
{
    return sums->rows > 0 ? sums->right / sums->rows : NAN;
}

typedef struct ranked {
    double p;
    int label;
} ranked;

static int by_falling_p(const void *a, const void *b)
{
    const ranked *first = a, *second = b;

    return (first->p < second->p) - (first->p > second->p);
}

static ranked *rank(const double *p, const int *label, int count, double *busy_p)
{
    ranked *all = malloc((size_t) (count + 1) * sizeof(*all));
    double busy = 0;

    for (int i = 0; all != NULL && i < count; i++) {
        all[i] = (ranked){p[i], label[i]};
        busy += label[i];
    }
    if (all != NULL && count > 0)
        qsort(all, (size_t) count, sizeof(*all), by_falling_p);
    *busy_p = busy;
    return all;
}

/* Rows of equal p are one step, half of which counts. */
double score_auc(const double *p, const int *label, int count)
{
    double busy, area = 0, found = 0;
    ranked *all = rank(p, label, count, &busy);

    if (all == NULL || busy == 0 || busy == count) {
        free(all);
        return NAN;
    }
    for (int i = 0; i < count;) {
        double more = 0, wrong = 0;
        int end = i;

        for (; end < count && all[end].p == all[i].p; end++) {
            more += all[end].label;
            wrong += !all[end].label;
        }
        area += wrong * (found + more / 2);
        found += more;
        i = end;
    }
    free(all);
    return area / busy / (count - busy);
}

bool score_roc(const double *p, const int *label, int count, double found_p[SCORE_POINTS])
{
    double busy, found = 0, wrong = 0;
    ranked *all = rank(p, label, count, &busy);
    int at = 0;

    if (all == NULL || busy == 0 || busy == count) {
        free(all);
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (all[i].label)
            found++;
        else
            for (wrong++; at < SCORE_POINTS && wrong / (count - busy) > at / 20.0 + 1e-12; at++)
                found_p[at] = found / busy;
    }
    while (at < SCORE_POINTS)
        found_p[at++] = 1;
    free(all);
    return true;
}

void score_calibrate(const double *scores, const int *label, int count, double *slope_p,
                     double *offset_p)
{
    double busy = 0, a = 1, b = 0;

    for (int i = 0; i < count; i++)
        busy += label[i];
    for (int step = 0; step < 50; step++) {
        double ga = 0, gb = 0, aa = 1e-6, ab = 0, bb = 1e-6, determinant, da, db;

        for (int i = 0; i < count; i++) {
            /* labels that are not quite sure: no slope becomes infinite */
            double target = label[i] ? (busy + 1) / (busy + 2) : 1 / (count - busy + 2);
            double p = 1 / (1 + exp(-a * scores[i] - b)), w = p * (1 - p);

            ga += (p - target) * scores[i];
            gb += p - target;
            aa += w * scores[i] * scores[i];
            ab += w * scores[i];
            bb += w;
        }
        determinant = aa * bb - ab * ab;
        if (!(determinant > 0))
            break;
        da = (bb * ga - ab * gb) / determinant;
        db = (aa * gb - ab * ga) / determinant;
        a -= fmin(fmax(da, -1), 1);
        b -= fmin(fmax(db, -1), 1);
        if (fabs(da) + fabs(db) < 1e-9)
            break;
    }
    *slope_p = fmin(fmax(a, 0), 1e3); /* what orders rows the wrong way round says nothing */
    *offset_p = fmin(fmax(b, -1e3), 1e3);
}
