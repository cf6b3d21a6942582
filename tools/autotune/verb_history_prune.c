/* autotune history prune: what is old. */

#include "verb_history.h"

#include <inttypes.h>
#include <stdio.h>

#include "history/prune.h"

typedef struct prune_command {
    const char *db;
    double activities, records; /* days; 0: none are removed */
} prune_command;

static const char *set_activities(const char *text, void *variables)
{
    return history_days(text, &((prune_command *) variables)->activities);
}

static const char *set_records(const char *text, void *variables)
{
    return history_days(text, &((prune_command *) variables)->records);
}

static const option_entry entries[] = {
    {"db", "ADDRESS", "a file, or postgresql://... (default: $ROMIO_AUTOTUNE_HISTORY, or your own)",
     OPTION_TEXT, offsetof(prune_command, db), NULL},
    {"activities", "DAYS", "processes that began before that, with their activities",
     OPTION_SPECIAL, 0, set_activities},
    {"records", "DAYS", "details and trials of records from before that", OPTION_SPECIAL, 0,
     set_records},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune history prune [options]",
    .about = "Removes what is older than some days.  What was removed is still known and does not\n"
             "come back if it is imported again.  Room in a file is used again, the file does not\n"
             "become smaller.\n",
    .entries = entries};

int history_prune(int argc, char **argv)
{
    prune_command command = {.db = NULL};
    option_result result = options_parse(&table, argc, argv, &command);
    ath_database *database = NULL;
    atm_message message = {""};
    ath_pruned pruned = {0, 0};
    ath_status status = ATH_OK;
    int code;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (command.activities == 0 && command.records == 0)
        return options_complain(&table, "--activities or --records is needed (try --help)");
    code = history_open("prune", command.db, ATH_WRITE, &database);
    if (code != 0)
        return code;
    if (command.activities > 0)
        status =
            ath_prune_activities(database, history_since(command.activities), &message, &pruned);
    if (status == ATH_OK && command.records > 0)
        status = ath_prune_records(database, history_since(command.records), &message, &pruned);
    ath_close(database);
    if (status != ATH_OK)
        return history_complain("prune", status, &message);
    printf("removed %" PRId64 " processes, details of %" PRId64 " records\n", pruned.processes,
           pruned.records);
    return 0;
}
