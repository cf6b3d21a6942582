/* autotune: the models from a shell. */

#include "autotune.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "beside.h"
#include "value/nearest.h"

typedef struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv); /* NULL: a program of its own */
} command;

static const command commands[] = {
    {"calibrate", "measure a file system and make the profile that fits it", autotune_calibrate},
    {"compare", "run a program without and with tuning, and report the speed-up", autotune_compare},
    {"doctor", "tell whether and how the driver can work for a program", autotune_doctor},
    {"explain", "predict a collective read or write and explain the choice", autotune_explain},
    {"hints", "print the choice as hints for MPI libraries without the driver", autotune_hints},
    {"history", "remember what jobs did, and learn from it", NULL},
    {"install-profile", "put a profile where the driver finds it", autotune_install},
    {"place", "list the aggregator ranks", autotune_place},
    {"profile", "check, show, compare or merge profiles and points", autotune_profile},
    {"replay", "make decisions again that the driver has explained", autotune_replay},
    {"run", "start a program with the driver preloaded", autotune_run},
    {"search", "run a program with many settings and find the fastest", NULL},
    {"serve", "show a history in a browser", NULL},
    {"state", "learn and tell which storage targets are busy", NULL},
    {"train", "learn the profile of a machine from measured points", NULL},
    {"wrap", "link a static program so that its calls are seen", autotune_wrap},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* Programs that users start by their own names: autotune-NAME. */
static const struct {
    const char *name, *summary;
} programs[] = {
    {"collect", "collect what programs of a node do (autotune-collect)"},
    {"probe", "trace how busy each storage target is (autotune-probe)"},
    {"write", "write a file with and without the driver (autotune-write, an MPI program)"},
};

#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))

static void print_help(FILE *to)
{
    fputs("usage: autotune COMMAND [options]\n"
          "Query the models of romio-autotune, for any job.\n",
          to);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-16s %s\n", commands[i].name, commands[i].summary);
    for (size_t i = 0; i < PROGRAMS; i++)
        fprintf(to, "  %-16s %s\n", programs[i].name, programs[i].summary);
    fprintf(to, "  %-16s %s\n", "help", "show this, or the options of a command");
    fputs("autotune COMMAND --help lists the options, --version prints the version.\n", to);
}

/* --- verbs with libraries that not every node has: programs of their own (verb_main.c) */

/* Only returns if it cannot be started. */
static int verb_start(char **argv)
{
    char path[PATH_MAX];

    beside_find(argv[0], PKGLIBEXECDIR, path);
    execv(path, argv);
    fprintf(stderr, "autotune %s: %s: %s\n", argv[0], path, strerror(errno));
    return 1;
}

/* The same for the others, which may also be elsewhere in PATH. */
static int start_program(char **argv)
{
    char path[PATH_MAX];

    beside_find(argv[0], NULL, path);
    execvp(path, argv);
    fprintf(stderr, "autotune %s: the program autotune-%s is not there: %s\n", argv[0], argv[0],
            strerror(errno));
    return 127;
}

/* --- which command */

static int complain_of_command(const char *name)
{
    const char *names[COMMANDS + PROGRAMS], *nearest;

    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    for (size_t i = 0; i < PROGRAMS; i++)
        names[COMMANDS + i] = programs[i].name;
    nearest = atm_nearest(name, names, COMMANDS + PROGRAMS, 2);
    if (nearest != NULL)
        fprintf(stderr, "autotune: unknown command %s; the nearest is %s\n", name, nearest);
    else
        fprintf(stderr, "autotune: unknown command %s\n", name);
    print_help(stderr);
    return 2;
}

/* argv[0]: its name */
static int run_command(int argc, char **argv)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(argv[0], commands[i].name) == 0)
            return commands[i].run != NULL ? autotune_finish(commands[i].run(argc, argv))
                                           : verb_start(argv);
    for (size_t i = 0; i < PROGRAMS; i++)
        if (strcmp(argv[0], programs[i].name) == 0)
            return start_program(argv);
    return complain_of_command(argv[0]);
}

/* argv[0]: "help"; then the words of a command, if any, which becomes "WORDS --help". */
static int help(int argc, char **argv)
{
    static char option[] = "--help";

    if (argc == 1) {
        print_help(stdout);
        return autotune_finish(0);
    }
    memmove(argv, argv + 1, (size_t) (argc - 1) * sizeof(*argv));
    argv[argc - 1] = option;
    return run_command(argc, argv);
}

int main(int argc, char **argv)
{
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help(stdout);
        return autotune_finish(0);
    }
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        puts("autotune (romio-autotune) " PACKAGE_VERSION);
        return autotune_finish(0);
    }
    if (argc >= 2 && strcmp(argv[1], "help") == 0)
        return help(argc - 1, argv + 1);
    if (argc >= 2)
        return run_command(argc - 1, argv + 1);
    print_help(stderr);
    return 2;
}
