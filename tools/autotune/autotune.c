/* autotune: the models from a shell. */

#include "autotune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"compare", "run a program without and with tuning, and report the speed-up", autotune_compare},
    {"doctor", "tell whether and how the driver can work for a program", autotune_doctor},
    {"explain", "predict a collective read or write and explain the choice", autotune_explain},
    {"hints", "print the choice as hints for MPI libraries without the driver", autotune_hints},
    {"history", "remember what jobs did, and learn from it", autotune_history},
    {"install-profile", "put a profile where the driver finds it", autotune_install},
    {"place", "list the aggregator ranks", autotune_place},
    {"profile", "check, show, compare or merge profiles and points", autotune_profile},
    {"run", "start a program with the driver preloaded", autotune_run},
    {"search", "run a program with many settings and find the fastest", autotune_search},
    {"serve", "show a history in a browser", autotune_serve},
    {"state", "learn and tell which storage targets are busy", autotune_state},
    {"train", "learn the profile of a machine from measured points", autotune_train},
    {"wrap", "link a static program so that its calls are seen", autotune_wrap},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *to)
{
    fputs("usage: autotune COMMAND [options]\n"
          "Query the models of romio-autotune, for any job.\n",
          to);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-16s %s\n", commands[i].name, commands[i].summary);
    fputs("autotune COMMAND --help lists the options, --version prints the version.\n", to);
}

bool autotune_topology(const char *file_or_text, atm_topology **topology_p)
{
    atm_message message = {""};
    atm_value *document = NULL;
    atm_status status;

    if (access(file_or_text, F_OK) != 0 && strchr(file_or_text, ':') == NULL) {
        snprintf(message.text, sizeof(message.text),
                 "%.128s: no such file, and no text such as \"nodes:4 ranks:8\"", file_or_text);
        status = ATM_NO_ACCESS;
    } else if (access(file_or_text, F_OK) != 0) {
        status = atm_topology_from_text(file_or_text, &message, topology_p);
    } else {
        status = atm_value_read(file_or_text, &message, &document);
        if (status == ATM_OK)
            status = atm_topology_from_value(document, &message, topology_p);
        atm_value_destroy(document);
    }
    if (status != ATM_OK)
        fprintf(stderr, "autotune: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
    return status == ATM_OK;
}

int autotune_print(atm_value *document)
{
    char *text = NULL;
    size_t length;
    atm_status status = atm_value_print(document, &text, &length);

    atm_value_destroy(document);
    if (status != ATM_OK) {
        fprintf(stderr, "autotune: %s\n", atm_status_text(status));
        return 1;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}

/* Output that could not be written is a failure too. */
static int finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    perror("autotune: standard output");
    return code != 0 ? code : 1;
}

int main(int argc, char **argv)
{
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help(stdout);
        return finish(0);
    }
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        puts("autotune (romio-autotune) " PACKAGE_VERSION);
        return finish(0);
    }
    for (size_t i = 0; argc >= 2 && i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return finish(commands[i].run(argc - 1, argv + 1));
    if (argc >= 2)
        fprintf(stderr, "autotune: unknown command %s\n", argv[1]);
    print_help(stderr);
    return 2;
}
