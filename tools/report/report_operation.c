/* One operation of a training report. */

#include <math.h>
#include <stdlib.h>

#include "report_operation.h"
#include "svg.h"
#include "common/units.h"

static atm_status data_of(const train_operation *operation, report_data *data_p)
{
    size_t count = (size_t) operation->count;
    report_data data = {.count = operation->count, .operation = operation};

    data.measured = calloc(3 * count + 1, sizeof(double));
    if (data.measured == NULL)
        return ATM_NO_MEMORY;
    data.bytes = data.measured + count;
    data.ratio = data.bytes + count;
    for (int i = 0; i < operation->count; i++) {
        data.measured[i] = operation->points[i]->seconds;
        data.bytes[i] = operation->points[i]->features[ATM_BYTES];
        data.ratio[i] = operation->predicted[i] / data.measured[i];
    }
    *data_p = data;
    return ATM_OK;
}

/* "bytes 4 KiB, senders 8: measured 21 us, predicted 23 us" */
static void label_point(FILE *out, const void *context, int i)
{
    const train_operation *operation = context;
    const points_point *point = operation->points[i];

    for (int k = 0; k < operation->feature_count; k++) {
        atm_feature feature = operation->features[k];
        double value = point->features[feature];

        page_print(out, "%s %s, ", atm_feature_name(feature),
                   feature == ATM_BYTES ? units_bytes(value).text : units_number(value).text);
    }
    page_print(out, "measured %s, predicted %s", units_seconds(point->seconds).text,
               units_seconds(operation->predicted[i]).text);
}

/* --- charts */

static void draw_agreement(FILE *out, const report_data *data)
{
    const train_operation *operation = data->operation;
    svg_chart chart = {.title = "measured against predicted",
                       .description = "One mark for each point: measured seconds to the right, "
                                      "seconds predicted by a model that had not seen it upwards. "
                                      "On the dashed line both agree.",
                       .x = {.label = "measured", .unit = SVG_SECONDS, .log = true},
                       .y = {.label = "predicted", .unit = SVG_SECONDS, .log = true}};
    svg_series series = {.count = data->count,
                         .x = data->measured,
                         .y = operation->predicted,
                         .label = label_point,
                         .context = operation};
    svg_entry legend[] = {{"a point, out of fold", SVG_MARK_POINT, 0},
                          {"agreement", SVG_MARK_REFERENCE, 0}};

    svg_include(&chart.x, data->measured, data->count);
    svg_include(&chart.x, operation->predicted, data->count);
    chart.y.min = chart.x.min;
    chart.y.max = chart.x.max;
    chart.y.used = chart.x.used;
    page_figure(out);
    svg_begin(out, &chart);
    svg_reference(out, &chart, chart.x.min, chart.x.min, chart.x.max, chart.x.max);
    svg_points(out, &chart, &series);
    svg_legend(out, &chart, legend, 2);
    svg_end(out, &chart);
    page_figure_end(out, "Measured against predicted.");
}

static void draw_residuals(FILE *out, const report_data *data)
{
    static const double around[] = {0.5, 2};
    svg_chart chart = {.title = "residuals",
                       .description = "Predicted divided by measured seconds of each point, over "
                                      "bytes. On the dashed line both agree; marks that lean to "
                                      "one side for some sizes show what the model misses.",
                       .x = {.label = "bytes", .unit = SVG_BYTES, .log = true},
                       .y = {.label = "predicted / measured", .log = true, .base = 2}};
    svg_series series = {.colour = 1,
                         .count = data->count,
                         .x = data->bytes,
                         .y = data->ratio,
                         .label = label_point,
                         .context = data->operation};
    svg_entry legend[] = {{"a point, out of fold", SVG_MARK_POINT, 1},
                          {"agreement", SVG_MARK_REFERENCE, 0}};

    svg_include(&chart.x, data->bytes, data->count);
    svg_include(&chart.y, data->ratio, data->count);
    svg_include(&chart.y, around, 2);
    page_figure(out);
    svg_begin(out, &chart);
    svg_reference(out, &chart, chart.x.min, 1, chart.x.max, 1);
    svg_points(out, &chart, &series);
    svg_legend(out, &chart, legend, 2);
    svg_end(out, &chart);
    page_figure_end(out, "Residuals over bytes.");
}

static void draw_lessons(FILE *out, const train_operation *operation)
{
    double points[TRAIN_LESSONS], error[TRAIN_LESSONS], floor_of = 0, none = 0;
    svg_chart chart = {.title = "learning curve",
                       .description = "Relative error of the chosen model when it is trained with "
                                      "fewer points. A curve that still falls at its end says that "
                                      "more points would help; the dashed line is what noise "
                                      "leaves.",
                       .x = {.label = "points it learned from"},
                       .y = {.label = "relative error", .unit = SVG_SHARE}};
    svg_series series = {.colour = 2, .count = TRAIN_LESSONS, .x = points, .y = error};
    svg_entry legend[] = {{"relative error", SVG_MARK_LINE, 2}, {"noise", SVG_MARK_REFERENCE, 0}};

    for (int i = 0; i < TRAIN_LESSONS; i++) {
        points[i] = operation->lessons[i].points;
        error[i] = report_relative(operation->lessons[i].score.log_rmse);
    }
    if (operation->repeatable_known)
        floor_of = report_relative(operation->ceiling.log_rmse);
    svg_include(&chart.x, points, TRAIN_LESSONS);
    svg_include(&chart.x, &none, 1);
    svg_include(&chart.y, error, TRAIN_LESSONS);
    svg_include(&chart.y, &floor_of, 1);
    svg_include(&chart.y, &none, 1);
    page_figure(out);
    svg_begin(out, &chart);
    if (operation->repeatable_known)
        svg_reference(out, &chart, chart.x.min, floor_of, chart.x.max, floor_of);
    svg_line(out, &chart, &series);
    svg_points(out, &chart, &series);
    svg_legend(out, &chart, legend, operation->repeatable_known ? 2 : 1);
    svg_end(out, &chart);
    page_figure_end(out, "Learning curve.");
}

/* --- tables */

/* Better ones first. */
static int compare_candidates(const void *a, const void *b)
{
    const train_candidate *one = *(const train_candidate *const *) a;
    const train_candidate *other = *(const train_candidate *const *) b;

    if (one->finished != other->finished)
        return one->finished ? -1 : 1;
    return one->error < other->error ? -1 : one->error > other->error;
}

enum { BEST = 12 };

static atm_status put_candidates(FILE *out, const train_operation *operation)
{
    static const page_column columns[] = {
        {"algorithm", false},     {"settings", false}, {"preprocessing", false}, {"error", true},
        {"standard error", true}, {"R\u00b2", true},   {"R\u00b2 of ln", true},  {"", false}};
    size_t count = (size_t) operation->candidate_count;
    const train_candidate **sorted = calloc(count + 1, sizeof(*sorted));
    char summary[96];

    if (sorted == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &operation->candidates[i];
    qsort(sorted, count, sizeof(*sorted), compare_candidates);
    snprintf(summary, sizeof(summary), "The best of %zu candidates", count);
    page_details(out, summary);
    page_table(out,
               "Out-of-fold errors; the simplest within one standard error of the best is "
               "chosen",
               columns, 8);
    for (size_t i = 0; i < count; i++) {
        const train_candidate *candidate = sorted[i];
        bool chosen = candidate == &operation->candidates[operation->chosen];

        if (i >= BEST && !chosen)
            continue;
        page_row(out, chosen);
        page_cell(out, &columns[0], "%s", candidate->algorithm);
        page_cell(out, &columns[1], "%s", candidate->settings);
        page_cell(out, &columns[2], "%s", candidate->preprocessing);
        page_cell(out, &columns[3], "%.3g", candidate->error);
        page_cell(out, &columns[4], "%.2g", candidate->standard_error);
        page_cell(out, &columns[5], "%.3f", candidate->score.r2);
        page_cell(out, &columns[6], "%.3f", candidate->score.log_r2);
        page_cell(out, &columns[7], "%s%s", chosen ? "chosen" : "",
                  candidate->finished ? "" : "given up");
        page_row_end(out);
    }
    page_table_end(out);
    page_details_end(out);
    free(sorted);
    return ATM_OK;
}

static void put_points(FILE *out, const train_operation *operation)
{
    static const page_column number = {"", true};
    page_column columns[ATM_FEATURE_COUNT + 5];
    int count = 0;

    for (int i = 0; i < operation->feature_count; i++)
        columns[count++] = (page_column){atm_feature_name(operation->features[i]), true};
    columns[count++] = (page_column){"measured", true};
    columns[count++] = (page_column){"spread", true};
    columns[count++] = (page_column){"predicted", true};
    columns[count++] = (page_column){"ratio", true};
    columns[count++] = (page_column){"fold", true};
    page_details(out, "All points");
    page_table(out, "Measured, and predicted when the point was held out", columns, count);
    for (int i = 0; i < operation->count; i++) {
        const points_point *point = operation->points[i];

        page_row(out, false);
        for (int k = 0; k < operation->feature_count; k++)
            page_cell(out, &number, "%.10g", point->features[operation->features[k]]);
        page_cell(out, &number, "%s", units_seconds(point->seconds).text);
        page_cell(out, &number, "%s", units_share(point->spread).text);
        page_cell(out, &number, "%s", units_seconds(operation->predicted[i]).text);
        page_cell(out, &number, "%.3g", operation->predicted[i] / point->seconds);
        page_cell(out, &number, "%d", operation->fold[i]);
        page_row_end(out);
    }
    page_table_end(out);
    page_details_end(out);
}

/* --- together */

static void put_words(FILE *out, const train_operation *operation)
{
    const train_candidate *chosen = &operation->candidates[operation->chosen];

    page_heading(out, "%s", atm_operation_name(operation->operation));
    page_text(out,
              "%s%s%s%s, %d points. Preprocessing: %s. Relative error %s, R\u00b2 %s (of ln %s).",
              chosen->algorithm, chosen->settings[0] != '\0' ? " (" : "", chosen->settings,
              chosen->settings[0] != '\0' ? ")" : "", operation->count,
              chosen->preprocessing[0] != '\0' ? chosen->preprocessing : "none",
              units_share(report_relative(chosen->score.log_rmse)).text,
              units_number(chosen->score.r2).text, units_number(chosen->score.log_r2).text);
    for (int i = 0; i < operation->note_count; i++)
        page_note(out, "%s", operation->notes[i]);
}

atm_status report_operation(FILE *out, const train_operation *operation, const atm_profile *profile)
{
    report_data data;
    atm_status status = data_of(operation, &data);

    if (status != ATM_OK)
        return status;
    put_words(out, operation);
    page_figures(out);
    draw_agreement(out, &data);
    draw_residuals(out, &data);
    draw_lessons(out, operation);
    status = report_cost(out, &data, profile);
    page_figures_end(out);
    if (status == ATM_OK)
        status = put_candidates(out, operation);
    put_points(out, operation);
    free(data.measured);
    return status;
}
