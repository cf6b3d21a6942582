/* What came of a search, as a page. */

#include "findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/stats.h"
#include "common/units.h"
#include "report/page.h"
#include "report/svg.h"
#include "report/svg_boxes.h"

enum { ROWS = 25 };

static units_text value_text(const ats_report *report, double value)
{
    return report->in_seconds ? units_seconds(value) : units_number(value);
}

static void put_cards(FILE *out, const ats_report *report)
{
    const ats_verdict *v = &report->verdict;
    char text[64];

    page_cards(out);
    if (report->has_winner && v->known) {
        page_card(out, value_text(report, v->default_seconds).text, "by default");
        page_card(out, value_text(report, v->seconds).text,
                  ats_is_faster(v) ? "with the best settings" : "with the fastest other settings");
        snprintf(text, sizeof(text), v->high > 0 ? "x%.2f (%.2f to %.2f)" : "x%.2f", v->speed_up,
                 v->low, v->high);
        page_card(out, text, v->high > 0 ? "speed-up, 95 % interval" : "speed-up, one run of each");
    }
    snprintf(text, sizeof(text), "%d", report->seen->count);
    page_card(out, text, "runs");
    page_cards_end(out);
}

/* --- how it went */

/* Runs that were whole, in their order, and the best so far.  Room for all runs in each. */
typedef struct course {
    int count;
    double *run, *value, *best;
    const ats_measured **of;
} course;

static void course_clear(course *c)
{
    free(c->run);
    free(c->of);
}

static bool course_of(const ats_report *report, course *c)
{
    size_t room = (size_t) report->seen->count + 1;
    double best = INFINITY;

    *c = (course){.run = malloc(3 * room * sizeof(double)), .of = malloc(room * sizeof(*c->of))};
    if (c->run == NULL || c->of == NULL)
        return false;
    c->value = c->run + room;
    c->best = c->value + room;
    for (int i = 0; i < report->seen->count; i++) {
        const ats_measured *m = &report->seen->at[i];

        if (m->outcome.end != ATS_DONE || m->trial.kind != ATS_EXPLORE)
            continue;
        best = fmin(best, m->outcome.value);
        c->run[c->count] = i + 1;
        c->value[c->count] = m->outcome.value;
        c->best[c->count] = best;
        c->of[c->count++] = m;
    }
    return true;
}

typedef struct labels {
    const ats_report *report;
    const course *course;
} labels;

static void put_label(FILE *out, const void *context, int i)
{
    const labels *l = context;
    char text[ATS_TEXT];

    ats_point_text(l->report->space, &l->course->of[i]->trial.point, text);
    page_print(out, "run %.0f: %s, %s", l->course->run[i],
               value_text(l->report, l->course->value[i]).text, text);
}

static void put_convergence(FILE *out, const ats_report *report, const course *c)
{
    svg_unit unit = report->in_seconds ? SVG_SECONDS : SVG_NUMBER;
    svg_chart chart = {.title = "how the search went",
                       .description = "value of each run, and the best so far",
                       .x = {.label = "run"},
                       .y = {.label = report->metric, .unit = unit, .log = true}};
    labels l = {report, c};
    svg_series runs = {.colour = 0,
                       .count = c->count,
                       .x = c->run,
                       .y = c->value,
                       .label = put_label,
                       .context = &l};
    svg_series best = {.colour = 1, .count = c->count, .x = c->run, .y = c->best};
    static const svg_entry entries[] = {{"a run", SVG_MARK_POINT, 0},
                                        {"best so far", SVG_MARK_LINE, 1},
                                        {"default", SVG_MARK_REFERENCE, 0}};
    const ats_verdict *v = &report->verdict;

    svg_include(&chart.x, c->run, c->count);
    svg_include(&chart.y, c->value, c->count);
    page_figure(out);
    svg_begin(out, &chart);
    svg_line(out, &chart, &best);
    svg_points(out, &chart, &runs);
    if (v->known && v->default_seconds >= chart.y.min && v->default_seconds <= chart.y.max)
        svg_reference(out, &chart, chart.x.min, v->default_seconds, chart.x.max,
                      v->default_seconds);
    svg_legend(out, &chart, entries, v->known ? 3 : 2);
    svg_end(out, &chart);
    page_figure_end(out, "Each run of the search and the best so far; failed runs are left out");
}

/* --- which settings */

static void put_table(FILE *out, const ats_report *report)
{
    static const page_column columns[] = {{"rank", true},     {"median", true}, {"from", true},
                                          {"to", true},       {"runs", true},   {"failed", true},
                                          {"settings", false}};

    page_table(out, "Settings by the median of their runs", columns, 7);
    for (int i = 0; i < report->count; i++) {
        const ats_ranked *one = &report->ranked[i];
        bool usual = ats_point_is_default(&one->point);
        char text[ATS_TEXT];

        if (i >= ROWS && !usual)
            continue;
        ats_point_text(report->space, &one->point, text);
        page_row(out,
                 usual || (report->has_winner && ats_point_equal(&one->point, &report->winner)));
        page_cell(out, &columns[0], "%d", i + 1);
        page_cell(out, &columns[1], "%s", value_text(report, one->median).text);
        page_cell(out, &columns[2], "%s", value_text(report, one->low).text);
        page_cell(out, &columns[3], "%s", value_text(report, one->high).text);
        page_cell(out, &columns[4], "%d", one->runs);
        page_cell(out, &columns[5], "%d", one->failures);
        page_cell(out, &columns[6], "%s", text);
        page_row_end(out);
    }
    page_table_end(out);
}

/* --- effects of parameters */

typedef struct effect {
    char text[ATS_NAME];
    int count;
    double *values;
    svg_box box;
} effect;

static void box_of(effect *e)
{
    e->box = (svg_box){.median = NAN};
    if (e->count == 0)
        return;
    e->box = (svg_box){.low = stats_quantile(e->values, e->count, 0),
                       .lower = stats_quantile(e->values, e->count, 0.25),
                       .median = stats_median(e->values, e->count),
                       .upper = stats_quantile(e->values, e->count, 0.75),
                       .high = stats_quantile(e->values, e->count, 1)};
    for (int i = 0; i < e->count; i++)
        e->box.mean += e->values[i] / e->count;
}

/* Values of runs with each choice; values: room for one more than runs. */
static void effect_of(const course *c, int parameter, int choice, double *values, effect *e)
{
    e->values = values;
    e->count = 0;
    for (int i = 0; i < c->count; i++)
        if (c->of[i]->trial.point.choice[parameter] == choice)
            values[e->count++] = c->value[i];
    box_of(e);
}

static void put_effect_table(FILE *out, const ats_report *report, const char *name,
                             const effect *effects, int count)
{
    static const page_column columns[] = {
        {"value", false}, {"runs", true}, {"best", true}, {"median", true}};

    page_table(out, name, columns, 4);
    for (int i = 0; i < count; i++) {
        page_row(out, false);
        page_cell(out, &columns[0], "%s", effects[i].text);
        page_cell(out, &columns[1], "%d", effects[i].count);
        page_cell(out, &columns[2], "%s",
                  effects[i].count > 0 ? value_text(report, effects[i].box.low).text : "-");
        page_cell(out, &columns[3], "%s",
                  effects[i].count > 0 ? value_text(report, effects[i].box.median).text : "-");
        page_row_end(out);
    }
    page_table_end(out);
}

static atm_status put_effect(FILE *out, const ats_report *report, const course *c, int index)
{
    const ats_parameter *parameter = &report->space->parameters[index];
    int first = 0, count = parameter->count + 1; /* the default leaves it alone */
    effect *effects = calloc((size_t) count, sizeof(*effects));
    svg_box *boxes = calloc((size_t) count, sizeof(*boxes));
    const char **names = calloc((size_t) count, sizeof(*names));
    double *values = malloc(((size_t) c->count + 1) * sizeof(*values));
    bool made = effects != NULL && boxes != NULL && names != NULL && values != NULL;

    for (int i = 0; made && i < count; i++) {
        ats_choice_text(parameter, first + i, sizeof(effects[i].text), effects[i].text);
        effect_of(c, index, first + i, values, &effects[i]);
        boxes[i] = effects[i].box;
        names[i] = effects[i].text;
    }
    if (made) {
        svg_names chart = {.title = parameter->name,
                           .description = "how values of runs spread by this parameter",
                           .x_label = parameter->name,
                           .y_label = report->metric,
                           .names = names,
                           .count = count,
                           .reference = report->verdict.default_seconds};

        page_figure(out);
        svg_boxes(out, &chart, boxes);
        page_figure_end(out, parameter->name);
        page_details(out, "as a table");
        put_effect_table(out, report, parameter->name, effects, count);
        page_details_end(out);
    }
    free(effects);
    free(boxes);
    free(names);
    free(values);
    return made ? ATM_OK : ATM_NO_MEMORY;
}

static atm_status put_effects(FILE *out, const ats_report *report, const course *c)
{
    atm_status status = ATM_OK;

    page_section(out, "effects", "What each parameter did");
    page_note(out, "Values of the runs that had a parameter at a value, whatever the others were; "
                   "\"-\" is left alone. The search tries promising settings more often, so boxes "
                   "of few runs tell little.");
    page_figures(out);
    for (int i = 0; i < report->space->count && status == ATM_OK; i++)
        if (ats_choices(&report->space->parameters[i]) > 1)
            status = put_effect(out, report, c, i);
    page_figures_end(out);
    page_section_end(out);
    return status;
}

/* --- failures */

static void put_failures(FILE *out, const ats_report *report)
{
    static const page_column columns[] = {{"run", true}, {"settings", false}, {"why", false}};
    int failures = 0;

    for (int i = 0; i < report->seen->count; i++)
        failures += report->seen->at[i].outcome.end != ATS_DONE;
    if (failures == 0)
        return;
    page_section(out, "failures", "Runs that failed or were stopped");
    page_table(out, "Runs that failed or were stopped", columns, 3);
    for (int i = 0; i < report->seen->count; i++) {
        const ats_measured *m = &report->seen->at[i];
        char text[ATS_TEXT];

        if (m->outcome.end == ATS_DONE)
            continue;
        ats_point_text(report->space, &m->trial.point, text);
        page_row(out, false);
        page_cell(out, &columns[0], "%d", i + 1);
        page_cell(out, &columns[1], "%s", text);
        page_cell(out, &columns[2], "%s", m->outcome.why);
        page_row_end(out);
    }
    page_table_end(out);
    page_section_end(out);
}

static atm_status put_page(FILE *out, const ats_report *report, const course *c)
{
    atm_status status;

    page_begin(out, "Search", "Which settings made a program fastest, and how they were found.");
    page_text(out, "%s", report->command);
    put_cards(out, report);
    page_section(out, "course", "How it went");
    page_text(out, "Strategy %s; smaller is better (%s).", report->strategy, report->metric);
    if (c->count > 0)
        put_convergence(out, report, c);
    put_table(out, report);
    page_section_end(out);
    status = put_effects(out, report, c);
    put_failures(out, report);
    page_end(out, "Made by autotune search.");
    return status;
}

atm_status ats_report_page(const ats_report *report, const char *path, atm_message *message)
{
    page *page = NULL;
    course c;
    atm_status status = course_of(report, &c) ? page_open(&page) : ATM_NO_MEMORY;

    if (status == ATM_OK)
        status = put_page(page->out, report, &c);
    if (status == ATM_OK)
        status = page_save(page, path, message);
    if (page != NULL)
        page_close(page);
    course_clear(&c);
    return status;
}
