/* The paper's Table II for this machine. */

#include <math.h>

#include "report.h"
#include "common/units.h"

const train_score *report_score(const train_operation *operation)
{
    return &operation->candidates[operation->chosen].score;
}

double report_relative(double log_rmse)
{
    return exp(log_rmse) - 1;
}

/* R-squared with as many digits as the paper, or a dash. */
static void r2_cell(FILE *out, const page_column *column, double r2)
{
    if (isfinite(r2))
        page_cell(out, column, "%.3f", r2);
    else
        page_cell(out, column, "-");
}

static const page_column columns[] = {
    {"operation", false},     {"model", false},
    {"points", true},         {"R\u00b2", true},
    {"ceiling", true},        {"RMSE", true},
    {"R\u00b2 of ln", true},  {"ceiling", true},
    {"relative error", true}, {"the paper's (model, points)", false},
    {"R\u00b2", true},        {"RMSE, s", true}};

enum { OURS = 9, COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void put_paper(FILE *out, atm_operation operation)
{
    train_paper paper;

    if (!train_paper_of(operation, &paper)) {
        for (int i = OURS; i < COLUMNS; i++)
            page_cell(out, &columns[i], "-");
        return;
    }
    page_cell(out, &columns[OURS], "%s (%s, %d)", paper.name, paper.algorithm, paper.points);
    page_cell(out, &columns[OURS + 1], "%.2f", paper.r2);
    page_cell(out, &columns[OURS + 2], "%.3g", paper.rmse);
}

static void put_row(FILE *out, const train_operation *operation)
{
    const train_score *score = report_score(operation);
    bool known = operation->repeatable_known;

    page_row(out, false);
    page_cell(out, &columns[0], "%s", atm_operation_name(operation->operation));
    page_cell(out, &columns[1], "%s", operation->candidates[operation->chosen].algorithm);
    page_cell(out, &columns[2], "%d", operation->count);
    r2_cell(out, &columns[3], score->r2);
    r2_cell(out, &columns[4], known ? operation->ceiling.r2 : NAN);
    page_cell(out, &columns[5], "%s", units_seconds(score->rmse).text);
    r2_cell(out, &columns[6], score->log_r2);
    r2_cell(out, &columns[7], known ? operation->ceiling.log_r2 : NAN);
    page_cell(out, &columns[8], "%s", units_share(report_relative(score->log_rmse)).text);
    put_paper(out, operation->operation);
    page_row_end(out);
}

void report_table2(FILE *out, const train_result *result)
{
    char caption[160];

    snprintf(caption, sizeof(caption),
             "Cross-validation with %d folds on this machine, and Table II of the paper on Vesta, "
             "a Blue Gene/Q",
             result->folds);
    page_table(out, caption, columns, COLUMNS);
    for (int i = 0; i < result->operation_count; i++)
        put_row(out, &result->operations[i]);
    page_table_end(out);
    page_text(out,
              "R\u00b2 and RMSE are of predictions for points that the model had not seen. R\u00b2 "
              "of seconds is decided by the largest operations; R\u00b2 of ln and the relative "
              "error weigh all alike, and choices depend on those. The ceiling is the R\u00b2 of a "
              "second visit to the same points as a prediction of the first: what noise leaves "
              "for any model to explain. A dash: not known.");
    page_text(out, "Paper: Isaila et al., Collective I/O tuning using analytical and "
                   "machine-learning models, IEEE Cluster 2015, Table II and section V-C3. Its "
                   "RMSE is of another machine and other sizes, so only R\u00b2 compares.");
}
