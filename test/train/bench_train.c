/*
 * How long the full selection takes for the paper's numbers of points, and what
 * it finds:  bench_train [POINTS [FOLDS]]
 * POINTS: a file to use instead of points made from known functions.
 * FOLDS: a file to write the folds to (operation, point, fold), for caret.R.
 */

#include <stdio.h>
#include <stdlib.h>

#include "synthetic.h"
#include "train.h"

static void print(const train_operation *o)
{
    const train_candidate *best = &o->candidates[o->best], *c = &o->candidates[o->chosen];

    printf("%-14s %6d  %-7s %8.5f %8.5f %8.5f %8.5f %11.4g %8.4f  best: %-7s %8.4f %11.4g\n"
           "  %s; %s\n",
           atm_operation_name(o->operation), o->count, c->algorithm, c->score.r2,
           c->score.r2_explained, c->score.log_r2, c->score.log_r2_explained, c->score.rmse,
           c->score.log_rmse, best->algorithm, best->score.log_rmse, best->score.rmse,
           c->preprocessing, c->settings);
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

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "bench-train-points.json";
    const char *criterion = getenv("CRITERION"), *threads = getenv("THREADS");
    train_options options = {.seed = 1,
                             .criterion = criterion != NULL ? TRAIN_SECONDS : TRAIN_LOG,
                             .threads = threads != NULL ? atoi(threads) : 0};
    atm_message message = {""};
    points *points = NULL;
    train_result *result = NULL;

    if (argc <= 1 && !synthetic_write(path, 0.1, 1))
        return 1;
    if (points_read(path, &message, &points) != ATM_OK ||
        train_run(&points, 1, &options, &message, &result) != ATM_OK) {
        fprintf(stderr, "bench_train: %s\n", message.text);
        points_destroy(points);
        return 1;
    }
    for (int i = 0; i < result->operation_count; i++) {
        print(&result->operations[i]);
        if (getenv("VERBOSE") != NULL)
            print_algorithms(&result->operations[i]);
    }
    printf("selection took %.1f s\n", result->seconds);
    if (argc > 2)
        write_folds(result, argv[2]);
    train_destroy(result);
    points_destroy(points);
    return 0;
}
