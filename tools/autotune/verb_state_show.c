/* autotune state show: a state model or a state in words. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "autotune.h"
#include "verb_state.h"

typedef struct show_command {
    bool json;
} show_command;

static const option_entry entries[] = {{"json", NULL, "print the file as it was read", OPTION_FLAG,
                                        offsetof(show_command, json), NULL},
                                       {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune state show [options] FILE",
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

static int show_model(const char *path)
{
    atm_message message = {""};
    state_model *m = NULL;
    atm_status status = model_read(path, &message, &m);

    if (status != ATM_OK)
        return state_complain("show", path, status, &message);
    printf("state model of %s, trained %s on %s to %s\n", m->path, state_time(m->trained).text,
           state_time(m->from).text, state_time(m->to).text);
    printf("%6s  %6s  %6s  %8s  %8s  %7s  %5s  %5s  %-25s\n", "", "", "", "idle", "busy", "time",
           "Ash-", "busy/", "right on held-out days");
    printf("%6s  %6s  %6s  %8s  %8s  %7s  %5s  %5s  %7s  %7s  %7s  %s\n", "target", "writes",
           "states", "s", "s", "busy", "man D", "idle", "", "persist", "major", "classifier");
    for (int i = 0; i < m->count; i++)
        print_target(m, &m->targets[i]);
    model_destroy(m);
    return 0;
}

/* --- a state */

static int show_state(const char *path, const atm_value *root)
{
    atm_message message = {""};
    said s;
    atm_status status = said_read(root, &message, &s);

    if (status != ATM_OK) {
        said_clear(&s);
        return state_complain("show", path, status, &message);
    }
    printf("state of %s, said %s, holds until %s\n", s.path, state_time(s.time).text,
           state_time(s.until).text);
    printf("%6s  %7s  %8s  %8s  %6s\n", "target", "idle", "idle s", "busy s", "usable");
    for (int i = 0; i < s.count; i++)
        printf("%6d  %5.1f %%  %8.3g  %8.3g  %6s\n", s.targets[i].target, 100 * s.targets[i].idle,
               s.targets[i].idle_seconds, s.targets[i].busy_seconds,
               s.targets[i].usable ? "yes" : "no");
    said_clear(&s);
    return 0;
}

/* --- which */

static int show(const char *path, bool json)
{
    atm_message message = {""};
    const char *format = "";
    atm_value *root = NULL;
    atm_status status = atm_value_read(path, &message, &root);
    int code;

    if (status == ATM_OK)
        status = atm_get_string(root, "format", &message, &format);
    if (status != ATM_OK) {
        atm_value_destroy(root);
        return state_complain("show", path, status, &message);
    }
    code = strcmp(format, SAY_FORMAT) == 0 ? (json ? 0 : show_state(path, root))
           : json                          ? 0
                                           : show_model(path);
    if (json)
        return autotune_print(root);
    atm_value_destroy(root);
    return code;
}

int state_show(int argc, char **argv)
{
    show_command command = {false};
    char **files = NULL;
    int count, code;
    option_result result = state_arguments(&table, argc, argv, &command, &files, &count);

    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else if (count != 1)
        code = options_complain(&table, "one file is needed (try --help)");
    else
        code = show(files[0], command.json);
    free(files);
    return code;
}
