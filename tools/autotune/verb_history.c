/* autotune history: which command, which database. */

#include "verb_history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "autotune.h"

typedef struct history_command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} history_command;

static const history_command commands[] = {
    {"import", "add records of the driver and spools of activities", history_import},
    {"jobs", "list jobs", history_jobs},
    {"files", "list files", history_files},
    {"show", "show a job, process, record or activity", history_show},
    {"prune", "remove what is old", history_prune},
    {"export", "write lists as CSV, or activities for a viewer of traces", history_export},
    {"learn", "learn which settings served whom best, or correct a profile", history_learn},
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]), ADDRESS = 4096 };

static void print_help(FILE *to)
{
    fputs("usage: autotune history COMMAND [options]\n"
          "Remember what jobs did, and learn from it.\n",
          to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("autotune history COMMAND --help lists the options.\n", to);
}

option_result history_arguments(const option_table *table, int argc, char **argv, void *variables,
                                char ***rest_p, int *count_p)
{
    char **arguments = calloc((size_t) argc + 1, sizeof(char *));
    char **rest = calloc((size_t) argc + 1, sizeof(char *));
    option_result result = OPTIONS_WRONG;

    *count_p = 0;
    *rest_p = rest;
    if (arguments == NULL || rest == NULL) {
        fprintf(stderr, "autotune history: %s\n", atm_status_text(ATM_NO_MEMORY));
    } else {
        for (int i = 0; i < argc; i++)
            arguments[i] = i > 0 && strcmp(argv[i], "-o") == 0 ? "--output" : argv[i];
        argc = options_separate(table, argc, arguments, rest, count_p);
        result = options_parse(table, argc, arguments, variables);
    }
    free(arguments);
    return result;
}

int history_complain(const char *command, ath_status status, const atm_message *message)
{
    fprintf(stderr, "autotune history %s: %s\n", command,
            message->text[0] != '\0' ? message->text : ath_status_text(status));
    return status == ATH_BAD_FILE || status == ATH_NO_ACCESS || status == ATH_NEWER ? 2 : 1;
}

int history_open(const char *command, const char *address, ath_mode mode, ath_database **database_p)
{
    atm_message message = {""};
    char usual[ADDRESS];
    ath_status status;

    if (address == NULL && !ath_default_address(sizeof(usual), usual)) {
        fprintf(stderr, "autotune history %s: --db is needed: there is no HOME\n", command);
        return 2;
    }
    status = ath_open(address != NULL ? address : usual, mode, &message, database_p);
    return status == ATH_OK ? 0 : history_complain(command, status, &message);
}

const char *history_days(const char *text, double *days_p)
{
    char *end;
    double days = strtod(text, &end);

    if (end == text || *end != '\0' || !(days > 0 && days < 1e6))
        return "must be a number of days";
    *days_p = days;
    return NULL;
}

double history_since(double days)
{
    return days > 0 ? (double) time(NULL) - days * 86400 : 0;
}

int autotune_history(int argc, char **argv)
{
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help(stdout);
        return 0;
    }
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        puts("autotune history (romio-autotune) " PACKAGE_VERSION);
        return 0;
    }
    for (int i = 0; argc >= 2 && i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    if (argc >= 2)
        fprintf(stderr, "autotune history: unknown command %s\n", argv[1]);
    print_help(stderr);
    return 2;
}
