/* Figure 12 as a page. */

#include "figure.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/page.h"
#include "report/svg.h"

bool figure_create(figure *figure)
{
    bool good = true;

    for (int i = 0; i < figure->series; i++) {
        figure->values[i] = calloc((size_t) figure->points, sizeof(double));
        good = good && figure->values[i] != NULL;
    }
    return good;
}

void figure_destroy(figure *figure)
{
    for (int i = 0; i < figure->series; i++)
        free(figure->values[i]);
}

static double mean(const double *values, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += values[i] / count;
    return sum;
}

static void draw(FILE *out, const figure *figure, const double *steps)
{
    static const double zero = 0;
    svg_chart chart = {.title = "Aggregate throughput of each step",
                       .description = "Steps of one run, by the time of the slowest target.",
                       .x = {.label = "step"},
                       .y = {.label = "GiB/s"}};
    svg_entry entries[FIGURE_SERIES];

    svg_include(&chart.x, steps, figure->points);
    svg_include(&chart.y, &zero, 1);
    for (int i = 0; i < figure->series; i++)
        svg_include(&chart.y, figure->values[i], figure->points);
    page_figures(out);
    page_figure(out);
    svg_begin(out, &chart);
    for (int i = 0; i < figure->series; i++) {
        svg_series series = {
            .colour = i, .count = figure->points, .x = steps, .y = figure->values[i]};

        svg_line(out, &chart, &series);
        entries[i] = (svg_entry){figure->names[i], SVG_MARK_LINE, i};
    }
    svg_legend(out, &chart, entries, figure->series);
    svg_end(out, &chart);
    page_figure_end(out, "Aggregate throughput with and without tuning, one run.");
    page_figures_end(out);
}

static void list(FILE *out, const figure *figure)
{
    page_column columns[FIGURE_SERIES + 1] = {{"step", true}};

    for (int i = 0; i < figure->series; i++)
        columns[i + 1] = (page_column){figure->names[i], true};
    page_table(out, "GiB/s", columns, figure->series + 1);
    for (int point = 0; point <= figure->points; point++) {
        page_row(out, point == figure->points);
        if (point < figure->points)
            page_cell(out, &columns[0], "%d", point + 1);
        else
            page_cell(out, &columns[0], "mean");
        for (int i = 0; i < figure->series; i++)
            page_cell(out, &columns[i + 1], "%.1f",
                      point < figure->points ? figure->values[i][point]
                                             : mean(figure->values[i], figure->points));
        page_row_end(out);
    }
    page_table_end(out);
}

bool figure_write(const figure *figure)
{
    double *steps = malloc((size_t) figure->points * sizeof(*steps));
    atm_message message = {""};
    page *page = NULL;
    atm_status status = steps != NULL ? page_open(&page) : ATM_NO_MEMORY;

    if (status == ATM_OK) {
        for (int i = 0; i < figure->points; i++)
            steps[i] = i + 1;
        page_begin(
            page->out, "Figure 12",
            "Shares by predicted states against equal ones, simulated: one GiB for each "
            "target in every step, a quarter of the targets busy, three labels in four right.");
        page_section(page->out, "figure", "One run");
        draw(page->out, figure, steps);
        list(page->out, figure);
        page_section_end(page->out);
        page_end(page->out, "made by study/state/simulate");
        status = page_save(page, figure->path, &message);
        page_close(page);
    }
    if (status != ATM_OK)
        fprintf(stderr, "simulate: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
    free(steps);
    return status == ATM_OK;
}
