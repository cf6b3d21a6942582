/* Even: two halves of the writes of all targets. */

#include "even.h"

#include <math.h>
#include <stdlib.h>

#include "common/stats.h"

enum { FEWEST = 2 }; /* samples: one in each half */

/* Medians of ln(seconds), one for each target */
typedef struct halves {
    int count;
    double *all, *half[2];
    double *room;
} halves;

/* Median of a target's writes that met the idle state. */
static double median_of(const state_rows *rows, const state_target *t, size_t from, size_t to,
                        double *room)
{
    const trace_series *series = &t->features.target->series[TRACE_TRUTH];
    size_t at = 0;
    int count = 0;

    for (size_t i = 0; i < series->count && at < to; i++) {
        double x = features_log(&series->samples[i]);

        if (series->samples[i].bytes != rows->bytes)
            continue;
        if (at++ >= from && mixture_busy(&t->mixture, x) <= 0.5)
            room[count++] = x;
    }
    return count > 0 ? stats_median(room, count) : t->mixture.idle.mean;
}

static void look(const state_rows *rows, halves *h)
{
    for (int i = 0; i < rows->target_count; i++) {
        const state_target *t = &rows->targets[i];

        if (t->samples < FEWEST)
            continue;
        h->all[h->count] = median_of(rows, t, 0, t->samples, h->room);
        h->half[0][h->count] = median_of(rows, t, 0, t->samples / 2, h->room);
        h->half[1][h->count++] = median_of(rows, t, t->samples / 2, t->samples, h->room);
    }
}

/* Share of the differences between targets that persists: their covariance in both halves, less its
 * standard error, over the variance of the targets' medians. */
static double share_that_stays(const halves *h)
{
    double mean[2] = {0}, square[2] = {0}, both = 0, apart = 0, n = h->count - 1;

    if (h->count < 2)
        return 0;
    for (int i = 0; i < h->count; i++)
        for (int k = 0; k < 2; k++)
            mean[k] += h->half[k][i] / h->count;
    for (int i = 0; i < h->count; i++) {
        double one = h->half[0][i] - mean[0], other = h->half[1][i] - mean[1];

        square[0] += one * one / n;
        square[1] += other * other / n;
        both += one * other / n;
        apart += (one - other) * (one - other) / n;
    }
    both -= sqrt(square[0] * square[1] / n);
    return both > 0 ? both / (both + apart / 4) : 0;
}

/* --- states */

typedef enum which { ONE, IDLE, BUSY, WHICH } which;

static mixture_state *state_of(state_target *t, which which)
{
    mixture *m = &t->mixture;

    if (which == ONE)
        return &m->one;
    return m->states < 2 ? NULL : which == IDLE ? &m->idle : &m->busy;
}

static void share_deviation(state_rows *rows, which which, double *room)
{
    double common;
    int count = 0;

    for (int i = 0; i < rows->target_count; i++)
        if (rows->targets[i].samples >= FEWEST && state_of(&rows->targets[i], which) != NULL)
            room[count++] = state_of(&rows->targets[i], which)->deviation;
    common = count > 0 ? stats_median(room, count) : 0;
    for (int i = 0; i < rows->target_count && count > 0; i++)
        if (rows->targets[i].samples >= FEWEST && state_of(&rows->targets[i], which) != NULL)
            state_of(&rows->targets[i], which)->deviation = common;
}

/* Evens out the means of a state: tails set them apart from medians, by the same in all targets. */
static void share_mean(state_rows *rows, const halves *h, which which, double *room)
{
    double stays = share_that_stays(h), middle = stats_median(h->all, h->count), common;
    int count = 0, at = 0;

    for (int i = 0; i < rows->target_count; i++) {
        mixture_state *state = state_of(&rows->targets[i], which);

        if (rows->targets[i].samples < FEWEST)
            continue;
        if (state != NULL)
            room[count++] = state->mean - h->all[at];
        at++;
    }
    common = count > 0 ? stats_median(room, count) : 0;
    at = 0;
    for (int i = 0; i < rows->target_count; i++) {
        mixture_state *state = state_of(&rows->targets[i], which);

        if (rows->targets[i].samples < FEWEST)
            continue;
        if (state != NULL)
            state->mean = middle + stays * (h->all[at] - middle) + common;
        at++;
    }
}

/* --- how much slower busy is */

static double distance_of(const mixture *m)
{
    return m->busy.mean - m->idle.mean;
}

/* Distance of busy from idle in each target, drawn to the common one where busy writes are few; to
 * be called before idle is changed. */
static void share_distance(const state_rows *rows, double *distances_p, double *room)
{
    double common;
    int count = 0;

    for (int i = 0; i < rows->target_count; i++)
        if (rows->targets[i].samples >= FEWEST && rows->targets[i].mixture.states == 2)
            room[count++] = distance_of(&rows->targets[i].mixture);
    common = count > 0 ? stats_median(room, count) : 0;
    for (int i = 0; i < rows->target_count; i++) {
        const mixture *m = &rows->targets[i].mixture;
        double writes = m->busy.weight * (double) m->samples;

        distances_p[i] =
            (writes * distance_of(m) + MIXTURE_STATE * common) / (writes + MIXTURE_STATE);
    }
}

static void set_distances(state_rows *rows, const double *distances)
{
    for (int i = 0; i < rows->target_count; i++) {
        mixture *m = &rows->targets[i].mixture;

        if (rows->targets[i].samples < FEWEST || m->states < 2)
            continue;
        m->busy.mean = m->idle.mean + distances[i];
        m->distance = exp(distances[i]);
    }
}

atm_status even_out(state_rows *rows)
{
    size_t count = (size_t) rows->target_count + 1, most = count;
    halves h = {.count = 0};
    double *numbers, *distances;

    for (int i = 0; i < rows->target_count; i++)
        most = rows->targets[i].samples > most ? rows->targets[i].samples : most;
    numbers = malloc((4 * count + most) * sizeof(*numbers));
    if (numbers == NULL)
        return ATM_NO_MEMORY;
    h.all = numbers;
    h.half[0] = numbers + count;
    h.half[1] = numbers + 2 * count;
    distances = numbers + 3 * count;
    h.room = numbers + 4 * count;
    look(rows, &h);
    share_distance(rows, distances, h.room);
    for (int k = 0; k < WHICH; k++)
        share_deviation(rows, (which) k, h.room);
    if (h.count > 0) {
        share_mean(rows, &h, ONE, h.room);
        share_mean(rows, &h, IDLE, h.room);
        set_distances(rows, distances);
    }
    free(numbers);
    return ATM_OK;
}
