/* Cross-validation of the models (paper, Table II). */

#include <math.h>
#include <string.h>

#include "paper.h"
#include "questions.h"
#include "report/report.h"
#include "common/units.h"

static const train_result *hybrid_of(const study *study)
{
    return study->hybrid_count > 0 ? study->hybrids[0].result : NULL;
}

static const train_operation *ml_of(const study *study)
{
    return study->no_ml == NULL && study->box_count > 0 && study->boxes[0][0].result != NULL
               ? &study->boxes[0][0].result->operations[0]
               : NULL;
}

static void put_score(const train_operation *o, const char *name, atm_value *list)
{
    const train_score *score = report_score(o);
    atm_value *object = atm_put_object(list, NULL);
    train_paper paper;

    atm_put_string(object, "component", name);
    atm_put_integer(object, "points", o->count);
    atm_put_string(object, "model", o->candidates[o->chosen].algorithm);
    if (!isnan(score->r2))
        atm_put_number(object, "r2", score->r2);
    atm_put_number(object, "rmse", score->rmse);
    if (!isnan(score->log_r2))
        atm_put_number(object, "log_r2", score->log_r2);
    atm_put_number(object, "relative_error", report_relative(score->log_rmse));
    atm_put_number(object, "coverage", o->coverage);
    if (strcmp(name, "ml") != 0 && train_paper_of(o->operation, &paper)) {
        atm_put_number(object, "paper_r2", paper.r2);
        atm_put_number(object, "paper_rmse", paper.rmse);
    }
}

static void put(const study *study, atm_value *document, const char *key)
{
    atm_value *list = atm_put_array(document, key);
    const train_result *hybrid = hybrid_of(study);

    if (ml_of(study) != NULL)
        put_score(ml_of(study), "ml", list);
    for (int i = 0; hybrid != NULL && i < hybrid->operation_count; i++)
        put_score(&hybrid->operations[i], atm_operation_name(hybrid->operations[i].operation),
                  list);
}

static void text_score(FILE *out, const train_operation *o, const char *name, const char *paper,
                       double r2, double rmse)
{
    const train_score *score = report_score(o);
    char first[24], second[24], third[24];

    fprintf(out, "| %s | %d | %s | %s | %.3g | %.0f %% | %.0f %% | %s | %s | %s |\n", name,
            o->count, o->candidates[o->chosen].algorithm,
            questions_number(first, "%.3f", score->r2), score->rmse,
            100 * report_relative(score->log_rmse), 100 * o->coverage, paper,
            questions_number(second, "%.2f", r2), questions_number(third, "%.3g", rmse));
}

static void text(FILE *out, const study *study)
{
    const train_result *hybrid = hybrid_of(study);

    if (hybrid == NULL && ml_of(study) == NULL) {
        fprintf(out, "%s\n", QUESTIONS_NOT_MEASURED);
        return;
    }
    fputs("| component | points | model | R2 | RMSE, s | relative error | in 90 % intervals | the "
          "paper's | R2 | RMSE, s |\n|---|---:|---|---:|---:|---:|---:|---|---:|---:|\n",
          out);
    if (ml_of(study) != NULL)
        text_score(out, ml_of(study), "ml", "ml", paper_of(PAPER_ML_R2)->value,
                   paper_of(PAPER_ML_RMSE)->value);
    for (int i = 0; hybrid != NULL && i < hybrid->operation_count; i++) {
        const train_operation *o = &hybrid->operations[i];
        train_paper paper = {.name = "-", .r2 = NAN, .rmse = NAN};

        train_paper_of(o->operation, &paper);
        text_score(out, o, atm_operation_name(o->operation), paper.name, paper.r2, paper.rmse);
    }
    fputs("\nIn 90 % intervals: share of held-out points that are in the interval which claims to "
          "have 90 % of them.\n",
          out);
}

static void show(FILE *out, const study *study)
{
    const train_operation *ml = ml_of(study);

    if (ml != NULL) {
        const train_score *score = report_score(ml);

        page_text(out,
                  "ml: %d runs, %s; R\u00b2 %.3f, RMSE %s, relative error %s. The paper's: R\u00b2 "
                  "%.2f, RMSE %s (%s).",
                  ml->count, ml->candidates[ml->chosen].algorithm, score->r2,
                  units_seconds(score->rmse).text,
                  units_share(report_relative(score->log_rmse)).text, paper_of(PAPER_ML_R2)->value,
                  units_seconds(paper_of(PAPER_ML_RMSE)->value).text, paper_of(PAPER_ML_R2)->where);
    }
    if (hybrid_of(study) != NULL)
        report_table2(out, hybrid_of(study));
    else
        page_text(out, "hybrid: its profile was given, so that nothing was learned here.");
}

const question question_table2 = {"table2", "Cross-validation beside the paper's Table II", put,
                                  text, show};
