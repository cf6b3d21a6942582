/* Records of the driver, one of them, and the trials of settings that were made of them. */

#include "history/trial.h"
#include "table.h"

static const table records = {
    .caption = "Records",
    .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_PROGRAM, ASKED_JOB, ASKED_FILE},
    .from = "FROM record r JOIN file f ON f.id = r.file WHERE r.started >= $1 AND r.started < $2 "
            "AND ($3 = '' OR r.username = $3) AND ($4 = '' OR r.program = $4) AND "
            "($5 = '' OR " ATH_JOB " = $5) AND ($6 = '' OR lower(f.path) LIKE lower($6) ESCAPE "
            "'!')",
    .group = "",
    .order = "2 DESC, 1",
    .columns = {{"record", ATH_COUNT, "r.id", "/record/", 0},
                {"started", ATH_TIME, "r.started", NULL, 0},
                {"job", ATH_WORDS, ATH_JOB, "/job?job=", 2},
                {"program", ATH_WORDS, "r.program", NULL, 0},
                {"user", ATH_WORDS, "r.username", NULL, 0},
                {"driver", ATH_WORDS, "r.wrapped", NULL, 0},
                {"ranks", ATH_COUNT, "r.ranks", NULL, 0},
                {"nodes", ATH_COUNT, "r.nodes", NULL, 0},
                {"seconds", ATH_SECONDS, "r.seconds", NULL, 0},
                {"file", ATH_WORDS, "f.path", "/file/", 10},
                {NULL, ATH_COUNT, "f.id", NULL, 0}}};

static serve_status write_records(serve_visit *visit)
{
    html_begin(visit, "Records", "Files that were opened through the driver, the latest first.");
    html_form(visit);
    return table_show(visit, &records, true, ASK_ROWS, NULL);
}

const serve_page page_records = {.path = "/records",
                                 .name = "records",
                                 .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_PROGRAM,
                                                ASKED_JOB, ASKED_FILE, ASKED_SORT, ASKED_PAGE},
                                 .write = write_records};

/* --- trials */

#define TRIAL_COLUMNS                                                                              \
    {"record", ATH_COUNT, "t.record", "/record/", 0}, {"started", ATH_TIME, "r.started", NULL, 0}, \
        {"program", ATH_WORDS, "r.program", NULL, 0}, {"user", ATH_WORDS, "r.username", NULL, 0},  \
        {"operation", ATH_WORDS, "CASE WHEN t.writes = 1 THEN 'write' ELSE 'read' END", NULL, 0},  \
        {"ranks", ATH_COUNT, "r.ranks", NULL, 0},                                                  \
        {"origin", ATH_WORDS, ATH_ORIGIN_OF("t.origin"), NULL, 0},                                 \
        {"calls", ATH_COUNT, "t.calls", NULL, 0}, {"bytes", ATH_BYTES, "t.bytes", NULL, 0},        \
        {"measured", ATH_SECONDS, "t.seconds", NULL, 0},                                           \
        {"predicted", ATH_SECONDS, "t.predicted", NULL, 0},                                        \
        {"settings", ATH_WORDS, "t.settings", NULL, 0},                                            \
        {"file", ATH_WORDS, "f.path", "/file/", 13},                                               \
    {                                                                                              \
        NULL, ATH_COUNT, "f.id", NULL, 0                                                           \
    }

#define TRIALS "FROM trial t JOIN record r ON r.id = t.record JOIN file f ON f.id = r.file WHERE "

static const table trials = {
    .caption = "Trials",
    .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_PROGRAM, ASKED_OPERATION,
                   ASKED_FILE},
    .from = TRIALS "r.started >= $1 AND r.started < $2 AND ($3 = '' OR r.username = $3) AND "
                   "($4 = '' OR r.program = $4) AND ($5 = '' OR t.writes = CASE WHEN $5 = 'write' "
                   "THEN 1 ELSE 0 END) AND ($6 = '' OR lower(f.path) LIKE lower($6) ESCAPE '!')",
    .group = "",
    .order = "2 DESC, 1, 5",
    .columns = {TRIAL_COLUMNS}};

static serve_status write_trials(serve_visit *visit)
{
    html_begin(visit, "Trials",
               "What came out of settings, for each direction of a record: mean times of a call.");
    html_form(visit);
    return table_show(visit, &trials, true, ASK_ROWS, NULL);
}

const serve_page page_trials = {.path = "/trials",
                                .name = "trials",
                                .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_PROGRAM,
                                               ASKED_OPERATION, ASKED_FILE, ASKED_SORT, ASKED_PAGE},
                                .write = write_trials};

/* --- one record */

static const table of_record = {.caption = "What came out of its settings",
                                .parameters = {ASKED_ID},
                                .from = TRIALS "t.record = $1",
                                .group = "",
                                .order = "5",
                                .columns = {TRIAL_COLUMNS}};

static ath_status put_record(const ath_cell *cells, int count, void *context)
{
    serve_visit *visit = context;
    char title[64], room[HTML_TEXT], number[32];
    FILE *out = visit->out;

    (void) count;
    snprintf(title, sizeof(title), "Record %lld", (long long) visit->id);
    html_begin(visit, title, "A file that was opened through the driver.");
    html_facts(out);
    snprintf(number, sizeof(number), "%lld", (long long) cell_integer(&cells[0]));
    html_fact_link(out, "file", "/file/", number, cell_words(&cells[1]));
    html_fact_link(out, "job", "/job?job=", cell_words(&cells[2]), cell_words(&cells[2]));
    html_fact(out, "program", "%s of %s", cell_words(&cells[3]), cell_words(&cells[4]));
    html_fact(out, "host", "%s, process %lld", cell_words(&cells[5]),
              (long long) cell_integer(&cells[6]));
    html_fact(out, "driver", "%s", cell_words(&cells[7]));
    html_fact(out, "ranks", "%lld on %lld nodes", (long long) cell_integer(&cells[8]),
              (long long) cell_integer(&cells[9]));
    html_fact(out, "opened", "%s", html_time(cell_number(&cells[10]), room));
    html_fact(out, "open for", "%s", html_value(ATH_SECONDS, &cells[11], room));
    html_fact(out, "status", "%s", cell_words(&cells[12]));
    html_facts_end(out);
    if (cell_words(&cells[13])[0] != '\0') {
        page_details(out, "The line as the driver wrote it");
        fputs("<pre>", out);
        page_escape(out, cell_words(&cells[13]));
        fputs("</pre>\n", out);
        page_details_end(out);
    }
    return ATH_OK;
}

static serve_status write_record(serve_visit *visit)
{
    ath_cell id = ath_integer(visit->id);
    long before = ftell(visit->out);
    ath_status status =
        visit_query(visit,
                    "SELECT f.id, f.path, " ATH_JOB ", r.program, r.username, r.host, r.pid, "
                    "r.wrapped, r.ranks, r.nodes, r.started, r.seconds, r.status, r.line FROM "
                    "record r JOIN file f ON f.id = r.file WHERE r.id = $1",
                    &id, 1, put_record, visit);

    if (status != ATH_OK)
        return serve_status_of(status);
    if (ftell(visit->out) == before)
        return serve_missing(visit, "record");
    return table_show(visit, &of_record, false, 2, NULL);
}

const serve_page page_record = {.path = "/record/", .numbered = true, .write = write_record};
