/* autotune state: which command, which files. */

#include "verb_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "autotune.h"
#include "formats/formats.h"

typedef struct state_command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} state_command;

static const state_command commands[] = {
    {"train", "learn the states of storage targets from traces", state_train},
    {"show", "describe a state model or a state", state_show},
    {"check", "validate a state model; with traces, whether it still holds", state_check},
    {"watch", "keep a state fresh from traces that grow", state_watch},
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_help(FILE *to)
{
    fputs("usage: autotune state COMMAND [options] FILE...\n"
          "Learn and tell which storage targets are busy.\n",
          to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("autotune state COMMAND --help lists the options.\n", to);
}

option_result state_arguments(const option_table *table, int argc, char **argv, void *variables,
                              char ***files_p, int *count_p)
{
    char **arguments = calloc((size_t) argc + 1, sizeof(char *));
    char **files = calloc((size_t) argc + 1, sizeof(char *));
    option_result result = OPTIONS_WRONG;

    *count_p = 0;
    *files_p = files;
    if (arguments == NULL || files == NULL) {
        fprintf(stderr, "autotune state: %s\n", atm_status_text(ATM_NO_MEMORY));
    } else {
        for (int i = 0; i < argc; i++)
            arguments[i] = i > 0 && strcmp(argv[i], "-o") == 0 ? "--output" : argv[i];
        argc = options_separate(table, argc, arguments, files, count_p);
        result = options_parse(table, argc, arguments, variables);
    }
    free(arguments);
    return result;
}

int state_complain(const char *command, const char *file, atm_status status,
                   const atm_message *message)
{
    if (message->text[0] != '\0')
        fprintf(stderr, "autotune state %s: %s\n", command, message->text);
    else
        fprintf(stderr, "autotune state %s: %s: %s\n", command, file, atm_status_text(status));
    return status == ATM_BAD_FILE || status == ATM_NO_ACCESS ? 2 : 1;
}

int state_open(const char *command, const char *file, atm_message *message, atm_value **root_p,
               bool *state_p)
{
    const char *format = "";
    atm_value *root = NULL;
    atm_status status = atm_value_read(file, message, &root);

    if (status == ATM_OK)
        status = atm_get_string(root, "format", message, &format);
    if (status != ATM_OK) {
        atm_value_destroy(root);
        return state_complain(command, file, status, message);
    }
    *state_p = strcmp(format, ATM_STATE_FORMAT) == 0;
    *root_p = root;
    return 0;
}

static atm_status read_all(char *const *names, int count, trace *t, atm_message *message)
{
    char **files = NULL;
    int found = 0;
    atm_status status =
        t != NULL ? trace_files(names, count, message, &files, &found) : ATM_NO_MEMORY;

    if (status == ATM_OK && found == 0) {
        snprintf(message->text, sizeof(message->text), "%.128s: has no traces (*.jsonl)", names[0]);
        status = ATM_NO_ACCESS;
    }
    for (int i = 0; status == ATM_OK && i < found; i++)
        status = trace_read(t, files[i], message);
    trace_files_free(files, found);
    return status;
}

int state_read_traces(const char *command, char *const *names, int count, trace **trace_p)
{
    trace *t = trace_create();
    atm_message message = {""};
    atm_status status = read_all(names, count, t, &message);

    if (status != ATM_OK) {
        trace_destroy(t);
        return state_complain(command, names[0], status, &message);
    }
    trace_sort(t);
    *trace_p = t;
    return 0;
}

state_when state_time(double time)
{
    time_t seconds = (time_t) time;
    state_when when = {"?"};
    struct tm parts;

    if (gmtime_r(&seconds, &parts) != NULL)
        strftime(when.text, sizeof(when.text), "%Y-%m-%d %H:%M:%S", &parts);
    return when;
}

int autotune_state(int argc, char **argv)
{
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help(stdout);
        return 0;
    }
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        puts("autotune state (romio-autotune) " PACKAGE_VERSION);
        return 0;
    }
    for (int i = 0; argc >= 2 && i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    if (argc >= 2)
        fprintf(stderr, "autotune state: unknown command %s\n", argv[1]);
    print_help(stderr);
    return 2;
}
