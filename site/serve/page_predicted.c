/* Predicted against measured times, week by week. */

#include <math.h>
#include <stdlib.h>

#include "common/units.h"
#include "html.h"
#include "report/svg.h"

enum { MOST = 100000, DRAWN = 2000, WEEK = 7 * 86400, WEEKS = 520 };

typedef struct run {
    double started, measured, predicted;
    bool write;
} run;

typedef struct runs {
    run *at;
    size_t count, room;
} runs;

/* --- from the history, the latest first */

static ath_status keep(const ath_cell *cells, int count, void *context)
{
    runs *r = context;

    (void) count;
    if (r->count == r->room) {
        size_t room = r->room > 0 ? 2 * r->room : 1024;
        run *at = realloc(r->at, room * sizeof(*at));

        if (at == NULL)
            return ATH_NO_MEMORY;
        r->at = at;
        r->room = room;
    }
    r->at[r->count++] = (run){cell_number(&cells[0]), cell_number(&cells[2]),
                              cell_number(&cells[3]), cell_integer(&cells[1]) != 0};
    return ATH_OK;
}

static ath_status read_runs(serve_visit *visit, runs *r)
{
    ath_cell cells[16];
    int count = visit_cells(visit,
                            (const asked[]){ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_PROGRAM,
                                            ASKED_OPERATION, ASKED_FILE, ASKED_END},
                            cells);

    return visit_query(
        visit,
        "SELECT r.started, t.writes, t.seconds, t.predicted FROM trial t JOIN record r ON r.id = "
        "t.record JOIN file f ON f.id = r.file WHERE t.predicted > 0 AND t.seconds > 0 AND "
        "r.started >= $1 AND r.started < $2 AND ($3 = '' OR r.username = $3) AND "
        "($4 = '' OR r.program = $4) AND ($5 = '' OR t.writes = CASE WHEN $5 = 'write' THEN 1 ELSE "
        "0 END) AND ($6 = '' OR lower(f.path) LIKE lower($6) ESCAPE '!') ORDER BY r.started DESC "
        "LIMIT 100000",
        cells, count, keep, r);
}

/* --- weeks, which begin on Mondays (1970 began on a Thursday) */

typedef struct week {
    double begin; /* seconds since 1970 */
    bool write;
    int runs, near;           /* near: measured is within a quarter of predicted */
    double low, middle, high; /* quartiles of measured over predicted */
} week;

static double week_of(double time)
{
    return floor((time + 3 * 86400) / WEEK) * WEEK - 3 * 86400;
}

static int by_value(const void *a, const void *b)
{
    const double *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

static double quantile(const double *sorted, int count, double share)
{
    double at = share * (count - 1);
    int below = (int) at;

    return below + 1 < count ? sorted[below] + (at - below) * (sorted[below + 1] - sorted[below])
                             : sorted[below];
}

/* Runs from first on that are of the same week; of one direction, as ratios. */
static week week_from(const runs *r, size_t first, bool write, double *ratios, size_t *end_p)
{
    week w = {.begin = week_of(r->at[first].started), .write = write};
    size_t i;

    for (i = first; i < r->count && week_of(r->at[i].started) == w.begin; i++) {
        double ratio = r->at[i].measured / r->at[i].predicted;

        if (r->at[i].write != write)
            continue;
        ratios[w.runs++] = ratio;
        w.near += ratio >= 0.8 && ratio <= 1.25;
    }
    *end_p = i;
    if (w.runs == 0)
        return w;
    qsort(ratios, (size_t) w.runs, sizeof(double), by_value);
    w.low = quantile(ratios, w.runs, 0.25);
    w.middle = quantile(ratios, w.runs, 0.5);
    w.high = quantile(ratios, w.runs, 0.75);
    return w;
}

/* At most WEEKS of each direction; returns how many. */
static int weeks_of(const runs *r, double *ratios, week *weeks_p)
{
    int count = 0;

    for (size_t first = 0; first < r->count && count + 2 <= 2 * WEEKS;) {
        size_t end = first;

        for (int write = 0; write < 2; write++) {
            week w = week_from(r, first, write != 0, ratios, &end);

            if (w.runs > 0)
                weeks_p[count++] = w;
        }
        first = end;
    }
    return count;
}

/* --- charts */

static void draw_weeks(FILE *out, const week *weeks, int count)
{
    svg_chart chart = {.title = "measured over predicted time, by week",
                       .description = "Medians by week as lines, quartiles as strokes, for reads "
                                      "and writes.",
                       .x = {.label = "weeks before the last"},
                       .y = {.label = "measured over predicted"}};
    static const svg_entry legend[] = {{"reads", SVG_MARK_LINE, 0}, {"writes", SVG_MARK_LINE, 1}};
    double x[2][WEEKS], middle[2][WEEKS], low[2][WEEKS], high[2][WEEKS], one = 1;
    int counts[2] = {0, 0};

    svg_include(&chart.y, &one, 1);
    for (int i = 0; i < count; i++) {
        int k = weeks[i].write, at = counts[k]++;

        x[k][at] = (weeks[i].begin - weeks[0].begin) / WEEK;
        middle[k][at] = weeks[i].middle;
        low[k][at] = weeks[i].low;
        high[k][at] = weeks[i].high;
    }
    for (int k = 0; k < 2; k++) {
        svg_include(&chart.x, x[k], counts[k]);
        svg_include(&chart.y, low[k], counts[k]);
        svg_include(&chart.y, high[k], counts[k]);
    }
    page_figure(out);
    svg_begin(out, &chart);
    svg_reference(out, &chart, chart.x.min, 1, chart.x.max, 1);
    for (int k = 0; k < 2; k++) {
        svg_spans(out, &chart,
                  &(svg_series){.colour = k, .count = counts[k], .x = x[k], .y = low[k]}, high[k]);
        svg_points(out, &chart,
                   &(svg_series){.colour = k, .count = counts[k], .x = x[k], .y = middle[k]});
        svg_line(out, &chart,
                 &(svg_series){.colour = k, .count = counts[k], .x = x[k], .y = middle[k]});
    }
    svg_legend(out, &chart, legend, 2);
    svg_end(out, &chart);
    page_figure_end(
        out,
        "Measured over predicted time: medians and quartiles of each week; dashed: as predicted");
}

static void draw_runs(FILE *out, const runs *r)
{
    svg_chart chart = {.title = "measured against predicted time",
                       .description = "A point for each run, for reads and writes.",
                       .x = {.label = "predicted", .unit = SVG_SECONDS, .log = true},
                       .y = {.label = "measured", .unit = SVG_SECONDS, .log = true}};
    static const svg_entry legend[] = {{"reads", SVG_MARK_POINT, 0}, {"writes", SVG_MARK_POINT, 1}};
    double x[2][DRAWN], y[2][DRAWN];
    int counts[2] = {0, 0};

    for (size_t i = 0; i < r->count && i < DRAWN; i++) {
        int k = r->at[i].write, at = counts[k]++;

        x[k][at] = r->at[i].predicted;
        y[k][at] = r->at[i].measured;
    }
    for (int k = 0; k < 2; k++) {
        svg_include(&chart.x, x[k], counts[k]);
        svg_include(&chart.y, y[k], counts[k]);
    }
    page_figure(out);
    svg_begin(out, &chart);
    svg_reference(out, &chart, fmax(chart.x.min, chart.y.min), fmax(chart.x.min, chart.y.min),
                  fmin(chart.x.max, chart.y.max), fmin(chart.x.max, chart.y.max));
    for (int k = 0; k < 2; k++)
        svg_points(out, &chart,
                   &(svg_series){.colour = k, .count = counts[k], .x = x[k], .y = y[k]});
    svg_legend(out, &chart, legend, 2);
    svg_end(out, &chart);
    page_figure_end(
        out, r->count > DRAWN
                 ? "Measured against predicted time: the latest 2000 runs; dashed: as predicted"
                 : "All runs; dashed: as predicted");
}

/* --- the page */

static void put_weeks(FILE *out, const week *weeks, int count)
{
    static const page_column columns[] = {
        {"week from", false},      {"operation", false}, {"runs", true},
        {"lower quartile", true},  {"median", true},     {"upper quartile", true},
        {"within a quarter", true}};
    char room[HTML_TEXT];

    page_table(out, "Measured over predicted time", columns, 7);
    for (int i = 0; i < count; i++) {
        page_row(out, false);
        page_cell(out, &columns[0], "%.10s", html_time(weeks[i].begin, room));
        page_cell(out, &columns[1], "%s", weeks[i].write ? "write" : "read");
        page_cell(out, &columns[2], "%d", weeks[i].runs);
        page_cell(out, &columns[3], "%.3g", weeks[i].low);
        page_cell(out, &columns[4], "%.3g", weeks[i].middle);
        page_cell(out, &columns[5], "%.3g", weeks[i].high);
        page_cell(out, &columns[6], "%s", units_share((double) weeks[i].near / weeks[i].runs).text);
        page_row_end(out);
    }
    page_table_end(out);
}

static void put_all(FILE *out, const runs *r, const week *weeks, int count)
{
    if (r->count == MOST)
        page_warning(out, "There are more: these are the latest %d.", MOST);
    if (count == 0) {
        page_text(out, "There are no trials with a prediction.");
        return;
    }
    page_figures(out);
    draw_weeks(out, weeks, count);
    draw_runs(out, r);
    page_figures_end(out);
    put_weeks(out, weeks, count);
}

static serve_status write_predicted(serve_visit *visit)
{
    runs r = {NULL, 0, 0};
    ath_status status = read_runs(visit, &r);
    double *ratios = calloc(r.count + 1, sizeof(double));
    week *weeks = calloc(2 * WEEKS, sizeof(*weeks));

    if (status == ATH_OK && (ratios == NULL || weeks == NULL))
        status = ATH_NO_MEMORY;
    if (status == ATH_OK) {
        html_begin(visit, "Predicted and measured",
                   "How well the model predicted what calls took, over weeks. Above 1: slower.");
        html_form(visit);
        put_all(visit->out, &r, weeks, weeks_of(&r, ratios, weeks));
    }
    free(ratios);
    free(weeks);
    free(r.at);
    return serve_status_of(status);
}

const serve_page page_predicted = {.path = "/predicted",
                                   .name = "predicted",
                                   .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER,
                                                  ASKED_PROGRAM, ASKED_OPERATION, ASKED_FILE},
                                   .write = write_predicted};
