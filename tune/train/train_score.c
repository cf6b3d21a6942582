/* How well predictions agree with measurements. */

#include "train.h"

#include <math.h>

typedef struct sums {
    double rmse, r2, explained;
} sums;

/* of a[i] measured and b[i] predicted, or of their logarithms */
static sums compare(const double *a, const double *b, int count, bool logs)
{
    double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0, sse = 0;

    for (int i = 0; i < count; i++) {
        mean_a += (logs ? log(a[i]) : a[i]) / count;
        mean_b += (logs ? log(b[i]) : b[i]) / count;
    }
    for (int i = 0; i < count; i++) {
        double x = logs ? log(a[i]) : a[i], y = logs ? log(b[i]) : b[i];

        aa += (x - mean_a) * (x - mean_a);
        bb += (y - mean_b) * (y - mean_b);
        ab += (x - mean_a) * (y - mean_b);
        sse += (x - y) * (x - y);
    }
    return (sums){.rmse = sqrt(sse / count),
                  .r2 = aa > 0 && bb > 0 ? ab * ab / (aa * bb) : NAN,
                  .explained = aa > 0 ? 1 - sse / aa : NAN};
}

train_score train_score_of(const double *measured, const double *predicted, int count)
{
    sums plain = compare(measured, predicted, count, false);
    sums logs = compare(measured, predicted, count, true);

    return (train_score){.rmse = plain.rmse,
                         .r2 = plain.r2,
                         .r2_explained = plain.explained,
                         .log_rmse = logs.rmse,
                         .log_r2 = logs.r2,
                         .log_r2_explained = logs.explained};
}
