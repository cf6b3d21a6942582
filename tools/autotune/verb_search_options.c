/* autotune search: its command line. */

#include "verb_search.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 5, PARALLEL_MOST = ATS_BATCH };

static const char *set_hopeless(const char *value, void *variables)
{
    char *end;
    double factor = strtod(value, &end);

    if (end == value || *end != '\0' || !(factor == 0 || (factor >= 1 && isfinite(factor))))
        return "must be a factor of 1 or more, or 0 for never";
    ((search_command *) variables)->hopeless = factor;
    return NULL;
}

static const char *set_strategy(const char *value, void *variables)
{
    const ats_strategy *strategy = ats_strategy_find(value);

    if (strategy == NULL)
        return "must be model, genetic, random or exhaustive";
    ((search_command *) variables)->strategy = strategy;
    return NULL;
}

static const char *set_metric(const char *value, void *variables)
{
    for (int i = 0; i < ATS_METRIC_COUNT; i++)
        if (strcmp(value, ats_metric_name((ats_metric) i)) == 0) {
            ((search_command *) variables)->metric = (ats_metric) i;
            return NULL;
        }
    return "must be record, wall or command";
}

#define OFFSET(field) offsetof(search_command, field)

static const option_entry entries[] = {
    {"space", "NAME|FILE", "lustre, gpfs, plain or a file (default: of this folder)", OPTION_TEXT,
     OFFSET(space), NULL},
    {"parameters", "LIST", "only these of the space, with commas between", OPTION_TEXT,
     OFFSET(parameters), NULL},
    {"runs", "N", "all runs, at most (default: 60; genetic 600; exhaustive all)", OPTION_COUNT,
     OFFSET(runs), NULL},
    {"time", "TIME", "of all runs, at most, as 90s, 15min or 2h", OPTION_TIME, OFFSET(time), NULL},
    {"strategy", "NAME", "model (default), genetic, random or exhaustive", OPTION_SPECIAL, 0,
     set_strategy},
    {"metric", "NAME", "what is made small: record (default), wall or command", OPTION_SPECIAL, 0,
     set_metric},
    {"file", "PATTERN", "with --metric record: only files of such names", OPTION_TEXT, OFFSET(file),
     NULL},
    {"verify", NULL, "measure the best against the default, in turn", OPTION_FLAG, OFFSET(verify),
     NULL},
    {"pairs", "N", "of runs with --verify (default 5)", OPTION_COUNT, OFFSET(pairs), NULL},
    {"limit", "TIME", "a run that takes longer has failed (default 1h)", OPTION_TIME, OFFSET(limit),
     NULL},
    {"hopeless", "FACTOR", "stop runs that take so many times the best (default 2; 0: none)",
     OPTION_SPECIAL, 0, set_hopeless},
    {"before", "COMMAND", "for a shell, before each run: to remove files", OPTION_TEXT,
     OFFSET(before), NULL},
    {"parallel", "N", "runs at a time (default 1)", OPTION_COUNT, OFFSET(parallel), NULL},
    {"launcher", "WORDS", "to put before COMMAND, as \"srun -N 4\"", OPTION_TEXT, OFFSET(launcher),
     NULL},
    {"force", NULL, "also files without the prefix autotune:", OPTION_FLAG, OFFSET(force), NULL},
    {"library", "FILE", "the preload library (default: the installed one)", OPTION_TEXT,
     OFFSET(library), NULL},
    {"watch-library", "FILE", "what sets HDF5 (default: the installed one)", OPTION_TEXT,
     OFFSET(watch_library), NULL},
    {"profile", "FILE", "of the machine (default: the one the driver would use here)", OPTION_TEXT,
     OFFSET(profile), NULL},
    {"import", "FILE", "begin with the settings of an XML file of H5Tuner", OPTION_TEXT,
     OFFSET(import), NULL},
    {"output", "FOLDER", "journal, page and advice (default autotune-search)", OPTION_TEXT,
     OFFSET(output), NULL},
    {"merge", "FILE", "advice whose rules the new one keeps", OPTION_TEXT, OFFSET(merge), NULL},
    {"program", "PATTERN", "whom the rule is for (default: what records tell)", OPTION_TEXT,
     OFFSET(program), NULL},
    {"match", "PATTERN", "files that the rule is for (default: what records tell)", OPTION_TEXT,
     OFFSET(match), NULL},
    {"keep", NULL, "keep the folders of runs, with their output", OPTION_FLAG, OFFSET(keep), NULL},
    {"seed", "N", "of all that is random (default 1)", OPTION_COUNT, OFFSET(seed), NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune search [options] -- COMMAND [ARGUMENT...]",
    "Runs a command again and again with other settings, and finds those that make it fastest.\n"
    "It begins with what the model predicts.  If it is killed, the same command goes on.\n"
    "Every run gets its settings as advice; {run} in COMMAND becomes the name of the run.\n"
    "--metric record: time of I/O, from the driver's record; wall: of COMMAND; command: the "
    "number\n"
    "that is the last line that COMMAND prints.\n",
    entries, NULL};

int search_complain(const char *format, ...)
{
    va_list arguments;

    fputs("autotune search: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\n", stderr);
    return 1;
}

/* The launcher's words, then the user's; the caller frees all. */
static char **join(const char *launcher, int argc, char **argv)
{
    char *copy = strdup(launcher != NULL ? launcher : ""), *rest = NULL, *word;
    size_t room = copy != NULL ? strlen(copy) / 2 + 2 + (size_t) argc : 0;
    char **all = copy != NULL ? calloc(room, sizeof(*all)) : NULL;
    int count = 0;

    if (all == NULL) {
        free(copy);
        return NULL;
    }
    for (word = strtok_r(copy, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest)) {
        all[count] = strdup(word);
        if (all[count++] == NULL)
            break;
    }
    free(copy);
    for (int i = 0; i < argc; i++) {
        all[count] = strdup(argv[i]);
        if (all[count++] == NULL)
            break;
    }
    return all;
}

/* NULL, or what is wrong. */
static const char *check(const search_command *command)
{
    if (command->command[0] == NULL && command->import == NULL)
        return "a command is needed (try --help)";
    if (command->parallel > PARALLEL_MOST)
        return "--parallel: at most 64";
    if (command->file != NULL && command->metric != ATS_BY_RECORD)
        return "--file needs --metric record";
    if (command->pairs < 2)
        return "--pairs: at least 2";
    return NULL;
}

int search_options(int argc, char **argv, search_command *command_p)
{
    search_command command = {.strategy = ats_strategy_at(0),
                              .output = "autotune-search",
                              .parallel = 1,
                              .seed = 1,
                              .pairs = PAIRS,
                              .time = INFINITY,
                              .limit = 3600,
                              .hopeless = 2};
    int rest;
    option_result result = options_parse_until(&table, argc, argv, &command, &rest);

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    command.command = join(command.launcher, argc - rest, argv + rest);
    if (command.command == NULL)
        return search_complain("%s", atm_status_text(ATM_NO_MEMORY));
    *command_p = command;
    if (rest == argc && command.launcher != NULL)
        return options_complain(&table, "a command is needed (try --help)");
    return check(&command) != NULL ? options_complain(&table, "%s", check(&command)) : -1;
}
