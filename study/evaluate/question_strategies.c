/* Speed-ups over the default: averages and distributions (paper, figure 9). */

#include <math.h>
#include <stdlib.h>

#include "questions.h"
#include "report/svg_boxes.h"

/* --- numbers */

static void put_times(const study *study, const study_strategy *strategy, atm_value *object)
{
    atm_value *averages = atm_put_array(object, "speedups");
    atm_value *picks = atm_put_array(object, "picks");

    for (int i = 0; i < study->instances; i++) {
        double speedup = study_speedup(study, strategy, i);

        if (isnan(speedup))
            atm_put_string(averages, NULL, "none");
        else
            atm_put_number(averages, NULL, speedup);
    }
    for (int r = 0; r < strategy->repetitions; r++) {
        atm_value *row = atm_put_array(picks, NULL);

        for (int i = 0; i < study->instances; i++)
            atm_put_integer(row, NULL, strategy->picks[r * study->instances + i]);
    }
}

static void put(const study *study, atm_value *document, const char *key)
{
    atm_value *list = atm_put_array(document, key);

    for (int i = 0; i < study->strategy_count; i++) {
        const study_strategy *strategy = &study->strategies[i];
        atm_value *object = atm_put_object(list, NULL);
        study_summary s;

        atm_put_string(object, "name", strategy->name);
        atm_put_string(object, "summary", strategy->summary);
        atm_put_integer(object, "repetitions", strategy->repetitions);
        if (strategy->repetitions == 0) {
            atm_put_string(object, "why_not", strategy->why_not);
            continue;
        }
        study_summarise(study, strategy, &s);
        atm_put_integer(object, "instances", s.instances);
        if (strategy->rule)
            atm_put_integer(object, "nearest", strategy->nearest);
        if (strategy->note != NULL)
            atm_put_string(object, "note", strategy->note);
        if (s.instances == 0)
            continue;
        atm_put_number(object, "mean", s.mean);
        if (!isnan(s.deviation))
            atm_put_number(object, "deviation", s.deviation);
        spread_put(&s.speedup, object, "speedup");
        atm_put_integer(object, "worse", s.worse);
        atm_put_integer(object, "better", s.better);
        atm_put_number(object, "slowest", s.slowest);
        atm_put_number(object, "geometric", s.geometric);
        atm_put_number(object, "worst", s.worst);
        atm_put_string(object, "worst_at", study->sweep->instances[s.worst_at].name);
        put_times(study, strategy, object);
    }
}

/* --- words */

static void text(FILE *out, const study *study)
{
    char number[24];

    fputs("| strategy | runs | mean speed-up | +- | median | 5 % | 95 % | worse than default | "
          "time / default, at most | time / best, geometric mean | worst |\n"
          "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
          out);
    for (int i = 0; i < study->strategy_count; i++) {
        const study_strategy *strategy = &study->strategies[i];
        study_summary s;

        fputs("| ", out);
        questions_cell(out, strategy->name);
        if (strategy->repetitions == 0) {
            fputs(" | 0 | | | | | | | | | |\n", out);
            continue;
        }
        study_summarise(study, strategy, &s);
        fprintf(out, " | %d | %.3f | %s | %.3f | %.3f | %.3f | %d of %d | %.3f | %.3f | %.3f |\n",
                strategy->repetitions, s.mean, questions_number(number, "%.3f", s.deviation),
                s.speedup.median, s.speedup.q05, s.speedup.q95, s.worse, s.instances, s.slowest,
                s.geometric, s.worst);
    }
    fputs("\n", out);
    for (int i = 0; i < study->strategy_count; i++) {
        fputs("- `", out);
        questions_cell(out, study->strategies[i].name);
        fprintf(out, "`: %s", study->strategies[i].summary);
        if (study->strategies[i].repetitions == 0) {
            fputs("; not here: ", out);
            questions_cell(out, study->strategies[i].why_not);
        } else if (study->strategies[i].note != NULL) {
            fprintf(out, "; %s", study->strategies[i].note);
        }
        fputs("\n", out);
    }
}

/* --- a section */

static const page_column columns[] = {{"strategy", false},
                                      {"repetitions", true},
                                      {"mean speed-up", true},
                                      {"deviation", true},
                                      {"median", true},
                                      {"5 %", true},
                                      {"95 %", true},
                                      {"worse than default", true},
                                      {"time / default, at most", true},
                                      {"time / best, geometric mean", true},
                                      {"worst", true}};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void put_row(FILE *out, const study *study, const study_strategy *strategy)
{
    char number[24];
    study_summary s;

    page_row(out, false);
    page_cell(out, &columns[0], "%s", strategy->name);
    if (strategy->repetitions == 0) {
        for (int i = 1; i < COLUMNS; i++)
            page_cell(out, &columns[i], "-");
        page_row_end(out);
        return;
    }
    study_summarise(study, strategy, &s);
    page_cell(out, &columns[1], "%d", strategy->repetitions);
    page_cell(out, &columns[2], "%.3f", s.mean);
    page_cell(out, &columns[3], "%s", questions_number(number, "%.3f", s.deviation));
    page_cell(out, &columns[4], "%.3f", s.speedup.median);
    page_cell(out, &columns[5], "%.3f", s.speedup.q05);
    page_cell(out, &columns[6], "%.3f", s.speedup.q95);
    page_cell(out, &columns[7], "%d of %d", s.worse, s.instances);
    page_cell(out, &columns[8], "%.3f", s.slowest);
    page_cell(out, &columns[9], "%.3f", s.geometric);
    page_cell(out, &columns[10], "%.3f", s.worst);
    page_row_end(out);
}

static void draw(FILE *out, const study *study)
{
    size_t room = (size_t) study->strategy_count;
    svg_box *boxes = calloc(room, sizeof(*boxes));
    const char **names = calloc(room, sizeof(*names));
    svg_names chart = {.title = "speed-up over the default of each strategy",
                       .description = "Boxes from the lower to the upper quartile with the median, "
                                      "whiskers from 5 to 95 percent, a dot for the mean, over all "
                                      "instances and repetitions.",
                       .x_label = "strategy",
                       .y_label = "speed-up over the default",
                       .reference = 1};

    for (int i = 0; boxes != NULL && names != NULL && i < study->strategy_count; i++) {
        study_summary s;

        if (study->strategies[i].repetitions == 0)
            continue;
        study_summarise(study, &study->strategies[i], &s);
        names[chart.count] = study->strategies[i].name;
        boxes[chart.count++] = (svg_box){s.speedup.q05,
                                         s.speedup.q25,
                                         s.speedup.median,
                                         s.speedup.q75,
                                         s.speedup.q95,
                                         s.speedup.mean,
                                         i};
    }
    chart.names = names;
    page_figures(out);
    page_figure(out);
    if (boxes != NULL && names != NULL)
        svg_boxes(out, &chart, boxes);
    page_figure_end(out, "The paper's figure 9 for this ground: speed-ups over the default, of all "
                         "instances and repetitions");
    page_figures_end(out);
    free(boxes);
    free(names);
}

static void show(FILE *out, const study *study)
{
    draw(out, study);
    page_table(out, "Speed-up: the default's time / the pick's, both medians of the sweep", columns,
               COLUMNS);
    for (int i = 0; i < study->strategy_count; i++)
        put_row(out, study, &study->strategies[i]);
    page_table_end(out);
    for (int i = 0; i < study->strategy_count; i++) {
        const study_strategy *strategy = &study->strategies[i];

        if (strategy->repetitions > 0)
            page_note(out, "%s: %s%s%s", strategy->name, strategy->summary,
                      strategy->note != NULL ? "; " : "",
                      strategy->note != NULL ? strategy->note : "");
        else
            page_note(out, "%s: %s; not here: %s", strategy->name, strategy->summary,
                      strategy->why_not);
    }
    page_text(out, "The deviation is that of the means of the repetitions. An instance is worse "
                   "than the default if its speed-up, averaged over the repetitions, is below 1. "
                   "The best is the best of the sweep, which the driver's own runs may beat.");
}

const question question_strategies = {"strategies", "Strategies", put, text, show};
