/* autotune-evaluate: strategies of tuning compared on proving grounds. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "questions.h"
#include "results.h"
#include "common/options.h"

typedef struct evaluate_command {
    const char *html, *json, *markdown, *results, *figure, *profile;
    int seed, repetitions, noisy, threads;
    bool text;
} evaluate_command;

static const option_entry entries[] = {
    {"html", "FILE", "write a page with the paper's figures for this ground", OPTION_TEXT,
     offsetof(evaluate_command, html), NULL},
    {"json", "FILE", "write all numbers", OPTION_TEXT, offsetof(evaluate_command, json), NULL},
    {"markdown", "FILE", "write a document with a section for each ground", OPTION_TEXT,
     offsetof(evaluate_command, markdown), NULL},
    {"results", "FILE", "write one page of all grounds: what each mode of the driver gains",
     OPTION_TEXT, offsetof(evaluate_command, results), NULL},
    {"figure", "FILE", "write its figure, SVG", OPTION_TEXT, offsetof(evaluate_command, figure),
     NULL},
    {"text", NULL, "print the whole section, not only a summary", OPTION_FLAG,
     offsetof(evaluate_command, text), NULL},
    {"profile", "FILE", "hybrid uses this profile in place of the ground's points", OPTION_TEXT,
     offsetof(evaluate_command, profile), NULL},
    {"seed", "N", "of everything random (default 1)", OPTION_COUNT,
     offsetof(evaluate_command, seed), NULL},
    {"repetitions", "N", "of whatever is random (default 10)", OPTION_COUNT,
     offsetof(evaluate_command, repetitions), NULL},
    {"threads", "N", "default: one for each core", OPTION_COUNT,
     offsetof(evaluate_command, threads), NULL},
    {"noisy", "N", "simulated grounds: train with noise, so many times for each of three (0)",
     OPTION_COUNT, offsetof(evaluate_command, noisy), NULL},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune-evaluate [options] GROUND...",
    .about = "Compares strategies of tuning on what was measured on a proving ground: a directory "
             "with\nsweep.json and points.json.\n",
    .entries = entries};

enum { REPETITIONS_MAX = 1000 };

static int complain(const char *file, atm_status status, const atm_message *message)
{
    if (message->text[0] != '\0')
        fprintf(stderr, "autotune-evaluate: %s\n", message->text);
    else
        fprintf(stderr, "autotune-evaluate: %s: %s\n", file, atm_status_text(status));
    return status == ATM_BAD_FILE ? 2 : 1;
}

/* --- outputs */

static void print_summary(const study *study)
{
    printf("%s: %s\n\n", study->sweep->name, study->sweep->title);
    question_strategies.text(stdout, study);
    printf("\n");
    question_goals.text(stdout, study);
}

static atm_status write_json(const study *study, const char *path, atm_message *message)
{
    atm_value *document;
    atm_status status = questions_document(study, &document);

    if (status != ATM_OK)
        return status;
    status = atm_value_write(document, path, message);
    atm_value_destroy(document);
    return status;
}

/* What goes into a file of text about all grounds. */
typedef void put_function(FILE *out, const evaluate_command *command, study *const *studies,
                          int count);

static void put_appendix(FILE *out, const evaluate_command *command, study *const *studies,
                         int count)
{
    (void) command;
    fputs(
        "# Results: appendix\n\nWritten by `autotune-evaluate`, not by hand; `make results` writes "
        "it anew.\nThe paper is Isaila et al., Collective I/O tuning using analytical and "
        "machine-learning\nmodels, IEEE Cluster 2015.\n",
        out);
    questions_overview(out, studies, count);
    for (int i = 0; i < count; i++) {
        fputs("\n", out);
        questions_text(out, studies[i]);
    }
}

static void put_results(FILE *out, const evaluate_command *command, study *const *studies,
                        int count)
{
    const char *slash = command->figure != NULL ? strrchr(command->figure, '/') : NULL;

    results_page(out, studies, count, slash != NULL ? slash + 1 : command->figure);
}

static void put_figure(FILE *out, const evaluate_command *command, study *const *studies, int count)
{
    (void) command;
    results_figure(out, studies, count);
}

static atm_status write_text(const char *path, put_function *put, const evaluate_command *command,
                             study *const *studies, int count, atm_message *message)
{
    page *page; /* it saves files as a whole */
    atm_status status = page_open(&page);

    if (status != ATM_OK)
        return status;
    put(page->out, command, studies, count);
    status = page_save(page, path, message);
    page_close(page);
    return status;
}

static int write_all(const evaluate_command *command, study *const *studies, int count)
{
    const struct {
        const char *path;
        put_function *put;
    } texts[] = {{command->markdown, put_appendix},
                 {command->results, put_results},
                 {command->figure, put_figure}};
    atm_message message = {""};
    atm_status status = ATM_OK;
    const char *path = NULL;

    for (int i = 0; i < count; i++) {
        if (i > 0)
            printf("\n");
        if (command->text)
            questions_text(stdout, studies[i]);
        else
            print_summary(studies[i]);
    }
    if (command->json != NULL)
        status = write_json(studies[0], path = command->json, &message);
    if (status == ATM_OK && command->html != NULL)
        status = questions_page(studies[0], path = command->html, &message);
    for (size_t i = 0; status == ATM_OK && i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].path != NULL)
            status =
                write_text(path = texts[i].path, texts[i].put, command, studies, count, &message);
    return status == ATM_OK ? 0 : complain(path, status, &message);
}

/* --- the work */

static int run_all(const evaluate_command *command, char *const *paths, study **studies, int count)
{
    progress line = {.step = ""};
    study_options options = {.seed = (uint64_t) command->seed,
                             .repetitions = command->repetitions,
                             .threads = command->threads,
                             .noisy = command->noisy,
                             .profile = command->profile,
                             .progress = &line};
    atm_message message = {""};
    atm_status status = ATM_OK;
    int at = 0;

    for (; status == ATM_OK && at < count; at++)
        status = study_open(paths[at], &options, &message, &studies[at]);
    /* also a ground that cannot be read is a bad input */
    if (status != ATM_OK) {
        complain(paths[at - 1], status, &message);
        return status == ATM_NO_MEMORY ? 1 : 2;
    }
    for (at = 0; status == ATM_OK && at < count; at++)
        status = study_run(studies[at], &message);
    if (status == ATM_OK)
        return write_all(command, studies, count);
    complain(paths[at - 1], status, &message);
    return status == ATM_NO_MEMORY ? 1 : 2;
}

static int evaluate(const evaluate_command *command, char *const *paths, int count)
{
    study **studies = calloc((size_t) count, sizeof(*studies));
    int code = 1;

    if (studies != NULL)
        code = run_all(command, paths, studies, count);
    for (int i = 0; studies != NULL && i < count; i++)
        study_close(studies[i]);
    free(studies);
    return code;
}

static int check(const evaluate_command *command, int count)
{
    if (count == 0)
        return options_complain(&table, "a ground is needed (try --help)");
    if (count > 1 && (command->html != NULL || command->json != NULL))
        return options_complain(&table, "--html and --json are for one ground");
    if (command->repetitions > REPETITIONS_MAX)
        return options_complain(&table, "--repetitions %d: must be at most %d",
                                command->repetitions, REPETITIONS_MAX);
    return 0;
}

int main(int argc, char **argv)
{
    evaluate_command command = {.seed = 1, .repetitions = 10};
    char **paths = calloc((size_t) argc + 1, sizeof(*paths));
    option_result result;
    int count = 0, code = 1;

    if (paths == NULL)
        return code;
    argc = options_separate(&table, argc, argv, paths, &count);
    result = options_parse(&table, argc, argv, &command);
    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else if ((code = check(&command, count)) == 0)
        code = evaluate(&command, paths, count);
    free(paths);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("autotune-evaluate: standard output");
        code = code != 0 ? code : 1;
    }
    return code;
}
