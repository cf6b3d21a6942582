/* autotune history export: lists as CSV, activities as a trace. */

#include "verb_history.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history/timeline.h"

typedef struct export_command {
    const char *db, *format, *list, *user, *program, *job, *output;
    double days;
    int process;
} export_command;

static const char *set_days(const char *text, void *variables)
{
    return history_days(text, &((export_command *) variables)->days);
}

static const option_entry entries[] = {
    {"db", "ADDRESS", "a file, or postgresql://... (default: $ROMIO_AUTOTUNE_HISTORY, or your own)",
     OPTION_TEXT, offsetof(export_command, db), NULL},
    {"format", "FORMAT",
     "csv, or a trace of activities: perfetto (ui.perfetto.dev), otf2 (Vampir; if built with OTF2)",
     OPTION_TEXT, offsetof(export_command, format), NULL},
    {"list", "LIST", "csv: jobs, files, processes, records, trials or activities (of a process)",
     OPTION_TEXT, offsetof(export_command, list), NULL},
    {"job", "JOB", "only this job", OPTION_TEXT, offsetof(export_command, job), NULL},
    {"process", "N", "activities of this process", OPTION_COUNT, offsetof(export_command, process),
     NULL},
    {"user", "NAME", "only what this user did", OPTION_TEXT, offsetof(export_command, user), NULL},
    {"program", "NAME", "only what this program did", OPTION_TEXT,
     offsetof(export_command, program), NULL},
    {"since", "DAYS", "only what began in the last DAYS days", OPTION_SPECIAL, 0, set_days},
    {"output", "FILE", "where to (default for csv: standard output; otf2: a new folder); also -o",
     OPTION_TEXT, offsetof(export_command, output), NULL},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune history export [options] --format FORMAT",
    .about =
        "Writes a list as CSV (times in seconds since 1970, those of activities in ns), or the\n"
        "activities of a job or process as a trace with a track for each thread.\n",
    .entries = entries};

static const ath_list *const lists[] = {&ath_jobs,    &ath_files,  &ath_processes,
                                        &ath_records, &ath_trials, &ath_activities};

static const ath_list *find_list(const char *name)
{
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (strcmp(lists[i]->name, name) == 0)
            return lists[i];
    return NULL;
}

static bool is_format(const export_command *command, const char *name)
{
    return command->format != NULL && strcmp(command->format, name) == 0;
}

/* NULL, or what is wrong with the command line. */
static const char *check(const export_command *command)
{
    bool csv = is_format(command, "csv"), otf2 = is_format(command, "otf2");

    if (!csv && !otf2 && !is_format(command, "perfetto"))
        return "--format must be csv, perfetto or otf2";
    if (csv && (command->list == NULL || find_list(command->list) == NULL))
        return "--list must be jobs, files, processes, records, trials or activities";
    if (csv && find_list(command->list) == &ath_activities && command->process == 0)
        return "--list activities needs --process";
    if (!csv && command->output == NULL)
        return otf2 ? "--format otf2 needs -o FOLDER" : "--format perfetto needs -o FILE";
    if (!csv && (command->job != NULL) == (command->process != 0))
        return otf2 ? "--format otf2 needs --job or --process"
                    : "--format perfetto needs --job or --process";
    return NULL;
}

/* out: NULL for otf2, which makes its own files. */
static ath_status write_all(const export_command *command, ath_database *database, FILE *out,
                            atm_message *message)
{
    ath_filter filter = {.since = history_since(command->days),
                         .user = command->user,
                         .program = command->program,
                         .job = command->job,
                         .id = command->process};
    int64_t processes = 0;
    ath_status status;

    if (is_format(command, "csv"))
        return ath_list_print(database, find_list(command->list), &filter, ATH_CSV, out, message,
                              NULL);
    status = out != NULL
                 ? ath_trace_write(database, &filter, out, message, &processes)
                 : ath_trace_write_otf2(database, &filter, command->output, message, &processes);
    if (status == ATH_OK && processes == 0)
        return ath_complain(ATH_BAD_FILE, message, "%.128s: there is no such job or process",
                            ath_name(database));
    if (status == ATH_OK)
        printf("%s: %" PRId64 " processes\n", command->output, processes);
    return status;
}

static ath_status write_file(const export_command *command, ath_database *database,
                             atm_message *message)
{
    FILE *out = command->output != NULL ? fopen(command->output, "we") : stdout;
    ath_status status;

    if (out == NULL)
        return ath_complain(ATH_DATABASE, message, "%.128s: cannot be written: %s", command->output,
                            strerror(errno));
    status = write_all(command, database, out, message);
    if (command->output != NULL && (ferror(out) | fclose(out)) != 0 && status == ATH_OK)
        status = ath_complain(ATH_DATABASE, message, "%.128s: cannot be written: %s",
                              command->output, strerror(errno));
    return status;
}

static int export_to(const export_command *command, ath_database *database)
{
    atm_message message = {""};
    ath_status status = is_format(command, "otf2") ? write_all(command, database, NULL, &message)
                                                   : write_file(command, database, &message);

    return status == ATH_OK ? 0 : history_complain("export", status, &message);
}

int history_export(int argc, char **argv)
{
    export_command command = {.db = NULL};
    ath_database *database = NULL;
    char **rest = NULL;
    int count, code;
    option_result result = history_arguments(&table, argc, argv, &command, &rest, &count);

    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else if (count > 0)
        code = options_complain(&table, "%s: is not an option (try --help)", rest[0]);
    else if (check(&command) != NULL)
        code = options_complain(&table, "%s", check(&command));
    else if ((code = history_open("export", command.db, ATH_READ, &database)) == 0)
        code = export_to(&command, database);
    ath_close(database);
    free(rest);
    return code;
}
