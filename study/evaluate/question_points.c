/* ml with fewer points (paper, section VI-C, figure 10). */

#include <math.h>
#include <stdio.h>

#include "questions.h"
#include "report/svg_boxes.h"

static bool is_known(const study *study)
{
    return study->fewer[0].repetitions > 0;
}

static void put(const study *study, atm_value *document, const char *key)
{
    atm_value *list = atm_put_array(document, key);

    for (int i = 0; i < STUDY_SIZES; i++) {
        atm_value *object;
        study_summary s;

        if (study->fewer[i].repetitions == 0)
            continue;
        study_summarise(study, &study->fewer[i], &s);
        object = atm_put_object(list, NULL);
        atm_put_integer(object, "points", study->box_points[i]);
        atm_put_integer(object, "worse", s.worse);
        spread_put(&s.speedup, object, "speedup");
    }
}

static void text(FILE *out, const study *study)
{
    char number[24];

    if (!is_known(study)) {
        fprintf(out, "%s: ", QUESTIONS_NOT_MEASURED);
        questions_cell(out, study->no_ml != NULL ? study->no_ml : "");
        fputs("\n", out);
        return;
    }
    fputs("| points of ml | mean speed-up | +- | 5 % | 25 % | median | 75 % | 95 % | worse |\n"
          "|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
          out);
    for (int i = 0; i < STUDY_SIZES; i++) {
        study_summary s;

        if (study->fewer[i].repetitions == 0) {
            fprintf(out, "| %d | too few | | | | | | | |\n", study->box_points[i]);
            continue;
        }
        study_summarise(study, &study->fewer[i], &s);
        fprintf(out, "| %d | %.3f | %s | %.3f | %.3f | %.3f | %.3f | %.3f | %d of %d |\n",
                study->box_points[i], s.mean, questions_number(number, "%.3f", s.deviation),
                s.speedup.q05, s.speedup.q25, s.speedup.median, s.speedup.q75, s.speedup.q95,
                s.worse, s.instances);
    }
}

static void draw(FILE *out, const study *study)
{
    char words[STUDY_SIZES][32];
    const char *names[STUDY_SIZES];
    svg_box boxes[STUDY_SIZES];
    svg_names chart = {.title = "speed-up of ml by the number of its training points",
                       .description = "Boxes from the lower to the upper quartile with the median, "
                                      "whiskers from 5 to 95 percent, a dot for the mean.",
                       .x_label = "training points",
                       .y_label = "speed-up over the default",
                       .names = names,
                       .count = STUDY_SIZES,
                       .reference = 1};

    for (int i = 0; i < STUDY_SIZES; i++) {
        study_summary s;

        snprintf(words[i], sizeof(words[i]), "%d points", study->box_points[i]);
        names[i] = words[i];
        boxes[i].median = NAN;
        if (study->fewer[i].repetitions == 0)
            continue;
        study_summarise(study, &study->fewer[i], &s);
        boxes[i] = (svg_box){s.speedup.q05,
                             s.speedup.q25,
                             s.speedup.median,
                             s.speedup.q75,
                             s.speedup.q95,
                             s.speedup.mean,
                             1};
    }
    page_figures(out);
    page_figure(out);
    svg_boxes(out, &chart, boxes);
    page_figure_end(out, "The paper's figure 10 for this ground");
    page_figures_end(out);
}

static void show(FILE *out, const study *study)
{
    static const page_column columns[] = {{"points", true}, {"mean speed-up", true},
                                          {"5 %", true},    {"median", true},
                                          {"95 %", true},   {"worse than default", true}};

    if (!is_known(study)) {
        page_text(out, "%s: %s", QUESTIONS_NOT_MEASURED, study->no_ml != NULL ? study->no_ml : "");
        return;
    }
    page_text(out, "The largest set has a third of the configurations of each instance, by a "
                   "fractional factorial design; the others are drawn from it at random.");
    draw(out, study);
    page_table(out, "Speed-up of ml over the default", columns, 6);
    for (int i = 0; i < STUDY_SIZES; i++) {
        study_summary s;

        if (study->fewer[i].repetitions == 0)
            continue;
        study_summarise(study, &study->fewer[i], &s);
        page_row(out, false);
        page_cell(out, &columns[0], "%d", study->box_points[i]);
        page_cell(out, &columns[1], "%.3f", s.mean);
        page_cell(out, &columns[2], "%.3f", s.speedup.q05);
        page_cell(out, &columns[3], "%.3f", s.speedup.median);
        page_cell(out, &columns[4], "%.3f", s.speedup.q95);
        page_cell(out, &columns[5], "%d of %d", s.worse, s.instances);
        page_row_end(out);
    }
    page_table_end(out);
}

const question question_points = {"points", "ml with fewer points", put, text, show};
