/* The paper's numbers, beside ours. */

#include <math.h>
#include <stdlib.h>

#include "goals.h"
#include "paper.h"
#include "questions.h"
#include "common/stats.h"

#define CLOSE 1.05 /* to optimal */

/* --- ours */

typedef bool condition(const study *study, int instance);

static double instances_where(const study *study, condition *holds)
{
    int count = 0;

    for (int i = 0; i < study->instances; i++)
        count += holds(study, i);
    return count;
}

static bool is_near_optimal(const study *study, int instance)
{
    return study_default(study, instance) <= CLOSE * study_best(study, instance);
}

static bool is_above_3(const study *study, int instance)
{
    return study_default(study, instance) > 3 * study_best(study, instance);
}

/* The lower quartile of times is below the default's. */
static bool is_quartile_faster(const study *study, int instance)
{
    const sweep_instance *of = &study->sweep->instances[instance];
    double *times = malloc((size_t) of->candidates * sizeof(*times)), quartile = INFINITY;

    for (int i = 0; times != NULL && i < of->candidates; i++)
        times[i] = of->configs[i].times.median;
    if (times != NULL)
        quartile = stats_quantile(times, of->candidates, 0.25);
    free(times);
    return quartile < study_default(study, instance);
}

static bool summary_of(const study *study, const char *name, study_summary *summary_p)
{
    const study_strategy *strategy = study_find(study, name);

    if (strategy != NULL)
        study_summarise(study, strategy, summary_p);
    return strategy != NULL;
}

static double share_better(const study *study, const study_strategy *strategy)
{
    int all = strategy->repetitions * study->instances, better = 0;

    for (int i = 0; i < all; i++)
        better += strategy->seconds[i] < study_default(study, i % study->instances);
    return all > 0 ? (double) better / all : NAN;
}

/* The largest sigma up to which hybrid's distribution changes by no more than
 * GOALS_SAME. */
static double steady_sigma(const study *study)
{
    double sigma = NAN;

    for (int i = 0; i < study->noise_count; i++)
        if (goals_change(study, study->noise[i].sigma) <= GOALS_SAME)
            sigma = study->noise[i].sigma;
    return sigma;
}

static double ours_of(const study *study, paper_key key)
{
    study_summary rs, ml, hybrid;
    bool has_rs = summary_of(study, "rs", &rs), has_ml = summary_of(study, "ml", &ml);
    bool has_hybrid = summary_of(study, "hybrid", &hybrid);

    switch (key) {
        case PAPER_INSTANCES:
            return study->instances;
        case PAPER_NEAR_OPTIMAL:
            return instances_where(study, is_near_optimal);
        case PAPER_ABOVE_3:
            return instances_where(study, is_above_3);
        case PAPER_QUARTILE:
            return instances_where(study, is_quartile_faster);
        case PAPER_RS_BETTER:
            return has_rs ? rs.better : NAN;
        case PAPER_RS_WORSE:
            return has_rs ? rs.worse : NAN;
        case PAPER_ML_WORSE:
            return has_ml ? ml.worse : NAN;
        case PAPER_HYBRID_WORSE:
            return has_hybrid ? hybrid.worse : NAN;
        case PAPER_ML_LARGE:
            return has_ml ? ml.large : NAN;
        case PAPER_HYBRID_LARGE:
            return has_hybrid ? hybrid.large : NAN;
        case PAPER_ML_MEDIUM:
            return has_ml ? ml.medium : NAN;
        case PAPER_HYBRID_MEDIUM:
            return has_hybrid ? hybrid.medium : NAN;
        case PAPER_FEW_BETTER:
            return share_better(study, &study->fewer[STUDY_SIZES - 1]);
        case PAPER_SIGMA:
            return steady_sigma(study);
        case PAPER_PLACEMENT:
            return study->aware.pairs > 0       ? study->aware.ratio.max
                   : study->placement.pairs > 0 ? study->placement.ratio.max
                                                : NAN;
        default:
            return NAN;
    }
}

/* Table II has a question of its own. */
static bool is_asked(paper_key key)
{
    return key < PAPER_ML_R2;
}

/* As shares where they are numbers of instances: 2 of 33 is 2 of 32 too. */
static bool is_same(const study *study, const paper_number *paper, double ours)
{
    if (!paper->instances)
        return fabs(ours - paper->value) < 1e-9;
    return fabs(ours / study->instances - paper->value / paper_of(PAPER_INSTANCES)->value) <
           0.5 / study->instances;
}

/* --- three forms */

static void put(const study *study, atm_value *document, const char *key)
{
    atm_value *list = atm_put_array(document, key);

    for (int i = 0; i < PAPER_COUNT; i++) {
        const paper_number *paper = paper_of((paper_key) i);
        double ours = ours_of(study, (paper_key) i);
        atm_value *object;

        if (!is_asked((paper_key) i))
            continue;
        object = atm_put_object(list, NULL);
        atm_put_string(object, "what", paper->what);
        atm_put_string(object, "where", paper->where);
        atm_put_number(object, "paper", paper->value);
        if (!isnan(ours))
            atm_put_number(object, "ours", ours);
    }
}

static void cells_of(const study *study, paper_key key, char *theirs, char *ours, size_t size)
{
    const paper_number *paper = paper_of(key);
    double number = ours_of(study, key);
    char text[24];

    if (paper->instances) {
        snprintf(theirs, size, "%.0f of %.0f", paper->value, paper_of(PAPER_INSTANCES)->value);
        if (isnan(number))
            snprintf(ours, size, "-");
        else
            snprintf(ours, size, "%.0f of %d", number, study->instances);
    } else {
        snprintf(theirs, size, "%.3g", paper->value);
        snprintf(ours, size, "%s", questions_number(text, "%.3g", number));
    }
}

static const char *verdict_of(const study *study, paper_key key)
{
    double ours = ours_of(study, key);

    if (isnan(ours))
        return QUESTIONS_NOT_MEASURED;
    return is_same(study, paper_of(key), ours) ? "as in the paper" : "differs";
}

static void text(FILE *out, const study *study)
{
    char theirs[32], ours[32];

    fputs("| | the paper's | here | | where |\n|---|---:|---:|---|---|\n", out);
    for (int i = 0; i < PAPER_COUNT; i++) {
        if (!is_asked((paper_key) i))
            continue;
        cells_of(study, (paper_key) i, theirs, ours, sizeof(ours));
        fprintf(out, "| %s | %s | %s | %s | %s |\n", paper_of((paper_key) i)->what, theirs, ours,
                verdict_of(study, (paper_key) i), paper_of((paper_key) i)->where);
    }
}

static void show(FILE *out, const study *study)
{
    static const page_column columns[] = {
        {"", false}, {"the paper's", true}, {"here", true}, {"", false}, {"where", false}};
    char theirs[32], ours[32];

    page_table(out, "Numbers of Isaila et al., IEEE Cluster 2015, on Vesta, and ours", columns, 5);
    for (int i = 0; i < PAPER_COUNT; i++) {
        if (!is_asked((paper_key) i))
            continue;
        cells_of(study, (paper_key) i, theirs, ours, sizeof(ours));
        page_row(out, false);
        page_cell(out, &columns[0], "%s", paper_of((paper_key) i)->what);
        page_cell(out, &columns[1], "%s", theirs);
        page_cell(out, &columns[2], "%s", ours);
        page_cell(out, &columns[3], "%s", verdict_of(study, (paper_key) i));
        page_cell(out, &columns[4], "%s", paper_of((paper_key) i)->where);
        page_row_end(out);
    }
    page_table_end(out);
    page_text(out, "Close to optimal means within 5 %%; the same speed-ups, that mean and "
                   "quartiles change by at most 5 %%.");
}

const question question_paper = {"paper", "Beside the paper's numbers", put, text, show};
