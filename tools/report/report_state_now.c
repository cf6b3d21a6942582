/* Storage state: targets over the last hours, as a page. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/stats.h"
#include "report_state.h"
#include "svg.h"

enum { COLUMNS = 48, NAME = 24 };

/* Targets in rows, times in columns. */
typedef struct grid {
    const state_model *model;
    const trace *trace;
    double from, width; /* seconds */
    int rows;
    double *values; /* [rows * COLUMNS] */
    char (*names)[NAME];
    const char **row_names;
    char column_text[COLUMNS][NAME];
    const char *column_names[COLUMNS];
} grid;

static double end_of(const grid *g, int column)
{
    return g->from + (column + 1) * g->width;
}

static void name_columns(grid *g)
{
    bool days = COLUMNS * g->width > 86400;

    for (int i = 0; i < COLUMNS; i++) {
        time_t seconds = (time_t) end_of(g, i);
        struct tm parts;

        if (gmtime_r(&seconds, &parts) == NULL ||
            strftime(g->column_text[i], NAME, days ? "%b %d %H:%M" : "%H:%M", &parts) == 0)
            strcpy(g->column_text[i], "?");
        g->column_names[i] = g->column_text[i];
    }
}

static void grid_clear(grid *g)
{
    free(g->values);
    free(g->names);
    free(g->row_names);
}

/* grid_clear, also after a failure */
static atm_status grid_make(const state_model *model, const trace *trace, double hours, grid *g)
{
    double first, to;

    *g = (grid){.model = model, .trace = trace, .rows = model->count};
    if (!trace_span(trace, &first, &to))
        first = to = 0;
    g->from = fmax(first, to - 3600 * hours);
    g->width = fmax(to - g->from, 1) / COLUMNS;
    g->values = malloc(((size_t) g->rows + 1) * COLUMNS * sizeof(double));
    g->names = malloc(((size_t) g->rows + 1) * sizeof(*g->names));
    g->row_names = malloc(((size_t) g->rows + 1) * sizeof(*g->row_names));
    if (g->values == NULL || g->names == NULL || g->row_names == NULL)
        return ATM_NO_MEMORY;
    for (int i = 0; i < g->rows; i++) {
        snprintf(g->names[i], NAME, "%d", model->targets[i].target);
        g->row_names[i] = g->names[i];
    }
    name_columns(g);
    return ATM_OK;
}

static void draw(FILE *out, const grid *g, const char *title, svg_unit unit, const char *caption)
{
    svg_heat heat = {.title = title,
                     .description = caption,
                     .x_label = "time (UTC)",
                     .y_label = "target",
                     .unit = unit,
                     .rows = g->rows,
                     .columns = COLUMNS,
                     .row_names = g->row_names,
                     .column_names = g->column_names,
                     .values = g->values,
                     .dense = true,
                     .nothing = "empty: not known"};

    page_figure(out);
    svg_heat_map(out, &heat);
    page_figure_end(out, caption);
}

/* --- what was said */

/* False for a target without a prediction, and for one that was not probed lately. */
static bool is_known(const grid *g, const model_target *t, double time)
{
    const trace_target *seen = trace_find(g->trace, t->target);
    const trace_series *probes = seen != NULL ? &seen->series[t->source] : NULL;
    size_t count = probes != NULL ? features_count(probes, time) : 0;

    if (model_classifier(g->model, t) == NULL)
        return false;
    if (probes == NULL || probes->count == 0) /* told by large writes alone */
        return true;
    return count > 0 && probes->samples[count - 1].time > time - FEATURES_RECENT;
}

static void fill_busy(grid *g)
{
    for (int row = 0; row < g->rows; row++)
        for (int i = 0; i < COLUMNS; i++) {
            const model_target *t = &g->model->targets[row];
            double time = end_of(g, i);

            g->values[row * COLUMNS + i] =
                is_known(g, t, time) ? model_busy(g->model, t, g->trace, time) : NAN;
        }
}

/* --- what probes saw */

/* Median latency in each column, relative to what is usual for the target. */
static atm_status fill_latency_of(grid *g, int row)
{
    const model_target *t = &g->model->targets[row];
    const trace_target *seen = trace_find(g->trace, t->target);
    const trace_series *series = seen != NULL ? &seen->series[t->source] : NULL;
    double *room = malloc(((series != NULL ? series->count : 0) + 1) * sizeof(double));
    size_t next = 0;

    if (room == NULL)
        return ATM_NO_MEMORY;
    while (series != NULL && next < series->count && series->samples[next].time < g->from)
        next++;
    for (int i = 0; i < COLUMNS; i++) {
        int count = 0;

        while (series != NULL && next < series->count && series->samples[next].time <= end_of(g, i))
            room[count++] = series->samples[next++].seconds;
        g->values[row * COLUMNS + i] =
            count > 0 ? stats_quantile(room, count, 0.5) / t->typical : NAN;
    }
    free(room);
    return ATM_OK;
}

static atm_status fill_latency(grid *g)
{
    atm_status status = ATM_OK;

    for (int row = 0; row < g->rows && status == ATM_OK; row++)
        status = fill_latency_of(g, row);
    return status;
}

/* --- now */

static void put_cards(FILE *out, const atm_state *state)
{
    int busy = 0, unusable = 0;
    char number[32];

    for (int i = 0; i < state->count; i++) {
        busy += state->targets[i].idle < 0.5;
        unusable += !state->targets[i].usable;
    }
    page_cards(out);
    snprintf(number, sizeof(number), "%d", state->count);
    page_card(out, number, "targets");
    snprintf(number, sizeof(number), "%d", busy);
    page_card(out, number, "more likely busy than idle");
    snprintf(number, sizeof(number), "%d", unusable);
    page_card(out, number, "full, inactive or failing");
    page_cards_end(out);
}

static void put_targets(FILE *out, const state_model *model, const atm_state *state)
{
    static const page_column columns[] = {{"target", true}, {"busy", true},    {"usually", true},
                                          {"a GiB", true},  {"usable", false}, {"told by", false}};

    page_table(out, "How likely each target is busy, and what a GiB takes on average", columns, 6);
    for (int i = 0; i < state->count; i++) {
        const atm_target *t = &state->targets[i];
        const atm_classifier *c = model_classifier(model, &model->targets[i]);

        page_row(out, t->idle < 0.5 || !t->usable);
        page_cell(out, &columns[0], "%d", t->index);
        page_cell(out, &columns[1], "%.1f %%", 100 * (1 - t->idle));
        page_cell(out, &columns[2], "%.1f %%", 100 * (1 - t->usual));
        page_cell(out, &columns[3], "%.3g s", atm_target_seconds(t));
        page_cell(out, &columns[4], "%s", t->usable ? "yes" : "no");
        page_cell(out, &columns[5], "%s", c != NULL ? atm_classifier_kind(c) : "its usual share");
        page_row_end(out);
    }
    page_table_end(out);
}

static atm_status put_maps(FILE *out, grid *g)
{
    atm_status status;

    page_section(out, "hours", "The last hours");
    fill_busy(g);
    draw(out, g, "how likely targets were busy", SVG_SHARE,
         "What was known at each time of how likely each target was busy; dark is busy");
    status = fill_latency(g);
    if (status == ATM_OK)
        draw(out, g, "latencies", SVG_NUMBER,
             "Median latency of small writes, in terms of what is usual for the target; dark is "
             "slow");
    page_section_end(out);
    return status;
}

static atm_status put_page(FILE *out, grid *g, const atm_state *state)
{
    atm_status status;

    page_begin(out, "Storage state", "How busy storage targets are, and were.");
    page_text(out, "%s, %s UTC.", state->path, g->column_names[COLUMNS - 1]);
    put_cards(out, state);
    status = put_maps(out, g);
    page_section(out, "now", "Now");
    put_targets(out, g->model, state);
    page_section_end(out);
    page_end(out, "Made by autotune state show.");
    return status;
}

atm_status report_state_now(const state_model *model, const trace *trace, double hours,
                            const char *path, atm_message *message)
{
    atm_state *state = NULL;
    page *page = NULL;
    grid g;
    atm_status status = grid_make(model, trace, hours, &g);

    if (status == ATM_OK)
        status = say_state(model, trace, end_of(&g, COLUMNS - 1), 0, &state);
    if (status == ATM_OK)
        status = page_open(&page);
    if (status == ATM_OK)
        status = put_page(page->out, &g, state);
    if (status == ATM_OK)
        status = page_save(page, path, message);
    if (page != NULL)
        page_close(page);
    atm_state_destroy(state);
    grid_clear(&g);
    return status;
}
