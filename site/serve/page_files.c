/* Files, and one of them. */

#include "table.h"

#define OWN "c.layer IN ('posix', 'stdio')" /* what the others cause is not counted twice */
#define OWN_BYTES ATH_SUM("CASE WHEN " OWN " THEN u.bytes ELSE 0 END")
#define OWN_BUSY ATH_SUM("CASE WHEN " OWN " THEN u.busy ELSE 0 END")

/* Those of programs first; the system's are asked for. */
#define OF_SYSTEM ATH_OF_SYSTEM("f.path")

enum { FILE_ID = 7 };

static const table files = {
    .caption = "Files",
    .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_PROGRAM, ASKED_JOB, ASKED_FILE,
                   ASKED_SYSTEM},
    .from = "FROM file f JOIN (SELECT file, count(*) AS records, 0 AS processes, 0 AS activities, "
            "0 AS bytes, max(seconds) AS seconds, 0 AS errors FROM record WHERE started >= $1 AND "
            "started < $2 AND ($3 = '' OR username = $3) AND ($4 = '' OR program = $4) AND "
            "($5 = '' OR " ATH_JOB " = $5) GROUP BY file UNION ALL SELECT u.file, 0, "
            "count(DISTINCT u.process), sum(u.activities), " OWN_BYTES ", " OWN_BUSY
            " / 1e9, sum(u.errors) FROM use u JOIN "
            "process p ON p.id = u.process JOIN call c ON c.id = u.call WHERE p.started >= $1 AND "
            "p.started < $2 AND ($3 = '' OR p.username = $3) AND ($4 = '' OR p.program = $4) AND "
            "($5 = '' OR " ATH_JOB " = $5) GROUP BY u.file) AS x ON x.file = f.id WHERE "
            "($6 = '' OR lower(f.path) LIKE lower($6) ESCAPE '!') AND "
            "(CAST($7 AS BIGINT) = 1 OR NOT " OF_SYSTEM ")",
    .group = "GROUP BY f.id, f.path",
    .order = "CASE WHEN " OF_SYSTEM " THEN 1 ELSE 0 END, 1, 8",
    .columns = {{"file", ATH_WORDS, "f.path", "/file/", FILE_ID},
                {"records", ATH_COUNT, "sum(x.records)", NULL, 0},
                {"processes", ATH_COUNT, "sum(x.processes)", NULL, 0},
                {"activities", ATH_COUNT, "sum(x.activities)", NULL, 0},
                {"bytes", ATH_BYTES, "max(x.bytes)", NULL, 0},
                {"time", ATH_SECONDS, "max(x.seconds)", NULL, 0},
                {"errors", ATH_COUNT, "sum(x.errors)", NULL, 0},
                [FILE_ID] = {NULL, ATH_COUNT, "f.id", NULL, 0}}};

static serve_status write_files(serve_visit *visit)
{
    html_begin(visit, "Files",
               "Those that programs and users have made, by name: a part of it, or a pattern with "
               "* and ?. Bytes and time are those of "
               "POSIX and stdio; without these, the longest time that it was open. Files of the "
               "system (/usr, /etc, /proc, ...) "
               "are shown if they are asked for.");
    html_form(visit);
    return table_show(visit, &files, true, ASK_ROWS, NULL);
}

const serve_page page_files = {.path = "/files",
                               .name = "files",
                               .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_PROGRAM,
                                              ASKED_JOB, ASKED_FILE, ASKED_SYSTEM, ASKED_SORT,
                                              ASKED_PAGE},
                               .write = write_files};

/* --- one */

/* The link of its pattern is put together for each file. */
enum { JOB_PATTERN = 7 };

static const table jobs = {
    .caption = "Jobs whose processes called something on it",
    .parameters = {ASKED_ID},
    .from = "FROM use u JOIN process p ON p.id = u.process JOIN call c ON c.id = u.call WHERE "
            "u.file = $1",
    .group = "GROUP BY " ATH_JOB,
    .order = "4 DESC, 1",
    .columns = {{"job", ATH_WORDS, ATH_JOB, "/job?job=", 0},
                {"program", ATH_WORDS, "max(p.program)", NULL, 0},
                {"user", ATH_WORDS, "max(p.username)", NULL, 0},
                {"started", ATH_TIME, "min(p.started)", NULL, 0},
                {"processes", ATH_COUNT, "count(DISTINCT p.id)", NULL, 0},
                {"activities", ATH_COUNT, "sum(u.activities)", NULL, 0},
                {"bytes", ATH_BYTES, OWN_BYTES, NULL, 0},
                [JOB_PATTERN] = {"pattern", ATH_WORDS, "'plot'", NULL, 0}}};

static const table calls = {.caption = "Calls",
                            .parameters = {ASKED_ID},
                            .from = "FROM use u JOIN call c ON c.id = u.call WHERE u.file = $1",
                            .group = "GROUP BY c.layer, c.name",
                            .order = "5 DESC, 2",
                            .columns = {{"layer", ATH_WORDS, "c.layer", NULL, 0},
                                        {"call", ATH_WORDS, "c.name", NULL, 0},
                                        {"activities", ATH_COUNT, "sum(u.activities)", NULL, 0},
                                        {"bytes", ATH_BYTES, ATH_SUM("u.bytes"), NULL, 0},
                                        {"time", ATH_NANOSECONDS, ATH_SUM("u.busy"), NULL, 0},
                                        {"errors", ATH_COUNT, "sum(u.errors)", NULL, 0}}};

static const table records = {.caption = "Times that it was opened through the driver",
                              .parameters = {ASKED_ID},
                              .from = "FROM record r WHERE r.file = $1",
                              .group = "",
                              .order = "2 DESC, 1",
                              .columns = {{"record", ATH_COUNT, "r.id", "/record/", 0},
                                          {"started", ATH_TIME, "r.started", NULL, 0},
                                          {"job", ATH_WORDS, ATH_JOB, "/job?job=", 2},
                                          {"program", ATH_WORDS, "r.program", NULL, 0},
                                          {"ranks", ATH_COUNT, "r.ranks", NULL, 0},
                                          {"seconds", ATH_SECONDS, "r.seconds", NULL, 0},
                                          {"status", ATH_WORDS, "r.status", NULL, 0}}};

enum { MOST = 200 };

static ath_status put_title(const ath_cell *cells, int count, void *context)
{
    serve_visit *visit = context;

    (void) count;
    html_begin(visit, cell_words(&cells[0]), "A file: who accessed it, how, and how long it took.");
    return ATH_OK;
}

static serve_status show_jobs(serve_visit *visit)
{
    table of_file = jobs;
    char before[64];

    snprintf(before, sizeof(before), "/pattern?number=%lld&job=", (long long) visit->id);
    of_file.columns[JOB_PATTERN].link = before;
    return table_show(visit, &of_file, false, MOST, NULL);
}

static serve_status write_file(serve_visit *visit)
{
    ath_cell id = ath_integer(visit->id);
    serve_status status;
    long before = ftell(visit->out);

    status = serve_status_of(
        visit_query(visit, "SELECT path FROM file WHERE id = $1", &id, 1, put_title, visit));
    if (status != SERVE_OK)
        return status;
    if (ftell(visit->out) == before)
        return serve_missing(visit, "file");
    status = show_jobs(visit);
    if (status == SERVE_OK)
        status = table_show(visit, &calls, false, MOST, NULL);
    if (status == SERVE_OK)
        status = table_show(visit, &records, false, MOST, NULL);
    return status;
}

const serve_page page_file = {.path = "/file/", .numbered = true, .write = write_file};
