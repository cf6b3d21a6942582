/* latency: how many minutes, and from which median on targets are busy. */

#include <math.h>
#include <stdlib.h>

#include "common/stats.h"
#include "learner.h"
#include "score.h"

/* Three minutes, which is about how long what is told has to hold; longer where probes are rare. */
enum { LEAST_SECONDS = 180, MOST_SECONDS = 1800, FEWEST_PROBES = 3 };

/* Newton's steps (score_calibrate) are of 1 at most. */
#define UNIT 0.05

double learn_latency_seconds(double between)
{
    double seconds = FEWEST_PROBES * between;

    return seconds < LEAST_SECONDS ? LEAST_SECONDS : fmin(seconds, MOST_SECONDS);
}

/* Mean seconds from probe to probe, of most rows. */
static double time_between(const learner_data *data, double *room)
{
    int count = 0;

    for (int i = 0; i < data->rows; i++) {
        const atm_state_view *view = data->views[i];

        if (view->recent > 1)
            room[count++] = (view->age[0] - view->age[view->recent - 1]) / (view->recent - 1);
    }
    return count > 0 ? stats_median(room, count) : 0;
}

static void fit_to(const learner_data *data, double *levels, int *label, atm_value *parameters)
{
    double seconds = learn_latency_seconds(time_between(data, levels)), slope = 0, offset = 0;
    double busy = 0;
    int known = 0;

    for (int i = 0; i < data->rows; i++) {
        double level = atm_state_level(data->views[i], seconds);

        busy += data->label[i] / data->rows;
        if (isnan(level))
            continue;
        levels[known] = level / UNIT;
        label[known++] = data->label[i] > 0.5;
    }
    if (known > 0)
        score_calibrate(levels, label, known, &slope, &offset);
    slope = fmax(slope / UNIT, 1e-3); /* 0: latencies say nothing */
    atm_put_number(parameters, "seconds", seconds);
    atm_put_number(parameters, "half", -offset / slope);
    atm_put_number(parameters, "steepness", slope);
    atm_put_number(parameters, "busy", busy);
}

static atm_status latency_fit(const learner_data *data, uint64_t seed, atm_value *parameters)
{
    double *levels = malloc((size_t) (data->rows + 1) * sizeof(*levels));
    int *label = malloc((size_t) (data->rows + 1) * sizeof(*label));
    atm_status status = levels != NULL && label != NULL ? ATM_OK : ATM_NO_MEMORY;

    (void) seed;
    if (status == ATM_OK)
        fit_to(data, levels, label, parameters);
    free(label);
    free(levels);
    return status;
}

const learner learner_latency = {
    .name = "latency", .most = 20000, .cost = 1, .calibrated = true, .fit = latency_fit};
