/*
 * How long the full selection takes for the paper's numbers of points, and what
 * it finds:  bench_train [POINTS|- [FOLDS]]
 * POINTS: a file to use instead of points made from known functions with 10 %
 * noise.  FOLDS: a file to write features and folds to, for caret.R.  Environment: ONLY: one
 * operation; NOISE: instead of 0.1; THREADS; CRITERION=seconds; VERBOSE: the best of each
 * algorithm.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit/train/synthetic.h"
#include "train/train.h"

static void print(const train_operation *o)
{
    const train_candidate *best = &o->candidates[o->best], *c = &o->candidates[o->chosen];

    printf("%-17s %5d  %-7s R2 %.4f explained %.4f, of logs %.4f %.4f, RMSE %.4g of logs %.4f; "
           "best: %-7s %.4f\n",
           atm_operation_name(o->operation), o->count, c->algorithm, c->score.r2,
           c->score.r2_explained, c->score.log_r2, c->score.log_r2_explained, c->score.rmse,
           c->score.log_rmse, best->algorithm, best->score.log_rmse);
    if (o->repeatable_known)
        printf("%30s ceiling R2 %.4f, of logs %.4f\n", "", o->ceiling.r2, o->ceiling.log_r2);
}

static void print_algorithms(const train_operation *o)
{
    for (int i = 0; i < o->candidate_count;) {
        const train_candidate *best = NULL;
        const char *algorithm = o->candidates[i].algorithm;

        for (; i < o->candidate_count && o->candidates[i].algorithm == algorithm; i++)
            if (o->candidates[i].finished && (best == NULL || o->candidates[i].error < best->error))
                best = &o->candidates[i];
        if (best != NULL)
            printf("    %-7s %9.5f %11.4g  falls %4.2f  %s; %s\n", algorithm, best->score.log_rmse,
                   best->score.rmse, best->falls, best->preprocessing, best->settings);
    }
}

static void write_folds(const train_result *result, const char *path)
{
    FILE *file = fopen(path, "w");

    for (int i = 0; file != NULL && i < result->operation_count; i++) {
        const train_operation *o = &result->operations[i];

        fprintf(file, "# %s", atm_operation_name(o->operation));
        for (int k = 0; k < o->feature_count; k++)
            fprintf(file, " %s", atm_feature_name(o->features[k]));
        fprintf(file, "\n");
        for (int p = 0; p < o->count; p++) {
            fprintf(file, "%d %.17g", o->fold[p], o->points[p]->seconds);
            for (int k = 0; k < o->feature_count; k++)
                fprintf(file, " %.17g", o->points[p]->features[o->features[k]]);
            fprintf(file, "\n");
        }
    }
    if (file != NULL)
        fclose(file);
}

/* Points of other operations move to the end, where they do not count. */
static void keep_only(points *points, const char *operation)
{
    int kept = 0, count = points->count;

    for (int i = 0; i < count; i++) {
        points_point point = points->at[i];

        if (strcmp(atm_operation_name(point.operation), operation) == 0) {
            points->at[i] = points->at[kept];
            points->at[kept++] = point;
        }
    }
    for (int i = kept; i < count; i++)
        free(points->at[i].visit_means);
    points->count = kept;
}

static void report(const train_result *result)
{
    for (int i = 0; i < result->operation_count; i++) {
        print(&result->operations[i]);
        if (getenv("VERBOSE") != NULL)
            print_algorithms(&result->operations[i]);
    }
    if (result->operation_count == 1) {
        const train_operation *o = &result->operations[0];
        const train_candidate *c = &o->candidates[o->chosen];

        printf("score %s %d %s %.5f %.3f\n", atm_operation_name(o->operation), o->count,
               c->algorithm, c->score.log_rmse, result->seconds);
    }
    printf("selection took %.1f s\n", result->seconds);
}

static atm_status read_points(const char *path, atm_message *message, points **points_p)
{
    char made[] = "/tmp/autotune-bench-points.XXXXXX";
    atm_status status = ATM_NO_ACCESS;
    int file;

    if (path != NULL && strcmp(path, "-") != 0)
        return points_read(path, message, points_p);
    file = mkstemp(made);
    if (file >= 0 && synthetic_write(made, ATM_OPERATION_COUNT,
                                     getenv("NOISE") != NULL ? atof(getenv("NOISE")) : 0.1, 1))
        status = points_read(made, message, points_p);
    if (file >= 0) {
        close(file);
        unlink(made);
    }
    return status;
}

int main(int argc, char **argv)
{
    const char *only = getenv("ONLY"), *criterion = getenv("CRITERION");
    const char *threads = getenv("THREADS");
    train_options options = {.seed = 1,
                             .criterion = criterion != NULL && strcmp(criterion, "seconds") == 0
                                              ? TRAIN_SECONDS
                                              : TRAIN_LOG,
                             .threads = threads != NULL ? atoi(threads) : 0};
    atm_message message = {""};
    points *points = NULL;
    train_result *result = NULL;
    atm_status status = read_points(argc > 1 ? argv[1] : NULL, &message, &points);

    if (status == ATM_OK && only != NULL)
        keep_only(points, only);
    if (status == ATM_OK)
        status = train_run(&points, 1, &options, &message, &result);
    if (status == ATM_OK) {
        report(result);
        if (argc > 2)
            write_folds(result, argv[2]);
    } else {
        fprintf(stderr, "bench_train: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
    }
    train_destroy(result);
    points_destroy(points);
    return status == ATM_OK ? 0 : 1;
}
