/* Cost of an operation over bytes, for the fewest and the most ranks. */

#include <math.h>
#include <stdlib.h>

#include "report_operation.h"
#include "svg.h"
#include "common/units.h"

enum { CURVE = 49 };

/* The feature that says how many ranks take part. */
static atm_feature ranks_of(atm_operation operation)
{
    return operation >= ATM_EXCHANGE && operation != ATM_BCAST ? ATM_RECEIVERS : ATM_SENDERS;
}

/* A point with the fewest (sign -1) or the most (1) ranks, and of these the most
 * of everything else. */
static const points_point *outermost(const train_operation *operation, int sign)
{
    atm_feature ranks = ranks_of(operation->operation);
    const points_point *found = operation->points[0];

    for (int i = 1; i < operation->count; i++) {
        const points_point *point = operation->points[i];
        double more = sign * (point->features[ranks] - found->features[ranks]);

        if (more > 0 || (more == 0 && point->features[ATM_SENDERS] > found->features[ATM_SENDERS]))
            found = point;
    }
    return found;
}

typedef struct curve {
    double bytes[CURVE], seconds[CURVE]; /* of the model */
    double *at, *measured;               /* of the points, [count] */
    int count;
    char name[48];
} curve;

static bool same_but_bytes(const points_point *one, const points_point *other)
{
    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        if (i != ATM_BYTES && one->features[i] != other->features[i])
            return false;
    return true;
}

static void trace(const report_data *data, const points_point *like, const atm_surrogate *surrogate,
                  double *room, curve *curve_p)
{
    const train_operation *operation = data->operation;
    double features[ATM_FEATURE_COUNT], min = INFINITY, max = 0;
    atm_feature ranks = ranks_of(operation->operation);

    curve_p->at = room;
    curve_p->measured = room + data->count;
    curve_p->count = 0;
    for (int i = 0; i < data->count; i++)
        if (same_but_bytes(operation->points[i], like)) {
            curve_p->at[curve_p->count] = data->bytes[i];
            curve_p->measured[curve_p->count++] = data->measured[i];
            min = fmin(min, data->bytes[i]);
            max = fmax(max, data->bytes[i]);
        }
    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        features[i] = like->features[i];
    for (int i = 0; i < CURVE; i++) {
        atm_estimate estimate;

        features[ATM_BYTES] = min * pow(max / min, i / (double) (CURVE - 1));
        atm_surrogate_predict(surrogate, features, &estimate);
        curve_p->bytes[i] = features[ATM_BYTES];
        curve_p->seconds[i] = estimate.seconds;
    }
    snprintf(curve_p->name, sizeof(curve_p->name), "%s %s",
             units_number(like->features[ranks]).text,
             ranks == ATM_SENDERS ? "ranks" : "receivers");
    if (operation->operation >= ATM_WRITE_FIRST)
        snprintf(curve_p->name, sizeof(curve_p->name), "%s accessing",
                 units_number(like->features[ranks]).text);
}

static void draw_curves(FILE *out, const curve *curves, int count)
{
    svg_chart chart = {.title = "cost over bytes",
                       .description = "Lines: what the profile predicts for the fewest and the "
                                      "most ranks that were measured. Marks: the measurements.",
                       .x = {.label = "bytes", .unit = SVG_BYTES, .log = true},
                       .y = {.label = "seconds", .unit = SVG_SECONDS, .log = true}};
    svg_entry legend[4];

    for (int i = 0; i < count; i++) {
        svg_include(&chart.x, curves[i].at, curves[i].count);
        svg_include(&chart.y, curves[i].measured, curves[i].count);
        svg_include(&chart.y, curves[i].seconds, CURVE);
        legend[2 * i] = (svg_entry){curves[i].name, SVG_MARK_LINE, 3 * i};
        legend[2 * i + 1] = (svg_entry){"measured", SVG_MARK_POINT, 3 * i};
    }
    page_figure(out);
    svg_begin(out, &chart);
    for (int i = 0; i < count; i++) {
        svg_series line = {
            .colour = 3 * i, .count = CURVE, .x = curves[i].bytes, .y = curves[i].seconds};
        svg_series marks = {
            .colour = 3 * i, .count = curves[i].count, .x = curves[i].at, .y = curves[i].measured};

        svg_line(out, &chart, &line);
        svg_points(out, &chart, &marks);
    }
    svg_legend(out, &chart, legend, 2 * count);
    svg_end(out, &chart);
    page_figure_end(out, "Cost over bytes, as in the profile.");
}

atm_status report_cost(FILE *out, const report_data *data, const atm_profile *profile)
{
    const train_operation *operation = data->operation;
    const atm_surrogate *surrogate = profile->operations[operation->operation];
    const points_point *fewest = outermost(operation, -1), *most = outermost(operation, 1);
    double *room = calloc(4 * (size_t) data->count + 1, sizeof(*room));
    curve curves[2];

    if (room == NULL)
        return ATM_NO_MEMORY;
    trace(data, most, surrogate, room, &curves[0]);
    trace(data, fewest, surrogate, room + 2 * data->count, &curves[1]);
    draw_curves(out, curves, same_but_bytes(fewest, most) ? 1 : 2);
    free(room);
    return ATM_OK;
}
