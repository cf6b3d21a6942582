#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENOUGH = 5 };
#define TIGHT 0.02
#define FAR (3 * 1.4826)
#define NEAR 0.01

static int ascending(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

double statistics_median(const double *values, int count)
{
    double *sorted = malloc((size_t) count * sizeof(*sorted)), median;

    if (sorted == NULL)
        return NAN;
    memcpy(sorted, values, (size_t) count * sizeof(*sorted));
    qsort(sorted, (size_t) count, sizeof(*sorted), ascending);
    median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    free(sorted);
    return median;
}

/* 97.5 % quantile of Student's t; exact for few values, where it matters, and
 * within 0.5 % beyond (Cornish-Fisher). */
static double student(int freedom)
{
    static const double few[] = {12.706, 4.303, 3.182, 2.776, 2.571};
    const double z = 1.959964;

    if (freedom <= 5)
        return few[freedom - 1];
    return z + (z * z * z + z) / (4 * freedom) +
           (5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96.0 * freedom * freedom);
}

double statistics_uncertainty(const double *values, int count)
{
    double mean = 0, squares = 0;

    if (count < 2)
        return INFINITY;
    for (int i = 0; i < count; i++)
        mean += values[i] / count;
    for (int i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return student(count - 1) * sqrt(squares / (count - 1) / count) / mean;
}

bool statistics_tight(const double *values, int count)
{
    return count >= ENOUGH && statistics_uncertainty(values, count) < TIGHT;
}

static double deviation(const double *values, int count, double median)
{
    double *distances = malloc((size_t) count * sizeof(*distances)), result;

    if (distances == NULL)
        return NAN;
    for (int i = 0; i < count; i++)
        distances[i] = fabs(values[i] - median);
    result = statistics_median(distances, count);
    free(distances);
    return result;
}

int statistics_outliers(const double *values, int count, bool *marks)
{
    double median, far;
    int marked = 0;

    memset(marks, 0, (size_t) count * sizeof(*marks));
    if (count < ENOUGH)
        return 0;
    median = statistics_median(values, count);
    far = fmax(FAR * deviation(values, count, median), NEAR * median);
    for (int i = 0; i < count; i++) {
        marks[i] = fabs(values[i] - median) > far;
        marked += marks[i];
    }
    return marked;
}

statistics_summary statistics_summarize(const double *values, const bool *marks, int count)
{
    statistics_summary summary = {.median = statistics_median(values, count)};
    int counted = 0;

    for (int i = 0; i < count; i++)
        if (!marks[i]) {
            summary.mean += values[i];
            counted++;
        }
    summary.mean /= counted;
    summary.spread = deviation(values, count, summary.median) / summary.median;
    return summary;
}
