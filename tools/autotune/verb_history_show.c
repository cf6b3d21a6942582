/* autotune history show: one job, process, record or activity. */

#include "verb_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shown.h"
#include "history/survey.h"

enum { FILES = 20 }; /* of a job's survey */

typedef struct show_command {
    const char *db;
    int limit;
    bool json;
} show_command;

static const option_entry entries[] = {
    {"db", "ADDRESS", "a file, or postgresql://... (default: $ROMIO_AUTOTUNE_HISTORY, or your own)",
     OPTION_TEXT, offsetof(show_command, db), NULL},
    {"limit", "N", "at most N activities of a process (none, only sums) or files of a job (20)",
     OPTION_COUNT, offsetof(show_command, limit), NULL},
    {"json", NULL, "print JSON, a document a line", OPTION_FLAG, offsetof(show_command, json),
     NULL},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune history show [options] job|process|record|activity ID",
    .about =
        "Shows a job: its processes and records, and how its processes accessed files, if they\n"
        "were surveyed; a process: what it called on which file, and what modules said when it\n"
        "ended; a record: what came out of its settings (the whole line, with --json); an\n"
        "activity: the chain of calls that it was made in.\n",
    .entries = entries};

typedef struct showing {
    ath_database *database;
    ath_form form;
    int limit;
    atm_message message;
    bool found;
} showing;

static ath_status print_list(showing *s, const ath_list *list, const ath_filter *filter)
{
    int64_t rows = 0;
    ath_status status =
        ath_list_print(s->database, list, filter, s->form, stdout, &s->message, &rows);

    s->found = s->found || rows > 0;
    return status;
}

/* --- a job */

static ath_status show_survey(showing *s, const char *job)
{
    ath_survey survey;
    ath_status status = ath_survey_read(s->database, job, &s->message, &survey);

    if (status != ATH_OK)
        return status;
    if (survey.processes > 0)
        status =
            ath_survey_print(&survey, s->limit > 0 ? (size_t) s->limit : FILES, s->form, stdout);
    ath_survey_clear(&survey);
    return status;
}

static ath_status show_job(showing *s, const char *job)
{
    ath_filter filter = {.job = job};
    ath_status status = print_list(s, &ath_processes, &filter);

    if (status == ATH_OK && s->form == ATH_PEOPLE)
        puts("");
    if (status == ATH_OK)
        status = print_list(s, &ath_records, &filter);
    return status == ATH_OK ? show_survey(s, job) : status;
}

/* --- a process */

static ath_status print_text(const ath_cell *cells, int count, void *context)
{
    showing *s = context;

    (void) count;
    s->found = true;
    if (cells[0].type == ATH_TEXT && cells[0].text[0] != '\0') {
        shown_put(cells[0].text, stdout);
        puts("");
    }
    return ATH_OK;
}

static ath_status show_process(showing *s, int64_t id)
{
    ath_cell cell = ath_integer(id);
    ath_filter filter = {.id = id, .limit = s->limit};
    ath_status status = ATH_OK;

    if (s->form == ATH_PEOPLE)
        status = ath_query(s->database,
                           "SELECT program || ' of ' || username || ' on ' || host || ', process ' "
                           "|| pid || CASE WHEN rank >= 0 THEN ', rank ' || rank || ' of ' || "
                           "ranks ELSE '' END || ': ' || arguments FROM process WHERE id = $1",
                           &cell, 1, print_text, s, &s->message);
    if (status == ATH_OK)
        status = print_list(s, &ath_calls, &filter);
    if (status == ATH_OK)
        status =
            ath_query(s->database, "SELECT document FROM survey WHERE process = $1 ORDER BY id",
                      &cell, 1, print_text, s, &s->message);
    if (status == ATH_OK && s->limit > 0)
        status = print_list(s, &ath_activities, &filter);
    return status;
}

/* --- a record */

static ath_status show_record(showing *s, int64_t id)
{
    ath_cell cell = ath_integer(id);
    ath_filter filter = {.id = id};
    ath_status status;

    if (s->form == ATH_JSON)
        return ath_query(s->database, "SELECT line FROM record WHERE id = $1", &cell, 1, print_text,
                         s, &s->message);
    status = ath_query(s->database,
                       "SELECT f.path || ' on ' || r.host || ', process ' || r.pid || ', ' || "
                       "r.ranks || ' ranks on ' || r.nodes || ' nodes, driver ' || r.wrapped || "
                       "': ' || r.status FROM record r JOIN file f ON f.id = r.file WHERE "
                       "r.id = $1",
                       &cell, 1, print_text, s, &s->message);
    return status == ATH_OK ? print_list(s, &ath_process_records, &filter) : status;
}

/* --- an activity */

enum { CHAIN = 64 }; /* calls within calls; guards against circles */

/* The id of the activity that one was made in; 0 if there is none. */
static ath_status find_parent(showing *s, int64_t id, int64_t *parent_p)
{
    ath_cell cells[] = {ath_integer(id >> 32 << 32), ath_integer(((id >> 32) + 1) << 32),
                        ath_integer(id)};

    *parent_p = 0;
    return ath_query_integer(s->database,
                             "SELECT id FROM activity WHERE id > $1 AND id < $2 AND number = "
                             "(SELECT parent FROM activity WHERE id = $3)",
                             cells, 3, &s->message, parent_p);
}

static ath_status show_activity(showing *s, int64_t id)
{
    ath_status status = ATH_OK;

    for (int i = 0; status == ATH_OK && id != 0 && i < CHAIN; i++) {
        ath_filter filter = {.id = id};

        status = print_list(s, &ath_activity, &filter);
        if (status == ATH_OK)
            status = find_parent(s, id, &id);
        if (status == ATH_OK && id != 0 && s->form == ATH_PEOPLE)
            puts("made in");
    }
    return status;
}

/* --- which */

static int show(showing *s, const char *kind, const char *name)
{
    char *end;
    int64_t id = strtoll(name, &end, 10);
    bool number = end != name && *end == '\0' && id > 0;
    ath_status status;

    if (strcmp(kind, "job") == 0)
        status = show_job(s, name);
    else if (!number)
        return options_complain(&table, "%s: must be a number", name);
    else if (strcmp(kind, "process") == 0)
        status = show_process(s, id);
    else if (strcmp(kind, "record") == 0)
        status = show_record(s, id);
    else if (strcmp(kind, "activity") == 0)
        status = show_activity(s, id);
    else
        return options_complain(&table, "%s: must be job, process, record or activity", kind);
    if (status != ATH_OK)
        return history_complain("show", status, &s->message);
    if (s->found)
        return 0;
    fprintf(stderr, "autotune history show: there is no %s %s\n", kind, name);
    return 1;
}

int history_show(int argc, char **argv)
{
    show_command command = {.db = NULL};
    char **names = NULL;
    int count, code;
    option_result result = history_arguments(&table, argc, argv, &command, &names, &count);

    if (result != OPTIONS_GO_ON) {
        code = result == OPTIONS_HELP ? 0 : 2;
    } else if (count != 2) {
        code = options_complain(&table, "what and which are needed (try --help)");
    } else {
        showing s = {.form = command.json ? ATH_JSON : ATH_PEOPLE, .limit = command.limit};

        code = history_open("show", command.db, ATH_READ, &s.database);
        if (code == 0)
            code = show(&s, names[0], names[1]);
        ath_close(s.database);
    }
    free(names);
    return code;
}
