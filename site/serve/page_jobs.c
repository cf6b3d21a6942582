/* Jobs, and one of them. */

#include "table.h"

static const table jobs = {
    .caption = "Jobs",
    .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_PROGRAM, ASKED_JOB},
    .from = "FROM (SELECT " ATH_JOB " AS job, program, username, started, ranks, 1 AS processes, "
            "activities, dropped, 0 AS files FROM process UNION ALL SELECT " ATH_JOB ", program, "
            "username, started, ranks, 0, 0, 0, 1 FROM record) AS j WHERE j.started >= $1 AND "
            "j.started < $2 AND ($3 = '' OR j.username = $3) AND ($4 = '' OR j.program = $4) AND "
            "($5 = '' OR j.job = $5)",
    .group = "GROUP BY j.job",
    .order = "4 DESC, 1",
    .columns = {{"job", ATH_WORDS, "j.job", "/job?job=", 0},
                {"program", ATH_WORDS, "max(j.program)", NULL, 0},
                {"user", ATH_WORDS, "max(j.username)", NULL, 0},
                {"started", ATH_TIME, "min(j.started)", NULL, 0},
                {"ranks", ATH_COUNT, "max(j.ranks)", NULL, 0},
                {"processes", ATH_COUNT, "sum(j.processes)", NULL, 0},
                {"activities", ATH_COUNT, "sum(j.activities)", NULL, 0},
                {"dropped", ATH_COUNT, ATH_SUM("j.dropped"), NULL, 0},
                {"records", ATH_COUNT, "sum(j.files)", NULL, 0}}};

static serve_status write_jobs(serve_visit *visit)
{
    html_begin(visit, "Jobs",
               "What was imported, by job. A process outside of a batch system is "
               "a job of its own, HOST:PID.");
    html_form(visit);
    return table_show(visit, &jobs, true, ASK_ROWS, NULL);
}

const serve_page page_jobs = {.path = "/jobs",
                              .name = "jobs",
                              .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_PROGRAM,
                                             ASKED_JOB, ASKED_SORT, ASKED_PAGE},
                              .write = write_jobs};

/* --- one */

enum { PROCESS_PROGRAM = 4 };

static const table processes = {
    .caption = "Processes",
    .parameters = {ASKED_JOB},
    .from = "FROM process WHERE " ATH_JOB " = $1",
    .group = "",
    .order = "2, 1",
    .columns = {
        {"process", ATH_COUNT, "id", "/process/", 0},
        {"rank", ATH_COUNT, "rank", NULL, 0},
        {"host", ATH_WORDS, "host", NULL, 0},
        {"pid", ATH_COUNT, "pid", NULL, 0},
        [PROCESS_PROGRAM] = {"program", ATH_WORDS, "program", "/program?program=", PROCESS_PROGRAM},
        {"started", ATH_TIME, ATH_STARTED, NULL, 0},
        {"lasted", ATH_NANOSECONDS, ATH_LASTED, NULL, 0},
        {"activities", ATH_COUNT, "activities", "/activities?process=", 0},
        {"dropped", ATH_COUNT, "dropped", NULL, 0}}};

#define OF_SYSTEM ATH_OF_SYSTEM("f.path")

enum { FILE_PATTERN = 6, FILE_ID };

/* The link of the pattern is put together for each job. */
static const table files = {
    .caption = "Files that its processes called something on",
    .parameters = {ASKED_JOB, ASKED_SYSTEM},
    .from = "FROM use u JOIN process p ON p.id = u.process JOIN call c ON c.id = u.call JOIN file "
            "f ON f.id = u.file WHERE " ATH_JOB
            " = $1 AND (CAST($2 AS BIGINT) = 1 OR NOT " OF_SYSTEM ")",
    .group = "GROUP BY f.id, f.path",
    .order = "CASE WHEN " OF_SYSTEM " THEN 1 ELSE 0 END, 5 DESC, 1",
    .columns = {
        {"file", ATH_WORDS, "f.path", "/file/", FILE_ID},
        {"processes", ATH_COUNT, "count(DISTINCT u.process)", NULL, 0},
        {"activities", ATH_COUNT, "sum(u.activities)", NULL, 0},
        {"bytes", ATH_BYTES,
         ATH_SUM("CASE WHEN c.layer IN ('posix', 'stdio') THEN u.bytes ELSE 0 END"), NULL, 0},
        {"time", ATH_NANOSECONDS,
         ATH_SUM("CASE WHEN c.layer IN ('posix', 'stdio') THEN u.busy ELSE 0 END"), NULL, 0},
        {"errors", ATH_COUNT, "sum(u.errors)", NULL, 0},
        [FILE_PATTERN] = {"pattern", ATH_WORDS, "'plot'", NULL, FILE_ID},
        [FILE_ID] = {NULL, ATH_COUNT, "f.id", NULL, 0}}};

enum { RECORD_FILE = 6 };

static const table records = {.caption = "Files that it opened through the driver",
                              .parameters = {ASKED_JOB},
                              .from = "FROM record r JOIN file f ON f.id = r.file WHERE " ATH_JOB
                                      " = $1",
                              .group = "",
                              .order = "3, 1",
                              .columns = {{"record", ATH_COUNT, "r.id", "/record/", 0},
                                          {"file", ATH_WORDS, "f.path", "/file/", RECORD_FILE},
                                          {"started", ATH_TIME, "r.started", NULL, 0},
                                          {"ranks", ATH_COUNT, "r.ranks", NULL, 0},
                                          {"seconds", ATH_SECONDS, "r.seconds", NULL, 0},
                                          {"status", ATH_WORDS, "r.status", NULL, 0},
                                          [RECORD_FILE] = {NULL, ATH_COUNT, "f.id", NULL, 0}}};

enum { MOST = 1000 };

static serve_status show_files(serve_visit *visit)
{
    return table_show_linked(visit, &files, FILE_PATTERN, "/pattern?job=", visit->ask.job,
                             "&number=", MOST);
}

static serve_status write_job(serve_visit *visit)
{
    char title[ASK_TEXT + 8];
    int64_t rows[2] = {0, 0};
    serve_status status;

    snprintf(title, sizeof(title), "Job %s", visit->ask.job);
    html_begin(visit, title, "Its processes, their files, and what the driver recorded.");
    fputs("<nav>", visit->out);
    html_link(visit->out, "/activities?job=", visit->ask.job, "activities");
    html_link(visit->out, "/anomalies?job=", visit->ask.job, "anomalies");
    if (visit->ask.system == 0)
        html_link(visit->out, "/job?system=1&job=", visit->ask.job, "with files of the system");
    fputs("</nav>\n", visit->out);
    status = table_show(visit, &processes, false, MOST, &rows[0]);
    if (status == SERVE_OK)
        status = show_files(visit);
    if (status == SERVE_OK)
        status = table_show(visit, &records, false, MOST, &rows[1]);
    if (status == SERVE_OK && rows[0] + rows[1] == 0)
        return serve_missing(visit, "job");
    return status;
}

const serve_page page_job = {
    .path = "/job", .parameters = {ASKED_JOB, ASKED_SYSTEM}, .write = write_job};
