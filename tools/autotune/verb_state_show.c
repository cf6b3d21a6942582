/* autotune state show: a state model or a state in words. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "autotune.h"
#include "report/report_state.h"
#include "verb_state.h"

typedef struct show_command {
    bool json;
    const char *page;
    int hours;
} show_command;

static const option_entry entries[] = {
    {"json", NULL, "print the file as it was read", OPTION_FLAG, offsetof(show_command, json),
     NULL},
    {"page", "FILE", "also a page with maps of targets over time; needs a model and traces",
     OPTION_TEXT, offsetof(show_command, page), NULL},
    {"hours", "N", "of the traces that the page shows (default 24)", OPTION_COUNT,
     offsetof(show_command, hours), NULL},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune state show [options] FILE [TRACES...]",
    .about = "Describes a state model (of autotune state train) or a state (of autotune state\n"
             "watch).  Seconds are means for a GiB.\n",
    .entries = entries};

/* --- a model */

static void print_accuracy(const model_target *t)
{
    if (t->rows > 0)
        printf("  %5.1f %%  %5.1f %%  %5.1f %%", 100 * t->accuracy, 100 * t->persistence,
               100 * t->majority);
    else
        printf("  %7s  %7s  %7s", "-", "-", "-");
}

static void print_target(const state_model *m, const model_target *t)
{
    const atm_classifier *c = model_classifier(m, t);
    const mixture *x = &t->mixture;

    printf("%6d  %6zu  %6d  %8.3g", t->target, x->samples, x->states, mixture_seconds(&x->idle));
    if (x->states == 2)
        printf("  %8.3g  %5.1f %%", mixture_seconds(&x->busy), 100 * x->busy.weight);
    else
        printf("  %8s  %7s", "-", "-");
    printf("  %5.2f  %5.2f", x->ashman, x->distance);
    print_accuracy(t);
    printf("  %s\n", c != NULL ? atm_classifier_kind(c) : "-");
}

static void print_model(const state_model *m)
{
    printf("state model of %s, trained %s on %s to %s\n", m->path, state_time(m->trained).text,
           state_time(m->from).text, state_time(m->to).text);
    printf("%6s  %6s  %6s  %8s  %8s  %7s  %5s  %5s  %-25s\n", "", "", "", "idle", "busy", "time",
           "Ash-", "busy/", "right on held-out days");
    printf("%6s  %6s  %6s  %8s  %8s  %7s  %5s  %5s  %7s  %7s  %7s  %s\n", "target", "writes",
           "states", "s", "s", "busy", "man D", "idle", "", "persist", "major", "classifier");
    for (int i = 0; i < m->count; i++)
        print_target(m, &m->targets[i]);
}

static int make_page(const show_command *command, const state_model *m, char *const *traces,
                     int count)
{
    atm_message message = {""};
    trace *trace = NULL;
    int code = state_read_traces("show", traces, count, &trace);
    atm_status status;

    if (code != 0)
        return code;
    status = report_state_now(m, trace, command->hours, command->page, &message);
    trace_destroy(trace);
    if (status != ATM_OK)
        return state_complain("show", command->page, status, &message), 1;
    printf("%s: written\n", command->page);
    return 0;
}

static int show_model(const show_command *command, char *const *files, int count)
{
    atm_message message = {""};
    state_model *m = NULL;
    atm_status status = model_read(files[0], &message, &m);
    int code = 0;

    if (status != ATM_OK)
        return state_complain("show", files[0], status, &message);
    print_model(m);
    if (command->page != NULL)
        code = make_page(command, m, files + 1, count - 1);
    model_destroy(m);
    return code;
}

/* --- a state */

static int show_state(const char *path)
{
    atm_message message = {""};
    atm_state *s = NULL;
    atm_status status = atm_state_load(path, &message, &s);

    if (status != ATM_OK)
        return state_complain("show", path, status, &message);
    printf("state of %s, said %s, holds until %s\n", s->path, state_time(s->said).text,
           state_time(s->until).text);
    printf("%6s  %7s  %7s  %8s  %8s  %6s\n", "target", "idle", "usually", "idle s", "busy s",
           "usable");
    for (int i = 0; i < s->count; i++) {
        const atm_target *t = &s->targets[i];

        printf("%6d  %5.1f %%  %5.1f %%  %8.3g  %8.3g  %6s\n", t->index, 100 * t->idle,
               100 * t->usual, atm_pace_seconds(&t->paces[ATM_IDLE]),
               atm_pace_seconds(&t->paces[ATM_BUSY]), t->usable ? "yes" : "no");
    }
    atm_state_destroy(s);
    return 0;
}

/* --- which */

static int show(const show_command *command, char *const *files, int count)
{
    atm_message message = {""};
    atm_value *root = NULL;
    bool state;
    int code = state_open("show", files[0], &message, &root, &state);

    if (code != 0)
        return code;
    if (command->json)
        return autotune_print(root);
    atm_value_destroy(root);
    if (!state)
        return show_model(command, files, count);
    if (command->page != NULL)
        return options_complain(&table, "--page needs a state model (of autotune state train)");
    return show_state(files[0]);
}

int state_show(int argc, char **argv)
{
    show_command command = {.hours = 24};
    char **files = NULL;
    int count, code;
    option_result result = state_arguments(&table, argc, argv, &command, &files, &count);

    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else if (count == 0)
        code = options_complain(&table, "a file is needed (try --help)");
    else if ((command.page != NULL) != (count > 1))
        code = options_complain(&table, "--page and traces belong together");
    else
        code = show(&command, files, count);
    free(files);
    return code;
}
