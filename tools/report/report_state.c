/* Storage state: the page. */

#include "report_state.h"

#include <math.h>
#include <stdlib.h>

#include "common/stats.h"
#include "common/units.h"
#include "svg_boxes.h"

static void put_cards(FILE *out, const learn_result *r)
{
    char number[32];

    page_cards(out);
    snprintf(number, sizeof(number), "%d of %d", r->two, r->rows.target_count);
    page_card(out, number, "targets with two states");
    snprintf(number, sizeof(number), "%d", r->used + r->persistent);
    page_card(out, number, "targets whose state is predicted");
    if (r->chosen >= 0) {
        snprintf(number, sizeof(number), "%.1f %%",
                 100 * score_accuracy(&r->kind[r->chosen].held_out));
        page_card(out, number, r->kind[r->chosen].learner->name);
        snprintf(number, sizeof(number), "%.1f %%", 100 * score_accuracy(&r->kind[0].held_out));
        page_card(out, number, r->kind[0].learner->name);
    }
    page_cards_end(out);
}

static void put_table(FILE *out, const learn_result *r)
{
    static const page_column columns[] = {
        {"kind", false},  {"unseen folds", true}, {"held-out days", true},  {"AUC", true},
        {"of 1/2", true}, {"1/4", true},          {"1/8 of the days", true}};

    page_table(out, "Accuracy: how many labels were hit", columns, 7);
    for (int k = 0; k < r->kinds; k++) {
        const learn_kind *kind = &r->kind[k];

        page_row(out, k == r->chosen);
        page_cell(out, &columns[0], "%s", kind->learner->name);
        page_cell(out, &columns[1], "%.1f %%", 100 * score_accuracy(&kind->folds));
        page_cell(out, &columns[2], "%.1f %%", 100 * score_accuracy(&kind->held_out));
        page_cell(out, &columns[3], "%.3f", kind->auc);
        for (int i = 0; i < LEARN_SHARES; i++)
            page_cell(out, &columns[4 + i], "%.1f %%", 100 * score_accuracy(&kind->less[i]));
        page_row_end(out);
    }
    page_table_end(out);
}

/* --- figure 7: accuracy over targets */

static svg_box box_of(double *values, int count, int colour)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += values[i];
    if (count == 0)
        return (svg_box){.median = NAN};
    return (svg_box){stats_quantile(values, count, 0.05),
                     stats_quantile(values, count, 0.25),
                     stats_quantile(values, count, 0.5),
                     stats_quantile(values, count, 0.75),
                     stats_quantile(values, count, 0.95),
                     sum / count,
                     colour};
}

static void draw_accuracy(FILE *out, const learn_result *r, double *room)
{
    const char *names[LEARNERS];
    svg_box boxes[LEARNERS];
    svg_names chart = {.title = "accuracy over targets",
                       .description = "A box for each kind: quartiles and median over targets, "
                                      "whiskers from 5 to 95 percent, a dot for the mean.",
                       .x_label = "kind",
                       .y_label = "accuracy on held-out days",
                       .names = names,
                       .count = r->kinds,
                       .reference = score_accuracy(&r->kind[0].held_out),
                       .wide = true};

    for (int k = 0; k < r->kinds; k++) {
        int count = 0;

        for (int t = 0; t < r->rows.target_count; t++)
            if (r->kind[k].by_target[t].rows > 0)
                room[count++] = score_accuracy(&r->kind[k].by_target[t]);
        names[k] = r->kind[k].learner->name;
        boxes[k] = box_of(room, count, r->kind[k].learner->baseline);
    }
    page_figure(out);
    svg_boxes(out, &chart, boxes);
    page_figure_end(out, "Figure 7: accuracy on held-out days, over targets; dashed: the majority");
}

/* --- figures 9 and 10: receiver operating characteristics */

static void draw_roc(FILE *out, const learn_result *r)
{
    svg_chart chart = {.title = "receiver operating characteristics",
                       .description = "Busy rows that are found over idle ones taken for busy.",
                       .x = {.label = "idle taken for busy", .unit = SVG_SHARE},
                       .y = {.label = "busy found", .unit = SVG_SHARE},
                       .square = true};
    double x[SCORE_POINTS], ends[] = {0, 1};
    svg_entry entries[LEARNERS];
    int count = 0;

    for (int i = 0; i < SCORE_POINTS; i++)
        x[i] = i / (SCORE_POINTS - 1.0);
    svg_include(&chart.x, ends, 2);
    svg_include(&chart.y, ends, 2);
    page_figure(out);
    svg_begin(out, &chart);
    svg_reference(out, &chart, 0, 0, 1, 1);
    for (int k = 0; k < r->kinds; k++) {
        if (r->kind[k].learner->baseline || !r->kind[k].has_roc)
            continue;
        svg_line(
            out, &chart,
            &(svg_series){
                .colour = count % SVG_COLOURS, .count = SCORE_POINTS, .x = x, .y = r->kind[k].roc});
        entries[count] = (svg_entry){r->kind[k].learner->name, SVG_MARK_LINE, count % SVG_COLOURS};
        count++;
    }
    svg_legend(out, &chart, entries, count < 6 ? count : 6);
    svg_end(out, &chart);
    page_figure_end(out, "Figures 9 and 10: held-out days of all targets");
}

/* --- figure 11: fewer days */

static void draw_less(FILE *out, const learn_result *r)
{
    static const char *const series[] = {"all days", "1/2", "1/4", "1/8"};
    const char *names[LEARNERS];
    double values[LEARNERS * 4];
    svg_names chart = {.title = "accuracy when learned from fewer days",
                       .description = "Bars of accuracy on the same held-out days.",
                       .x_label = "kind",
                       .y_label = "accuracy on held-out days",
                       .names = names,
                       .count = r->kinds,
                       .reference = score_accuracy(&r->kind[0].held_out),
                       .wide = true};

    for (int k = 0; k < r->kinds; k++) {
        names[k] = r->kind[k].learner->name;
        values[4 * k] = score_accuracy(&r->kind[k].held_out);
        for (int i = 0; i < LEARN_SHARES; i++)
            values[4 * k + 1 + i] = score_accuracy(&r->kind[k].less[i]);
    }
    page_figure(out);
    svg_bars(out, &chart, values, 4, series);
    page_figure_end(out, "Figure 11: learned from all training days, 1/2, 1/4 and 1/8 of them");
}

/* --- targets */

static void put_targets(FILE *out, const learn_result *r)
{
    static const page_column columns[] = {
        {"target", true},      {"writes", true},    {"states", true},     {"idle", true},
        {"busy", true},        {"time busy", true}, {"Ashman's D", true}, {"right", true},
        {"persistence", true}, {"majority", true},  {"predicted", false}};

    page_details(out, "All targets");
    page_table(out, "States of targets, and accuracy on held-out days", columns, 11);
    for (int t = 0; t < r->rows.target_count; t++) {
        const state_target *target = &r->rows.targets[t];
        const mixture *m = &target->mixture;
        bool two = target->count > 0 && r->targets[t].chosen >= 0;

        page_row(out, false);
        page_cell(out, &columns[0], "%d", target->target);
        page_cell(out, &columns[1], "%zu", target->samples);
        page_cell(out, &columns[2], "%d", m->states);
        page_cell(out, &columns[3], "%.3g s", mixture_seconds(m->states == 2 ? &m->idle : &m->one));
        page_cell(out, &columns[4], m->states == 2 ? "%.3g s" : "-", mixture_seconds(&m->busy));
        page_cell(out, &columns[5], m->states == 2 ? "%.1f %%" : "-", 100 * m->busy.weight);
        page_cell(out, &columns[6], "%.2f", m->ashman);
        page_cell(out, &columns[7], two ? "%.1f %%" : "-",
                  two ? 100 * score_accuracy(&r->kind[r->targets[t].chosen].by_target[t]) : 0);
        page_cell(out, &columns[8], two ? "%.1f %%" : "-",
                  two ? 100 * score_accuracy(&r->kind[1].by_target[t]) : 0);
        page_cell(out, &columns[9], two ? "%.1f %%" : "-",
                  two ? 100 * score_accuracy(&r->kind[0].by_target[t]) : 0);
        page_cell(out, &columns[10], "%s",
                  r->targets[t].used       ? "yes"
                  : r->targets[t].persists ? "by persistence"
                                           : "no");
        page_row_end(out);
    }
    page_table_end(out);
    page_details_end(out);
}

static atm_status put_page(FILE *out, const trace *trace, const learn_result *r)
{
    double *room = calloc((size_t) r->rows.target_count + 1, sizeof(double));
    atm_status status = room != NULL ? ATM_OK : ATM_NO_MEMORY;

    page_begin(out, "Storage state",
               "Which targets have an idle and a busy state, and how well "
               "it is predicted which of them they are in.");
    page_text(out, "%s, large writes of %s.", trace->path, units_bytes(r->rows.bytes).text);
    put_cards(out, r);
    if (r->drift > 3)
        page_warning(out,
                     "Held-out days are worse than the others by %.1f standard errors: the system "
                     "changed.",
                     r->drift);
    if (status == ATM_OK)
        status = report_state_times(out, trace, r);
    if (status == ATM_OK && r->kinds > 0) {
        page_section(out, "predictions", "How well states are predicted");
        put_table(out, r);
        page_figures(out);
        draw_accuracy(out, r, room);
        draw_roc(out, r);
        draw_less(out, r);
        page_figures_end(out);
        page_section_end(out);
    }
    page_section(out, "targets", "Targets");
    put_targets(out, r);
    page_section_end(out);
    page_end(out, "Made by autotune state train.");
    free(room);
    return status;
}

atm_status report_state(const trace *trace, const learn_result *result, const char *path,
                        atm_message *message)
{
    page *page = NULL;
    atm_status status = page_open(&page);

    if (status == ATM_OK)
        status = put_page(page->out, trace, result);
    if (status == ATM_OK)
        status = page_save(page, path, message);
    if (page != NULL)
        page_close(page);
    return status;
}
