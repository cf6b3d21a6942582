/* Noise in the training data (paper, section VI-D, figure 11). */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "questions.h"
#include "report/svg_boxes.h"

static bool has_hybrid(const study *study)
{
    return study->noise_count > 0 && study->noise[0].hybrid.count > 0;
}

static bool has_ml(const study *study)
{
    return study->noise_count > 0 && study->noise[0].ml.count > 0;
}

static void put(const study *study, atm_value *document, const char *key)
{
    atm_value *list = atm_put_array(document, key);

    for (int i = 0; i < study->noise_count; i++) {
        const study_noise *noise = &study->noise[i];
        atm_value *object = atm_put_object(list, NULL);

        atm_put_number(object, "sigma", noise->sigma);
        if (has_hybrid(study)) {
            spread_put(&noise->hybrid, object, "hybrid");
            atm_put_number(object, "hybrid_same", noise->hybrid_same);
        }
        if (has_ml(study)) {
            spread_put(&noise->ml, object, "ml");
            atm_put_number(object, "ml_same", noise->ml_same);
        }
    }
}

#define SELECTION                                                                                  \
    "Algorithm and settings are those that the clean data selected; they were fitted anew."

static void text_spread(FILE *out, const spread *s, double same)
{
    if (s->count > 0)
        fprintf(out, " %.3f | %.3f | %.3f | %.3f | %.0f %% |", s->mean, s->q05, s->median, s->q95,
                100 * same);
    else
        fputs(" - | - | - | - | - |", out);
}

static void text(FILE *out, const study *study)
{
    if (!has_hybrid(study) && !has_ml(study)) {
        fprintf(out, "%s\n", QUESTIONS_NOT_MEASURED);
        return;
    }
    fprintf(out, "%s\n\n", SELECTION);
    fputs("| sigma | hybrid: mean | 5 % | median | 95 % | same picks | ml: mean | 5 % | median | "
          "95 % | same picks |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
          out);
    for (int i = 0; i < study->noise_count; i++) {
        const study_noise *noise = &study->noise[i];

        fprintf(out, "| %g |", noise->sigma);
        text_spread(out, &noise->hybrid, noise->hybrid_same);
        text_spread(out, &noise->ml, noise->ml_same);
        fputs("\n", out);
    }
}

static void draw(FILE *out, const study *study, bool ml, const char *caption)
{
    size_t room = (size_t) study->noise_count;
    svg_box *boxes = calloc(room, sizeof(*boxes));
    const char **names = calloc(room, sizeof(*names));
    char(*words)[16] = calloc(room, sizeof(*words));
    svg_names chart = {.title = caption,
                       .description = "Boxes from the lower to the upper quartile with the median, "
                                      "whiskers from 5 to 95 percent, a dot for the mean.",
                       .x_label = "sigma",
                       .y_label = "speed-up over the default",
                       .names = names,
                       .count = study->noise_count,
                       .reference = 1};

    if (boxes != NULL && names != NULL && words != NULL) {
        for (int i = 0; i < study->noise_count; i++) {
            const spread *s = ml ? &study->noise[i].ml : &study->noise[i].hybrid;

            snprintf(words[i], sizeof(*words), "%g", study->noise[i].sigma);
            names[i] = words[i];
            boxes[i] = (svg_box){s->q05, s->q25, s->median, s->q75, s->q95, s->mean, ml ? 1 : 0};
        }
        page_figure(out);
        svg_boxes(out, &chart, boxes);
        page_figure_end(out, caption);
    }
    free(words);
    free(names);
    free(boxes);
}

static void put_spread(FILE *out, const page_column *columns, const spread *s, double same)
{
    if (s->count == 0) {
        for (int i = 0; i < 4; i++)
            page_cell(out, &columns[i], "-");
        return;
    }
    page_cell(out, &columns[0], "%.3f", s->mean);
    page_cell(out, &columns[1], "%.3f", s->q05);
    page_cell(out, &columns[2], "%.3f", s->median);
    page_cell(out, &columns[3], "%.0f %%", 100 * same);
}

static void show(FILE *out, const study *study)
{
    static const page_column columns[] = {
        {"sigma", true},  {"hybrid: mean", true}, {"5 %", true},
        {"median", true}, {"same picks", true},   {"ml: mean", true},
        {"5 %", true},    {"median", true},       {"same picks", true}};

    if (!has_hybrid(study) && !has_ml(study)) {
        page_text(out, "%s", QUESTIONS_NOT_MEASURED);
        return;
    }
    page_text(out,
              "Every time t of the training data becomes t (1 + N(0, sigma\u00b2)): for hybrid "
              "those of the points of all operations, for ml those of its runs. A draw that would "
              "make a time 0 or less is drawn again. %s",
              SELECTION);
    page_figures(out);
    if (has_hybrid(study))
        draw(out, study, false, "The paper's figure 11 (top) for this ground: hybrid");
    if (has_ml(study))
        draw(out, study, true, "The paper's figure 11 (bottom) for this ground: ml");
    page_figures_end(out);
    page_table(out,
               "Speed-up over the default, and the share of picks that are those without noise",
               columns, 9);
    for (int i = 0; i < study->noise_count; i++) {
        page_row(out, false);
        page_cell(out, &columns[0], "%g", study->noise[i].sigma);
        put_spread(out, columns + 1, &study->noise[i].hybrid, study->noise[i].hybrid_same);
        put_spread(out, columns + 5, &study->noise[i].ml, study->noise[i].ml_same);
        page_row_end(out);
    }
    page_table_end(out);
}

const question question_noise = {"noise", "Noise in the training data", put, text, show};
