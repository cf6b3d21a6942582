/* autotune history jobs and files. */

#include "verb_history.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct list_command {
    const char *db, *user, *program, *job;
    double days;
    int limit;
    bool json;
} list_command;

static const char *set_days(const char *text, void *variables)
{
    return history_days(text, &((list_command *) variables)->days);
}

static const option_entry entries[] = {
    {"db", "ADDRESS", "a file, or postgresql://... (default: $ROMIO_AUTOTUNE_HISTORY, or your own)",
     OPTION_TEXT, offsetof(list_command, db), NULL},
    {"user", "NAME", "only what this user did", OPTION_TEXT, offsetof(list_command, user), NULL},
    {"program", "NAME", "only what this program did", OPTION_TEXT, offsetof(list_command, program),
     NULL},
    {"job", "JOB", "only this job: its number, or HOST:PID without a batch system", OPTION_TEXT,
     offsetof(list_command, job), NULL},
    {"since", "DAYS", "only what began in the last DAYS days", OPTION_SPECIAL, 0, set_days},
    {"limit", "N", "at most N lines (default: all)", OPTION_COUNT, offsetof(list_command, limit),
     NULL},
    {"json", NULL, "print JSON", OPTION_FLAG, offsetof(list_command, json), NULL},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table jobs_table = {
    .usage = "autotune history jobs [options]",
    .about =
        "Lists jobs, the latest first: their processes with activities, and records of files.\n",
    .entries = entries};

static const option_table files_table = {
    .usage = "autotune history files [options]",
    .about = "Lists files by name: how often they were opened (records), processes and activities\n"
             "that accessed them, bytes and time of their POSIX calls or, without these, the\n"
             "longest time that they were open.\n",
    .entries = entries};

static int list(const option_table *table, const char *name, const ath_list *what, int argc,
                char **argv)
{
    list_command command = {.db = NULL};
    option_result result = options_parse(table, argc, argv, &command);
    ath_database *database = NULL;
    atm_message message = {""};
    ath_filter filter;
    ath_status status;
    int code;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    code = history_open(name, command.db, ATH_READ, &database);
    if (code != 0)
        return code;
    filter = (ath_filter){.since = history_since(command.days),
                          .user = command.user,
                          .program = command.program,
                          .job = command.job,
                          .limit = command.limit};
    status = ath_list_print(database, what, &filter, command.json ? ATH_JSON : ATH_PEOPLE, stdout,
                            &message, NULL);
    ath_close(database);
    return status == ATH_OK ? 0 : history_complain(name, status, &message);
}

int history_jobs(int argc, char **argv)
{
    return list(&jobs_table, "jobs", &ath_jobs, argc, argv);
}

int history_files(int argc, char **argv)
{
    return list(&files_table, "files", &ath_files, argc, argv);
}
