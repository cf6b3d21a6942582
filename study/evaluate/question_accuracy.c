/* How well hybrid predicts the sweep, on which its choices rest. */

#include <math.h>
#include <stdlib.h>

#include "hybrid.h"
#include "questions.h"
#include "train/local.h"
#include "report/svg.h"
#include "common/units.h"

/* --- numbers */

/* Spearman's: of ranks, ties sharing theirs. */
static double rank_of(const double *values, int count, int index)
{
    double rank = 0;

    for (int i = 0; i < count; i++)
        rank += values[i] < values[index] ? 1 : values[i] == values[index] ? 0.5 : 0;
    return rank;
}

static double rank_correlation(const double *a, const double *b, int count)
{
    double mean = 0.5 * count, both = 0, first = 0, second = 0;

    for (int i = 0; i < count; i++) {
        double x = rank_of(a, count, i) - mean, y = rank_of(b, count, i) - mean;

        both += x * y;
        first += x * x;
        second += y * y;
    }
    return first > 0 && second > 0 ? both / sqrt(first * second) : NAN;
}

static double correlation_of(const study *study, int instance)
{
    const sweep_instance *of = &study->sweep->instances[instance];
    double *measured = malloc((size_t) of->candidates * sizeof(*measured)), result = NAN;

    for (int i = 0; measured != NULL && i < of->candidates; i++)
        measured[i] = sweep_in_call(&of->configs[i]);
    if (measured != NULL)
        result = rank_correlation(study->predicted[instance], measured, of->candidates);
    free(measured);
    return result;
}

typedef struct accuracy {
    spread ranks;                    /* correlation, of instances */
    double bias;                     /* geometric mean of predicted / measured */
    double deviation;                /* of its logarithm */
    int count, covered;              /* configurations; in the interval that claims 90 % of them */
    int parts;                       /* configurations whose parts were measured */
    double measured[ATM_PART_COUNT]; /* seconds of all of those */
    double predicted[ATM_PART_COUNT];
} accuracy;

static void add_parts(const sweep_config *config, const atm_prediction *prediction, accuracy *a)
{
    if (!config->has_parts)
        return;
    a->parts++;
    for (int i = 0; i < ATM_PART_COUNT; i++) {
        a->measured[i] += config->parts[i];
        a->predicted[i] += prediction->parts[i];
    }
}

/* ln(predicted / measured) of one that can be counted. */
static double add_config(const study *study, int instance, int index, accuracy *a)
{
    const sweep_config *config = &study->sweep->instances[instance].configs[index];
    atm_prediction prediction;
    double apart;

    atm_predict_counts(study->hybrids[0].profile, &study->counts[instance][index], NULL, INFINITY,
                       &prediction);
    add_parts(config, &prediction, a);
    apart = log(prediction.seconds / sweep_in_call(config));
    a->count++;
    a->covered += fabs(apart) <= LOCAL_QUANTILE * log1p(prediction.uncertainty);
    return apart;
}

static accuracy accuracy_of(const study *study)
{
    double *ranks = malloc((size_t) study->instances * sizeof(*ranks)), sum = 0, squares = 0;
    accuracy a = {.bias = NAN};

    for (int i = 0; i < study->instances; i++) {
        if (ranks != NULL)
            ranks[i] = correlation_of(study, i);
        for (int k = 0; k < study->sweep->instances[i].candidates; k++) {
            double apart = add_config(study, i, k, &a);

            sum += apart;
            squares += apart * apart;
        }
    }
    if (ranks != NULL)
        spread_of(ranks, study->instances, &a.ranks);
    free(ranks);
    a.bias = exp(sum / a.count);
    a.deviation = sqrt(fmax(0, squares / a.count - sum / a.count * (sum / a.count)));
    return a;
}

/* --- three forms */

static void put(const study *study, atm_value *document, const char *key)
{
    atm_value *object = atm_put_object(document, key), *parts;
    accuracy a = accuracy_of(study);

    spread_put(&a.ranks, object, "rank_correlation");
    atm_put_number(object, "predicted_over_measured", a.bias);
    atm_put_number(object, "deviation_of_logarithm", a.deviation);
    atm_put_integer(object, "configurations", a.count);
    atm_put_integer(object, "in_90_percent_intervals", a.covered);
    if (a.parts == 0)
        return;
    parts = atm_put_object(object, "parts");
    for (int i = 0; i < ATM_PART_COUNT; i++) {
        atm_value *part = atm_put_object(parts, atm_part_name((atm_part) i));

        atm_put_number(part, "measured", a.measured[i]);
        atm_put_number(part, "predicted", a.predicted[i]);
    }
}

static void text(FILE *out, const study *study)
{
    accuracy a = accuracy_of(study);

    fprintf(
        out,
        "Predicted / measured time of all configurations: geometric mean %.3g, deviation of "
        "the logarithm %.3g. In the intervals that claim 90 %%: %d of %d. Rank correlation within "
        "an instance: median %.2f, 5 %% to 95 %% %.2f to %.2f.\n",
        a.bias, a.deviation, a.covered, a.count, a.ranks.median, a.ranks.q05, a.ranks.q95);
    if (a.parts == 0)
        return;
    fputs("\n| part | measured | predicted |\n|---|---:|---:|\n", out);
    for (int i = 0; i < ATM_PART_COUNT; i++) {
        fprintf(out, "| %s | %s |", atm_part_name((atm_part) i), units_seconds(a.measured[i]).text);
        fprintf(out, " %s |\n", units_seconds(a.predicted[i]).text);
    }
}

static void label_point(FILE *out, const void *context, int index)
{
    const study *study = context;
    char words[96];

    for (int i = 0; i < study->instances; i++) {
        const sweep_instance *of = &study->sweep->instances[i];

        if (index < of->candidates) {
            sweep_words(of, &of->configs[index].config, words, sizeof(words));
            page_print(out, "%s: %s", of->name, words);
            return;
        }
        index -= of->candidates;
    }
}

static void draw(FILE *out, const study *study, int count)
{
    double *measured = malloc((size_t) count * sizeof(*measured));
    double *predicted = malloc((size_t) count * sizeof(*predicted));
    svg_chart chart = {.title = "predicted against measured time of every configuration",
                       .description = "A point for each configuration of each instance; on the "
                                      "dashed line they agree.",
                       .x = {.label = "measured", .unit = SVG_SECONDS, .log = true},
                       .y = {.label = "predicted", .unit = SVG_SECONDS, .log = true},
                       .square = true};
    int at = 0;

    if (measured != NULL && predicted != NULL) {
        for (int i = 0; i < study->instances; i++)
            for (int k = 0; k < study->sweep->instances[i].candidates; k++) {
                measured[at] = sweep_in_call(&study->sweep->instances[i].configs[k]);
                predicted[at++] = study->predicted[i][k];
            }
        svg_include(&chart.x, measured, count);
        svg_include(&chart.x, predicted, count);
        svg_include(&chart.y, measured, count);
        svg_include(&chart.y, predicted, count);
        svg_begin(out, &chart);
        svg_reference(out, &chart, chart.x.min, chart.x.min, chart.x.max, chart.x.max);
        svg_points(out, &chart,
                   &(svg_series){.count = count,
                                 .x = measured,
                                 .y = predicted,
                                 .label = label_point,
                                 .context = study});
        svg_end(out, &chart);
    }
    free(predicted);
    free(measured);
}

static void show_parts(FILE *out, const accuracy *a)
{
    static const page_column columns[] = {{"part", false}, {"measured", true}, {"predicted", true}};

    page_table(out, "Sums over all configurations whose parts were measured", columns, 3);
    for (int i = 0; i < ATM_PART_COUNT; i++) {
        page_row(out, false);
        page_cell(out, &columns[0], "%s", atm_part_name((atm_part) i));
        page_cell(out, &columns[1], "%s", units_seconds(a->measured[i]).text);
        page_cell(out, &columns[2], "%s", units_seconds(a->predicted[i]).text);
        page_row_end(out);
    }
    page_table_end(out);
}

static void show(FILE *out, const study *study)
{
    accuracy a = accuracy_of(study);
    int count = 0;

    for (int i = 0; i < study->instances; i++)
        count += study->sweep->instances[i].candidates;
    page_text(out,
              "Predicted / measured time: geometric mean %.3g, deviation of its logarithm %.3g; %d "
              "of %d are in the intervals that claim 90 %%. "
              "Picks depend on the order within an instance only: rank correlation, median over "
              "the instances %.2f, 5 %% to 95 %% %.2f to %.2f (1: the order is right, 0: by "
              "chance).",
              a.bias, a.deviation, a.covered, a.count, a.ranks.median, a.ranks.q05, a.ranks.q95);
    page_figures(out);
    page_figure(out);
    draw(out, study, count);
    page_figure_end(out, "Every configuration of every instance, first repetition of hybrid");
    page_figures_end(out);
    if (a.parts > 0)
        show_parts(out, &a);
}

const question question_accuracy = {"accuracy", "What hybrid predicts", put, text, show};
