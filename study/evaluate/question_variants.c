/* Placement (paper, figure 6) and locking (figure 5). */

#include <stdlib.h>

#include "paper.h"
#include "questions.h"
#include "report/svg_boxes.h"

static void put_variant(const study_variant *variant, atm_value *document, const char *key)
{
    atm_value *object = atm_put_object(document, key), *list;

    atm_put_integer(object, "pairs", variant->pairs);
    if (variant->pairs == 0)
        return;
    spread_put(&variant->ratio, object, "speedup");
    list = atm_put_array(object, "configurations");
    for (int i = 0; i < variant->group_count; i++) {
        atm_value *group = atm_put_object(list, NULL);

        atm_put_string(group, "configuration", variant->groups[i].words);
        spread_put(&variant->groups[i].ratio, group, "speedup");
    }
}

static void text_variant(FILE *out, const study_variant *variant, const char *what)
{
    if (variant->pairs == 0) {
        fprintf(out, "%s\n", QUESTIONS_NOT_MEASURED);
        return;
    }
    fprintf(out, "%s, over %d pairs of runs: mean %.3f, median %.3f, %.3f to %.3f.\n\n", what,
            variant->pairs, variant->ratio.mean, variant->ratio.median, variant->ratio.min,
            variant->ratio.max);
    fputs("| configuration | pairs | mean | median | least | most |\n"
          "|---|---:|---:|---:|---:|---:|\n",
          out);
    for (int i = 0; i < variant->group_count; i++) {
        const spread *s = &variant->groups[i].ratio;

        fprintf(out, "| %s | %d | %.3f | %.3f | %.3f | %.3f |\n", variant->groups[i].words,
                s->count, s->mean, s->median, s->min, s->max);
    }
}

static void draw(FILE *out, const study_variant *variant, const char *caption)
{
    size_t room = (size_t) variant->group_count;
    svg_box *boxes = calloc(room, sizeof(*boxes));
    const char **names = calloc(room, sizeof(*names));
    svg_names chart = {.title = caption,
                       .description = "A box for each configuration, over the instances: "
                                      "quartiles and median, whiskers from the least to the most, "
                                      "a dot for the mean.",
                       .x_label = "buffer, aggregators a node",
                       .y_label = "speed-up",
                       .names = names,
                       .count = variant->group_count,
                       .reference = 1,
                       .wide = true};

    if (boxes != NULL && names != NULL) {
        for (int i = 0; i < variant->group_count; i++) {
            const spread *s = &variant->groups[i].ratio;

            names[i] = variant->groups[i].words;
            boxes[i] = (svg_box){s->min, s->q25, s->median, s->q75, s->max, s->mean, 2};
        }
        page_figure(out);
        svg_boxes(out, &chart, boxes);
        page_figure_end(out, caption);
    }
    free(names);
    free(boxes);
}

static void show_variant(FILE *out, const study_variant *variant, const char *caption)
{
    static const page_column columns[] = {{"configuration", false}, {"pairs", true},
                                          {"mean", true},           {"median", true},
                                          {"least", true},          {"most", true}};

    if (variant->pairs == 0) {
        page_text(out, "%s", QUESTIONS_NOT_MEASURED);
        return;
    }
    draw(out, variant, caption);
    page_table(out, caption, columns, 6);
    for (int i = 0; i < variant->group_count; i++) {
        const spread *s = &variant->groups[i].ratio;

        page_row(out, false);
        page_cell(out, &columns[0], "%s", variant->groups[i].words);
        page_cell(out, &columns[1], "%d", s->count);
        page_cell(out, &columns[2], "%.3f", s->mean);
        page_cell(out, &columns[3], "%.3f", s->median);
        page_cell(out, &columns[4], "%.3f", s->min);
        page_cell(out, &columns[5], "%.3f", s->max);
        page_row_end(out);
    }
    page_table_end(out);
}

/* --- placement */

static const char *const fixed_names[STUDY_FIXED_ORDERS] = {"bridge-first", "near", "uniform"};

static void put_row(const study_placing_row *row, atm_value *document, const char *key)
{
    atm_value *object = atm_put_object(document, key);

    atm_put_number(object, "time / best", row->best);
    atm_put_number(object, "worst", row->best_worst);
    atm_put_number(object, "time / uniform", row->uniform);
    atm_put_number(object, "worst / uniform", row->uniform_worst);
}

static void put_placing(const study_placing *placing, atm_value *document)
{
    atm_value *object = atm_put_object(document, "placement_chosen");

    atm_put_integer(object, "pairs", placing->pairs);
    if (placing->pairs == 0)
        return;
    for (int i = 0; i < STUDY_FIXED_ORDERS; i++)
        put_row(&placing->fixed[i], object, fixed_names[i]);
    put_row(&placing->chosen, object, "chosen");
}

static void text_row(FILE *out, const study_placing_row *row, const char *name)
{
    fprintf(out, "| %s | %.3f | %.3f | %.3f | %.3f |\n", name, row->best, row->best_worst,
            row->uniform, row->uniform_worst);
}

static void text_placing(FILE *out, const study_placing *placing)
{
    if (placing->pairs == 0)
        return;
    fprintf(out,
            "\nChosen by the model, between bridge-first and near the data "
            "(%d configurations; best: of these two, uniform and Blue Gene's):\n\n"
            "| placement | time / best | worst | time / uniform | worst |\n"
            "|---|---:|---:|---:|---:|\n",
            placing->pairs);
    for (int i = 0; i < STUDY_FIXED_ORDERS; i++)
        text_row(out, &placing->fixed[i], fixed_names[i]);
    text_row(out, &placing->chosen, "chosen");
}

static void put_placement(const study *study, atm_value *document, const char *key)
{
    put_variant(&study->placement, document, key);
    put_variant(&study->bluegene, document, "placement_bluegene");
    put_variant(&study->aware, document, "placement_aware");
    put_variant(&study->stock, document, "placement_stock");
    put_placing(&study->placing, document);
}

static void text_placement(FILE *out, const study *study)
{
    text_variant(out, &study->placement, "Time with uniform / with bridge-first placement");
    if (study->bluegene.pairs > 0) {
        fputs("\n", out);
        text_variant(out, &study->bluegene, "Time with Blue Gene's / with bridge-first placement");
    }
    if (study->aware.pairs > 0) {
        fputs("\n", out);
        text_variant(out, &study->aware,
                     "As in the paper: time with uniform / with Blue Gene's placement");
    }
    if (study->stock.pairs > 0) {
        fputs("\n", out);
        text_variant(out, &study->stock,
                     "Time with ROMIO's own list / with bridge-first placement");
    }
    text_placing(out, &study->placing);
}

static void show_placement(FILE *out, const study *study)
{
    bool paper = study->aware.pairs > 0;

    show_variant(out, &study->placement,
                 paper ? "Speed-up of bridge-first over uniform placement of the same aggregators"
                       : "The paper's figure 6 for this ground: speed-up of bridge-first over "
                         "uniform placement of the same aggregators");
    if (study->bluegene.pairs > 0)
        show_variant(out, &study->bluegene,
                     "Speed-up of bridge-first over Blue Gene's placement of the same aggregators");
    if (study->stock.pairs > 0)
        show_variant(out, &study->stock,
                     "Speed-up of bridge-first placement over ROMIO's own list of nodes");
    if (paper)
        show_variant(out, &study->aware,
                     "The paper's figure 6 for this ground: speed-up of Blue Gene's placement, "
                     "which knows the topology, over uniform placement");
}

const question question_placement = {"placement", "Placement: bridge-first against uniform",
                                     put_placement, text_placement, show_placement};

/* --- locking */

static void put_locking(const study *study, atm_value *document, const char *key)
{
    put_variant(&study->locking, document, key);
}

static void text_locking(FILE *out, const study *study)
{
    text_variant(out, &study->locking,
                 "Time on a new file / on one whose locks are already granted");
}

static void show_locking(FILE *out, const study *study)
{
    show_variant(out, &study->locking,
                 "The paper's figure 5 for this ground: speed-up of an access without over one "
                 "with lock acquisition");
}

const question question_locking = {"locking", "Locking: without against with lock acquisition",
                                   put_locking, text_locking, show_locking};
