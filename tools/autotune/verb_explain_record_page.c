/* One record as a section of a page: totals, charts, decisions, calls. */

#include "verb_explain_record.h"

#include <math.h>
#include <stdlib.h>

#include "value/words.h"
#include "common/outcome.h"
#include "report/svg.h"
#include "common/units.h"

enum { COLUMNS = 7 }; /* of the decisions */

/* What the charts draw: one value for each call on the timeline. */
typedef struct series {
    const atm_record *record;
    double at[ATM_RECORD_CALLS];
    double communication[ATM_RECORD_CALLS], storage[ATM_RECORD_CALLS];
    /* predicted by the decision in effect; NaN: not */
    double predicted_communication[ATM_RECORD_CALLS], predicted_storage[ATM_RECORD_CALLS];
} series;

static void fill(const atm_record *record, series *series)
{
    series->record = record;
    for (int i = 0; i < record->call_count; i++) {
        const atm_record_call *call = &record->calls[i];
        int index = outcome_decision(record, call);
        outcome_parts predicted = {NAN, NAN, NAN};

        if (index >= 0 && record->decisions[index].write == call->write)
            outcome_predicted(&record->decisions[index], &predicted);
        series->at[i] = call->at;
        series->communication[i] = outcome_communication(call);
        series->storage[i] = call->storage_seconds;
        series->predicted_communication[i] = predicted.communication;
        series->predicted_storage[i] = predicted.storage;
    }
}

static void label_call(FILE *out, const void *context, int i)
{
    const series *series = context;
    const atm_record_call *call = &series->record->calls[i];

    fprintf(out, "%s, call %llu at %s: storage %s, communication %s",
            call->write ? "write" : "read", (unsigned long long) call->call,
            units_seconds(call->at).text, units_seconds(series->storage[i]).text,
            units_seconds(series->communication[i]).text);
}

static svg_series points(const series *series, int colour, const double *x, const double *y)
{
    return (svg_series){.colour = colour,
                        .count = series->record->call_count,
                        .x = x,
                        .y = y,
                        .label = label_call,
                        .context = series};
}

/* Whether a call has a point with both values above 0. */
static bool any(const series *series, const double *x, const double *y)
{
    for (int i = 0; i < series->record->call_count; i++)
        if (x[i] > 0 && y[i] > 0)
            return true;
    return false;
}

/* Both axes hold the same, so that what is equal is on the diagonal. */
static void include_parts(svg_axis *axis, const series *series)
{
    const int count = series->record->call_count;

    svg_include(axis, series->predicted_communication, count);
    svg_include(axis, series->communication, count);
    svg_include(axis, series->predicted_storage, count);
    svg_include(axis, series->storage, count);
}

static void draw_parts(FILE *out, const series *series)
{
    svg_chart chart = {.title = "Predicted against measured parts",
                       .description = "A point for each collective call and part. Points above the "
                                      "line took longer than predicted.",
                       .x = {.label = "predicted", .unit = SVG_SECONDS, .log = true},
                       .y = {.label = "measured", .unit = SVG_SECONDS, .log = true},
                       .square = true};
    static const svg_entry legend[] = {{"communication", SVG_MARK_POINT, 0},
                                       {"storage", SVG_MARK_POINT, 1},
                                       {"equal", SVG_MARK_REFERENCE, 0}};
    svg_series communication =
        points(series, 0, series->predicted_communication, series->communication);
    svg_series storage = points(series, 1, series->predicted_storage, series->storage);

    if (!any(series, communication.x, communication.y) && !any(series, storage.x, storage.y))
        return;
    include_parts(&chart.x, series);
    include_parts(&chart.y, series);
    page_figure(out);
    svg_begin(out, &chart);
    svg_reference(out, &chart, chart.x.min, chart.y.min, chart.x.max, chart.y.max);
    svg_points(out, &chart, &communication);
    svg_points(out, &chart, &storage);
    svg_legend(out, &chart, legend, 3);
    svg_end(out, &chart);
    page_figure_end(out, "Each collective call: time by the model at the decision in effect, and "
                         "as measured on the slowest rank.");
}

/* Dashed where a decision took effect. */
static void draw_decisions(FILE *out, const svg_chart *chart, const series *series)
{
    outcome outcomes[OUTCOMES];
    int count = outcomes_of(series->record, outcomes);

    for (int i = 0; i < count; i++)
        if (outcomes[i].decision != NULL && outcomes[i].calls > 0)
            svg_reference(out, chart, outcomes[i].first_at, chart->y.min, outcomes[i].first_at,
                          chart->y.max);
}

static void draw_timeline(FILE *out, const series *series)
{
    static const double zero = 0;
    svg_chart chart = {.title = "Timeline of collective calls",
                       .description = "Communication and storage time of each collective call by "
                                      "the time it began; decisions are dashed lines.",
                       .x = {.label = "since open", .unit = SVG_SECONDS},
                       .y = {.label = "time of the call", .unit = SVG_SECONDS}};
    static const svg_entry legend[] = {{"communication", SVG_MARK_POINT, 0},
                                       {"storage", SVG_MARK_POINT, 1},
                                       {"decision", SVG_MARK_REFERENCE, 0}};
    const int count = series->record->call_count;
    svg_series communication = points(series, 0, series->at, series->communication);
    svg_series storage = points(series, 1, series->at, series->storage);

    svg_include(&chart.x, &zero, 1);
    svg_include(&chart.x, series->at, count);
    svg_include(&chart.x, &series->record->seconds, 1);
    svg_include(&chart.y, &zero, 1);
    svg_include(&chart.y, series->communication, count);
    svg_include(&chart.y, series->storage, count);
    page_figure(out);
    svg_begin(out, &chart);
    draw_decisions(out, &chart, series);
    svg_points(out, &chart, &communication);
    svg_points(out, &chart, &storage);
    svg_legend(out, &chart, legend, 3);
    svg_end(out, &chart);
    page_figure_end(out, "Collective calls while the file was open. A dashed line is the first "
                         "call of a decision.");
}

static void draw_charts(FILE *out, const atm_record *record)
{
    series *series = calloc(1, sizeof(*series));

    if (series == NULL || record->call_count == 0) {
        free(series);
        return;
    }
    fill(record, series);
    page_figures(out);
    draw_parts(out, series);
    draw_timeline(out, series);
    page_figures_end(out);
    free(series);
}

static void put_direction(FILE *out, const char *what, const atm_record_counters *counters)
{
    char meaning[96];

    if (counters->calls == 0 || counters->seconds == 0)
        return;
    snprintf(meaning, sizeof(meaning), "%s, in collective calls: %s in %s", what,
             units_bytes((double) counters->bytes).text, units_seconds(counters->seconds).text);
    page_card(out, units_rate((double) counters->bytes / counters->seconds).text, meaning);
    snprintf(meaning, sizeof(meaning), "of %s is storage, the rest communication", what);
    page_card(out, units_share(counters->storage_seconds / counters->seconds).text, meaning);
}

static void put_cards(FILE *out, const atm_record *record)
{
    page_cards(out);
    page_card(out, record->decision_count > 0 ? "decided" : "not decided", record->status);
    put_direction(out, "writing", &record->write);
    put_direction(out, "reading", &record->read);
    page_cards_end(out);
}

static void put_pair(FILE *out, const page_column *column, const outcome *outcome, double predicted,
                     double measured)
{
    page_cell(out, column, "%s / %s", outcome->has_prediction ? units_seconds(predicted).text : "-",
              outcome->calls > 0 ? units_seconds(measured).text : "-");
}

static void put_outcome(FILE *out, const page_column *columns, const atm_record *record,
                        const outcome *outcome)
{
    const atm_record_decision *decision = outcome->decision;
    char what[OUTCOME_WHAT];

    outcome_what(record, outcome, what);
    page_row_above(out);
    if (decision == NULL)
        page_cell(out, &columns[0], "-");
    else if (decision->call == 0)
        page_cell(out, &columns[0], "open");
    else
        page_cell(out, &columns[0], "%llu", (unsigned long long) decision->call);
    page_cell(out, &columns[1], "%s", outcome->write ? "write" : "read");
    page_cell(out, &columns[2], "%s", what);
    page_cell(out, &columns[3], "%llu", (unsigned long long) outcome->calls);
    put_pair(out, &columns[4], outcome, outcome->predicted.seconds, outcome->measured.seconds);
    put_pair(out, &columns[5], outcome, outcome->predicted.communication,
             outcome->measured.communication);
    put_pair(out, &columns[6], outcome, outcome->predicted.storage, outcome->measured.storage);
    page_row_end(out);
    page_row(out, false);
    page_cell_wide(out, COLUMNS, "%s", decision != NULL ? decision->reason.text : "");
    page_row_end(out);
}

static void put_decisions(FILE *out, const atm_record *record)
{
    static const page_column columns[COLUMNS] = {
        {"before call", false}, {"what", false},         {"aggr. x buffer", false}, {"calls", true},
        {"time", true},         {"communication", true}, {"storage", true}};
    outcome outcomes[OUTCOMES];
    int count = outcomes_of(record, outcomes);

    if (count == 0)
        return;
    page_table(out,
               "Decisions and why, with predicted / measured times: the mean of the calls each was "
               "in effect for",
               columns, COLUMNS);
    for (int i = 0; i < count; i++)
        put_outcome(out, columns, record, &outcomes[i]);
    page_table_end(out);
}

static void put_calls(FILE *out, const atm_record *record)
{
    static const page_column columns[] = {
        {"call", true},          {"what", false},   {"since open", true}, {"time", true},
        {"communication", true}, {"storage", true}, {"bytes", true},      {"accesses", true}};

    if (record->call_count == 0)
        return;
    page_details(out, "All calls");
    page_table(out, "Collective calls, times of the slowest rank", columns, 8);
    for (int i = 0; i < record->call_count; i++) {
        const atm_record_call *call = &record->calls[i];

        page_row(out, false);
        page_cell(out, &columns[0], "%llu", (unsigned long long) call->call);
        page_cell(out, &columns[1], "%s", call->write ? "write" : "read");
        page_cell(out, &columns[2], "%s", units_seconds(call->at).text);
        page_cell(out, &columns[3], "%s", units_seconds(call->seconds).text);
        page_cell(out, &columns[4], "%s", units_seconds(outcome_communication(call)).text);
        page_cell(out, &columns[5], "%s", units_seconds(call->storage_seconds).text);
        page_cell(out, &columns[6], "%s", units_bytes((double) call->bytes).text);
        page_cell(out, &columns[7], "%llu", (unsigned long long) call->accesses);
        page_row_end(out);
    }
    page_table_end(out);
    page_details_end(out);
}

void explain_record_section(FILE *out, int number, const atm_record *record)
{
    char id[24];

    snprintf(id, sizeof(id), "record-%d", number + 1);
    page_section(out, id, record->file);
    if (record->version == 1)
        page_text(out, "%d rank%s through %s; a record of version 1, without decisions.",
                  record->ranks, atm_plural((uint64_t) record->ranks), record->wrapped);
    else
        page_text(out, "%d rank%s on %d node%s through %s on %s, %s, open for %s. Profile: %s.",
                  record->ranks, atm_plural((uint64_t) record->ranks), record->nodes,
                  atm_plural((uint64_t) record->nodes), record->wrapped, record->host,
                  outcome_time(record).text, units_seconds(record->seconds).text, record->profile);
    put_cards(out, record);
    draw_charts(out, record);
    put_decisions(out, record);
    put_calls(out, record);
    if (record->calls_dropped > 0)
        page_text(out, "The first %d collective calls are shown; %llu more were not kept.",
                  record->call_count, (unsigned long long) record->calls_dropped);
    page_section_end(out);
}
