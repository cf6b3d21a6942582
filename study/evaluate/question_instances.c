/* Instance by instance: what there is to gain (paper, figure 7) and what each
 * strategy gains on average (figure 8). */

#include <math.h>
#include <stdlib.h>

#include "questions.h"
#include "report/svg_boxes.h"
#include "common/units.h"

/* Speed-ups of all candidates, the default's 1 among them. */
static spread spread_of_instance(const study *study, int instance)
{
    const sweep_instance *of = &study->sweep->instances[instance];
    double *values = malloc((size_t) of->candidates * sizeof(*values));
    spread s = {0};

    for (int i = 0; values != NULL && i < of->candidates; i++)
        values[i] = study_default(study, instance) / of->configs[i].times.median;
    if (values != NULL)
        spread_of(values, of->candidates, &s); /* without memory it stays empty */
    free(values);
    return s;
}

/* --- numbers */

static void put_config(const study *study, int instance, int index, atm_value *list)
{
    const sweep_instance *of = &study->sweep->instances[instance];
    const sweep_config *config = &of->configs[index];
    atm_value *object = atm_put_object(list, NULL);
    char words[96];

    sweep_words(of, &config->config, words, sizeof(words));
    atm_put_string(object, "configuration", words);
    if (config->variant != NULL)
        atm_put_string(object, "variant", config->variant);
    atm_put_number(object, "seconds", config->times.median);
    atm_put_integer(object, "repetitions", config->times.count);
    atm_put_number(object, "spread", config->times.spread);
    if (index < of->candidates && !isnan(study->predicted[instance][index]))
        atm_put_number(object, "predicted", study->predicted[instance][index]);
}

static void put(const study *study, atm_value *document, const char *key)
{
    atm_value *list = atm_put_array(document, key);

    for (int i = 0; i < study->instances; i++) {
        const sweep_instance *instance = &study->sweep->instances[i];
        spread s = spread_of_instance(study, i);
        atm_value *object = atm_put_object(list, NULL), *configs;

        atm_put_string(object, "name", instance->name);
        atm_put_integer(object, "default", instance->defaults);
        atm_put_integer(object, "best", instance->best);
        spread_put(&s, object, "speedup");
        configs = atm_put_array(object, "configurations");
        for (int k = 0; k < instance->count; k++)
            put_config(study, i, k, configs);
    }
}

/* --- words */

static int first_pick(const study *study, const char *name, int instance)
{
    const study_strategy *strategy = study_find(study, name);

    return strategy != NULL ? strategy->picks[instance] : -1;
}

static void words_of_pick(const study *study, int instance, int index, char *words, size_t size)
{
    const sweep_instance *of = &study->sweep->instances[instance];

    if (index >= 0)
        sweep_words(of, &of->configs[index].config, words, size);
    else
        snprintf(words, size, "-");
}

static void text(FILE *out, const study *study)
{
    char words[96], number[24];

    fputs("| instance | default | best | of |", out);
    for (int k = 1; k < study->strategy_count; k++) {
        fputs(" ", out);
        questions_cell(out, study->strategies[k].name);
        fputs(" |", out);
    }
    fputs(" hybrid's pick |\n|---|---:|---:|---|", out);
    for (int k = 1; k < study->strategy_count; k++)
        fputs("---:|", out);
    fputs("---|\n", out);
    for (int i = 0; i < study->instances; i++) {
        fputs("| ", out);
        questions_cell(out, study->sweep->instances[i].name);
        words_of_pick(study, i, study->sweep->instances[i].best, words, sizeof(words));
        fprintf(out, " | %s |", units_seconds(study_default(study, i)).text);
        fprintf(out, " %s | %s |", units_seconds(study_best(study, i)).text, words);
        for (int k = 1; k < study->strategy_count; k++)
            fprintf(
                out, " %s |",
                questions_number(number, "%.2f", study_speedup(study, &study->strategies[k], i)));
        words_of_pick(study, i, first_pick(study, "hybrid", i), words, sizeof(words));
        fprintf(out, " %s |\n", words);
    }
}

/* --- a section */

static void draw_potential(FILE *out, const study *study, const char *const *names)
{
    svg_box *boxes = calloc((size_t) study->instances, sizeof(*boxes));
    svg_names chart = {.title = "speed-up over the default of all configurations of an instance",
                       .description = "A box for each instance: quartiles and median, whiskers "
                                      "from 5 to 95 percent, a dot for the mean.",
                       .x_label = "instance",
                       .y_label = "speed-up over the default",
                       .names = names,
                       .count = study->instances,
                       .reference = 1,
                       .wide = true};

    if (boxes == NULL)
        return;
    for (int i = 0; i < study->instances; i++) {
        spread s = spread_of_instance(study, i);

        boxes[i] = (svg_box){s.min, s.q25, s.median, s.q75, s.max, s.mean, 0};
    }
    page_figure(out);
    svg_boxes(out, &chart, boxes);
    page_figure_end(out, "The paper's figure 7 for this ground: speed-ups of all configurations of "
                         "an instance, whiskers from the slowest to the fastest");
    free(boxes);
}

/* The paper's three strategies, and what actually ran. */
static const char *const shown[] = {"rs", "ml", "hybrid", "driver", "optimal"};

enum { SHOWN = sizeof(shown) / sizeof(shown[0]) };

static void draw_averages(FILE *out, const study *study, const char *const *names)
{
    const study_strategy *found[SHOWN];
    const char *series[SHOWN];
    double *values = calloc((size_t) study->instances * SHOWN, sizeof(*values));
    svg_names chart = {.title = "average speed-up of each strategy on each instance",
                       .description = "Bars for each instance, averages over the repetitions.",
                       .x_label = "instance",
                       .y_label = "average speed-up",
                       .names = names,
                       .count = study->instances,
                       .reference = 1,
                       .wide = true};
    int count = 0;

    if (values == NULL)
        return;
    for (int i = 0; i < SHOWN; i++) {
        found[count] = study_find(study, shown[i]);
        series[count] = shown[i];
        count += found[count] != NULL;
    }
    for (int i = 0; i < study->instances; i++)
        for (int k = 0; k < count; k++)
            values[i * count + k] = study_speedup(study, found[k], i);
    page_figure(out);
    svg_bars(out, &chart, values, count, series);
    page_figure_end(out, "The paper's figure 8 for this ground: average speed-up over the default");
    free(values);
}

static void put_table(FILE *out, const study *study)
{
    size_t columns = (size_t) study->strategy_count + 4;
    page_column *column = calloc(columns, sizeof(*column));
    char words[96], number[24];

    if (column == NULL)
        return;
    column[0] = (page_column){"instance", false};
    column[1] = (page_column){"default", true};
    column[2] = (page_column){"best", true};
    column[3] = (page_column){"best configuration", false};
    for (int k = 1; k < study->strategy_count; k++)
        column[k + 3] = (page_column){study->strategies[k].name, true};
    column[columns - 1] = (page_column){"hybrid's first pick", false};
    page_table(out, "Medians of the sweep, and speed-ups averaged over the repetitions", column,
               (int) columns);
    for (int i = 0; i < study->instances; i++) {
        page_row(out, false);
        page_cell(out, &column[0], "%s", study->sweep->instances[i].name);
        page_cell(out, &column[1], "%s", units_seconds(study_default(study, i)).text);
        page_cell(out, &column[2], "%s", units_seconds(study_best(study, i)).text);
        words_of_pick(study, i, study->sweep->instances[i].best, words, sizeof(words));
        page_cell(out, &column[3], "%s", words);
        for (int k = 1; k < study->strategy_count; k++)
            page_cell(
                out, &column[k + 3], "%s",
                questions_number(number, "%.2f", study_speedup(study, &study->strategies[k], i)));
        words_of_pick(study, i, first_pick(study, "hybrid", i), words, sizeof(words));
        page_cell(out, &column[columns - 1], "%s", words);
        page_row_end(out);
    }
    page_table_end(out);
    free(column);
}

static void show(FILE *out, const study *study)
{
    const char **names = calloc((size_t) study->instances, sizeof(*names));

    for (int i = 0; names != NULL && i < study->instances; i++)
        names[i] = study->sweep->instances[i].name;
    if (names != NULL) {
        draw_potential(out, study, names);
        draw_averages(out, study, names);
    }
    free(names);
    put_table(out, study);
}

const question question_instances = {"instances", "Instances", put, text, show};
