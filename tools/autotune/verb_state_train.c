/* autotune state train: from traces to a state model. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/units.h"
#include "report/report_state.h"
#include "verb_state.h"

typedef struct train_command {
    const char *output, *report, *kind;
    int seed, threads;
    uint64_t bytes;
    bool per_target;
    int shown;
} train_command;

static const char *set_kind(const char *value, void *variables)
{
    train_command *command = variables;

    for (int i = 0; learner_at(i) != NULL; i++)
        if (strcmp(value, learner_at(i)->name) == 0 && !learner_at(i)->baseline) {
            command->kind = learner_at(i)->name;
            return NULL;
        }
    return "must be one of latency, markov, naive_bayes, tree, forest, boosting (if built with "
           "XGBoost), svm and mlp";
}

static const option_entry entries[] = {
    {"output", "FILE", "the state model to write (also -o FILE)", OPTION_TEXT,
     offsetof(train_command, output), NULL},
    {"report", "FILE", "also a page that shows what was learned, and how well", OPTION_TEXT,
     offsetof(train_command, report), NULL},
    {"per-target", NULL, "learn each target alone, as in the paper (default: all together)",
     OPTION_FLAG, offsetof(train_command, per_target), NULL},
    {"kind", "NAME", "only this kind of classifier (default: the best of all)", OPTION_SPECIAL, 0,
     set_kind},
    {"bytes", "SIZE", "of the large writes to look at (default: what most have)", OPTION_SIZE,
     offsetof(train_command, bytes), NULL},
    {"seed", "N", "of everything random (default 1)", OPTION_COUNT, offsetof(train_command, seed),
     NULL},
    {"threads", "N", "default: one for each core", OPTION_COUNT, offsetof(train_command, threads),
     NULL},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune state train [options] TRACES... -o MODEL",
    .about = "Learns from what autotune-probe measured which storage targets have an idle and a\n"
             "busy state, and how to tell which of them a target is in.\n",
    .entries = entries};

static void show_progress(void *command_, double done)
{
    train_command *command = command_;
    int percent = (int) (100 * done);

    if (isatty(STDERR_FILENO) && percent > command->shown) {
        fprintf(stderr, "\rlearning: %3d %%", percent);
        command->shown = percent;
    }
}

/* --- the result in words */

static void print_share(double share)
{
    if (isnan(share))
        printf("  %6s", "-");
    else
        printf("  %5.1f %%", 100 * share);
}

static void print_kind(const learn_kind *k, bool chosen)
{
    printf("%-12s", k->learner->name);
    print_share(score_accuracy(&k->folds));
    print_share(score_accuracy(&k->held_out));
    if (isnan(k->auc))
        printf("  %5s", "-");
    else
        printf("  %5.3f", k->auc);
    for (int i = 0; i < LEARN_SHARES; i++)
        print_share(score_accuracy(&k->less[i]));
    printf("%s\n", chosen ? "  chosen" : k->learner->baseline ? "  to be beaten" : "");
}

void state_print_result(const learn_result *r)
{
    if (r->kinds > 0)
        printf("%-12s  %7s  %7s  %5s  %7s  %7s  %7s\n%-12s  %7s  %7s  %5s  %7s  %7s  %7s\n", "",
               "unseen", "held-", "", "learned", "of", "of", "accuracy of", "folds", "out days",
               "AUC", "of 1/2", "1/4", "1/8 day");
    for (int k = 0; k < r->kinds; k++)
        print_kind(&r->kind[k], k == r->chosen);
    printf("%d target%s, %d of them with two states, %d predicted by a classifier that beats "
           "persistence and majority on unseen days",
           r->rows.target_count, r->rows.target_count == 1 ? "" : "s", r->two, r->used);
    printf(r->persistent > 0 ? ", %d by persistence, which beats majority\n" : "\n", r->persistent);
    if (r->drift > 3)
        printf("held-out days are worse than the others by %.1f standard errors: the system "
               "changed\n",
               r->drift);
#ifndef HAVE_XGBOOST
    puts("boosting was not tried: built without XGBoost");
#endif
}

/* --- the work */

static int learn(const trace *trace, train_command *command)
{
    learn_options options = {
        .seed = (uint64_t) command->seed,
        .per_target = command->per_target,
        .kind = command->kind,
        .bytes = (double) command->bytes,
        .parallel = {.threads = command->threads, .progress = show_progress, .context = command}};
    atm_message message = {""};
    learn_result *result = NULL;
    atm_value *document = NULL;
    atm_status status = learn_run(trace, &options, &message, &result);

    if (command->shown > 0)
        fputs("\r                \r", stderr);
    if (status == ATM_OK)
        status = learn_document(trace, &options, result, &document);
    if (status == ATM_OK)
        status = atm_value_write(document, command->output, &message);
    if (status == ATM_OK) {
        double from = 0, to = 0;

        state_print_result(result);
        trace_span(trace, &from, &to);
        printf("%s: written; large writes of %s, %s to %s, %.1f s\n", command->output,
               units_bytes(result->rows.bytes).text, state_time(from).text, state_time(to).text,
               result->seconds);
    }
    if (status == ATM_OK && command->report != NULL)
        status = report_state(trace, result, command->report, &message);
    if (status == ATM_OK && command->report != NULL)
        printf("%s: written\n", command->report);
    atm_value_destroy(document);
    learn_destroy(result);
    if (status == ATM_BAD_ARGUMENT && message.text[0] == '\0')
        snprintf(message.text, sizeof(message.text),
                 "%.100s: would exceed what a file may have: leave out --per-target",
                 command->output);
    /* a file that cannot be written is no bad input */
    return status == ATM_OK ? 0
                            : (state_complain("train", command->output, status, &message),
                               status == ATM_BAD_FILE ? 2 : 1);
}

int state_train(int argc, char **argv)
{
    train_command command = {.seed = 1};
    char **files = NULL;
    trace *trace = NULL;
    int count, code;
    option_result result = state_arguments(&table, argc, argv, &command, &files, &count);

    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else if (count == 0 || command.output == NULL)
        code = options_complain(&table, "traces and -o are needed (try --help)");
    else
        code = state_read_traces("train", files, count, &trace);
    if (trace != NULL)
        code = learn(trace, &command);
    trace_destroy(trace);
    free(files);
    return code;
}
