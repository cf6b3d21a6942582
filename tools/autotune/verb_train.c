/* autotune train: from points to a profile. */

#include "autotune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "report/report.h"
#include "train/runs.h"
#include "train/train.h"

typedef struct train_command {
    const char *output, *report;
    int seed, threads, folds;
    train_criterion criterion;
    bool ml;
    int shown; /* progress: percent on the line, or tenths of lines printed */
} train_command;

static const char *set_criterion(const char *value, void *variables)
{
    train_command *command = variables;

    if (strcmp(value, "log") != 0 && strcmp(value, "seconds") != 0)
        return "must be log or seconds";
    command->criterion = strcmp(value, "log") == 0 ? TRAIN_LOG : TRAIN_SECONDS;
    return NULL;
}

static const char *set_kind(const char *value, void *variables)
{
    train_command *command = variables;

    if (strcmp(value, "hybrid") != 0 && strcmp(value, "ml") != 0)
        return "must be hybrid or ml";
    command->ml = strcmp(value, "ml") == 0;
    return NULL;
}

static const option_entry entries[] = {
    {"output", "FILE", "the profile to write (also -o FILE)", OPTION_TEXT,
     offsetof(train_command, output), NULL},
    {"report", "FILE", "also a page that shows what was learned, and how well", OPTION_TEXT,
     offsetof(train_command, report), NULL},
    {"seed", "N", "of everything random (default 1)", OPTION_COUNT, offsetof(train_command, seed),
     NULL},
    {"folds", "N", "of the cross-validation (default 10)", OPTION_COUNT,
     offsetof(train_command, folds), NULL},
    {"threads", "N", "default: one for each core", OPTION_COUNT, offsetof(train_command, threads),
     NULL},
    {"criterion", "WHICH", "log (default): relative errors decide; seconds: as in the paper",
     OPTION_SPECIAL, 0, set_criterion},
    {"kind", "WHICH", "hybrid (default); ml: the paper's black box, learned from runs",
     OPTION_SPECIAL, 0, set_kind},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune train [options] POINTS... -o PROFILE",
    .about = "Learns what the operations of one machine cost from what autotune-calibrate "
             "measured.\n",
    .entries = entries};

/* --- the command line */

static void name_in_full(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-o") == 0)
            argv[i] = "--output";
}

/* --- progress */

static void show_progress(void *command_, double done)
{
    train_command *command = command_;
    int percent = (int) (100 * done);

    if (isatty(STDERR_FILENO)) {
        if (percent > command->shown)
            fprintf(stderr, "\rtraining: %3d %%", percent);
    } else if (percent / 25 > command->shown / 25) {
        fprintf(stderr, "training: %d %% done\n", percent / 25 * 25);
    }
    command->shown = percent > command->shown ? percent : command->shown;
}

static void end_progress(const train_command *command)
{
    if (command->shown > 0 && isatty(STDERR_FILENO))
        fputs("\r                \r", stderr);
}

/* --- the result in words */

static void print_r2(double r2)
{
    if (isnan(r2))
        printf(" %6s", "-");
    else
        printf(" %6.3f", r2);
}

static void print_operation(const train_operation *o, bool ml)
{
    const train_candidate *c = &o->candidates[o->chosen];
    train_paper paper;

    printf("%-17s %6d  %-7s", ml ? "run time" : atm_operation_name(o->operation), o->count,
           c->algorithm);
    print_r2(c->score.r2);
    print_r2(c->score.r2_explained);
    print_r2(c->score.log_r2);
    printf(" %9.3g %5.1f %% ", c->score.rmse, 100 * expm1(c->score.log_rmse));
    print_r2(o->repeatable_known ? o->ceiling.r2 : NAN);
    print_r2(o->repeatable_known ? o->ceiling.log_r2 : NAN);
    if (ml)
        printf("   %-14s %6d %-6s %5.2f %9.2e", "ml", 99, "svr", 0.85, 1.79e+01);
    else if (train_paper_of(o->operation, &paper))
        printf("   %-14s %6d %-6s %5.2f %9.2e", paper.name, paper.points, paper.algorithm, paper.r2,
               paper.rmse);
    printf("\n");
}

static void print_result(const train_result *result, const char *output, bool ml)
{
    printf("%-17s %6s  %-7s %6s %6s %6s %9s %7s  %6s %6s   %s\n", "", "", "chosen", "", "1 -", "R2",
           "RMSE", "error,", "repeat", "repeat",
           "cited from the paper (Table II, another machine)");
    printf("%-17s %6s  %-7s %6s %6s %6s %9s %7s  %6s %6s   %-14s %6s %-6s %5s %9s\n", "operation",
           "points", "model", "R2", "E/T", "of log", "s", "typical", "R2", "of log", "component",
           "points", "model", "R2", "RMSE");
    for (int i = 0; i < result->operation_count; i++)
        print_operation(&result->operations[i], ml);
    for (int i = 0; i < result->note_count; i++)
        printf("%s\n", result->notes[i]);
    for (int i = 0; i < result->operation_count; i++)
        for (int k = 0; k < result->operations[i].note_count; k++)
            printf("%s: %s\n",
                   ml ? "run time" : atm_operation_name(result->operations[i].operation),
                   result->operations[i].notes[k]);
    if (result->operation_count > 0)
        printf("%s: written; cross-validation with %d folds, %d candidates for each, %.1f s\n",
               output, result->folds, result->operations[0].candidate_count, result->seconds);
    else
        printf("%s: written\n", output);
}

static void print_scaled(const char *name, const atm_scaled *scaled)
{
    double error = expm1(hypot(log1p(scaled->error), log1p(scaled->spread)));

    printf("%s: %d point%s, too few to learn from: ", name, (int) scaled->points,
           scaled->points == 1 ? "" : "s");
    if (strcmp(scaled->donor, ATM_SCALED_STORAGE) == 0)
        printf("a law of all points of storage");
    else
        printf("%.3g times %s", scaled->factor, scaled->donor);
    printf(", error %.0f %%\n", 100 * error);
}

/* What the profile says of operations that were not learned. */
static void print_others(const atm_profile *profile)
{
    const char *between = "generic costs kept for: ";

    for (int i = 0; i < ATM_OPERATION_COUNT; i++)
        if (atm_surrogate_scaled(profile->operations[i]) != NULL)
            print_scaled(atm_operation_name((atm_operation) i),
                         atm_surrogate_scaled(profile->operations[i]));
    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        if (!profile->generic[i] || !atm_profile_uses(profile, (atm_operation) i))
            continue;
        printf("%s%s", between, atm_operation_name((atm_operation) i));
        between = ", ";
    }
    if (between[0] == ',')
        printf("\n");
}

/* --- the work */

/* A calibration that was interrupted leaves only a journal. */
static void hint_at_journal(const char *file)
{
    char *journal = NULL;

    if (access(file, F_OK) != 0 && asprintf(&journal, "%s.journal", file) >= 0 &&
        access(journal, F_OK) == 0)
        fprintf(stderr,
                "autotune train: %s exists: the calibration is not complete; run the same "
                "autotune-calibrate command to continue\n",
                journal);
    free(journal);
}

static int complain(const char *file, atm_status status, const atm_message *message)
{
    if (message->text[0] != '\0')
        fprintf(stderr, "autotune train: %s\n", message->text);
    else
        fprintf(stderr, "autotune train: %s: %s\n", file, atm_status_text(status));
    return status == ATM_BAD_FILE ? 2 : 1;
}

/* Describes the profile as it stands in its file. */
static atm_status describe_profile(const train_result *result, const train_command *command,
                                   atm_message *message)
{
    atm_profile *profile;
    atm_status status = atm_profile_load(command->output, message, &profile);

    if (status != ATM_OK)
        return status;
    print_others(profile);
    if (command->report != NULL)
        status = report_train(result, profile, command->report, message);
    atm_profile_destroy(profile);
    return status;
}

static int learn(points *const *files, int count, train_command *command)
{
    train_options options = {.seed = (uint64_t) command->seed,
                             .folds = command->folds,
                             .threads = command->threads,
                             .criterion = command->criterion,
                             .algorithm = command->ml ? "svr" : NULL,
                             .progress = show_progress,
                             .context = command};
    atm_message message = {""};
    train_result *result = NULL;
    atm_value *document = NULL;
    atm_status status = train_run(files, count, &options, &message, &result);
    int code = 0;

    end_progress(command);
    if (status == ATM_OK)
        status = command->ml ? runs_ml_document(result, &document)
                             : train_profile(result, &message, &document);
    if (status == ATM_OK)
        status = atm_value_write(document, command->output, &message);
    if (status == ATM_OK)
        print_result(result, command->output, command->ml);
    if (status == ATM_OK && !command->ml)
        status = describe_profile(result, command, &message);
    if (status == ATM_OK && command->report != NULL)
        printf("%s: written\n", command->report);
    if (status != ATM_OK)
        code = complain(files[0]->source, status, &message);
    atm_value_destroy(document);
    train_destroy(result);
    return code;
}

static int train(char *const *names, int count, train_command *command)
{
    points **files = calloc((size_t) count, sizeof(*files));
    int code = 0;

    for (int i = 0; files != NULL && code == 0 && i < count; i++) {
        atm_message message = {""};
        atm_status status = command->ml ? runs_read(names[i], &message, &files[i])
                                        : points_read(names[i], &message, &files[i]);

        /* a file that cannot be read is also a bad input */
        if (status != ATM_OK && complain(names[i], status, &message) != 0)
            code = status == ATM_NO_MEMORY ? 1 : 2;
        if (status == ATM_NO_ACCESS)
            hint_at_journal(names[i]);
    }
    if (code == 0)
        code = files != NULL ? learn(files, count, command) : 1;
    for (int i = 0; files != NULL && i < count; i++)
        points_destroy(files[i]);
    free(files);
    return code;
}

int autotune_train(int argc, char **argv)
{
    train_command command = {.seed = 1, .folds = 10};
    char **arguments = calloc((size_t) argc + 1, sizeof(char *));
    char **files = calloc((size_t) argc + 1, sizeof(char *));
    int count = 0, code = 1;

    if (arguments != NULL && files != NULL) {
        option_result result;

        memcpy(arguments, argv, (size_t) argc * sizeof(char *));
        name_in_full(argc, arguments);
        argc = options_separate(&table, argc, arguments, files, &count);
        result = options_parse(&table, argc, arguments, &command);
        if (result != OPTIONS_GO_ON)
            code = result == OPTIONS_HELP ? 0 : 2;
        else if (count == 0 || command.output == NULL)
            code = options_complain(&table, "points and -o are needed (try --help)");
        else if (command.ml && command.report != NULL)
            code = options_complain(&table, "--report is for --kind hybrid");
        else if (command.folds < 2 || command.folds > 100)
            code = options_complain(&table, "--folds %d: must be 2 to 100", command.folds);
        else
            code = train(files, count, &command);
    }
    free(files);
    free(arguments);
    return code;
}
