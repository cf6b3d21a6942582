/* One process: who it is, what it called, and what modules said when it ended. */

#include "table.h"

static const table calls = {
    .caption = "Calls",
    .parameters = {ASKED_ID},
    .from = "FROM use u JOIN call c ON c.id = u.call LEFT JOIN file f ON f.id = u.file WHERE "
            "u.process = $1",
    .group = "",
    .order = "5 DESC, 2, 7",
    .columns = {{"layer", ATH_WORDS, "c.layer", NULL, 0},
                {"call", ATH_WORDS, "c.name", NULL, 0},
                {"activities", ATH_COUNT, "u.activities", NULL, 0},
                {"bytes", ATH_BYTES, "u.bytes", NULL, 0},
                {"time", ATH_NANOSECONDS, "u.busy", NULL, 0},
                {"errors", ATH_COUNT, "u.errors", NULL, 0},
                {"file", ATH_WORDS, "coalesce(f.path, '')", "/file/", 7},
                {NULL, ATH_COUNT, "u.file", NULL, 0}}};

static ath_status put_facts(const ath_cell *cells, int count, void *context)
{
    serve_visit *visit = context;
    char title[160], room[HTML_TEXT], number[32];
    FILE *out = visit->out;

    (void) count;
    snprintf(title, sizeof(title), "Process %lld", (long long) visit->id);
    html_begin(visit, title, "What one process did.");
    snprintf(number, sizeof(number), "%lld", (long long) visit->id);
    fputs("<nav>", out);
    html_link(out, "/activities?process=", number, "activities");
    html_link(out, "/activities?errors=1&process=", number, "errors");
    html_link(out, "/anomalies?process=", number, "anomalies");
    fputs("</nav>\n", out);
    html_facts(out);
    html_fact_link(out, "job", "/job?job=", cell_words(&cells[0]), cell_words(&cells[0]));
    html_fact_link(out, "program", "/program?program=", cell_words(&cells[1]),
                   cell_words(&cells[1]));
    html_fact(out, "arguments", "%s", cell_words(&cells[2]));
    html_fact(out, "user", "%s", cell_words(&cells[3]));
    html_fact(out, "host", "%s, process %lld", cell_words(&cells[4]),
              (long long) cell_integer(&cells[5]));
    if (cell_integer(&cells[6]) >= 0)
        html_fact(out, "rank", "%lld of %lld", (long long) cell_integer(&cells[6]),
                  (long long) cell_integer(&cells[7]));
    html_fact(out, "started", "%s", html_time(cell_number(&cells[8]), room));
    html_fact(out, "last activity", "%.6f s later", cell_number(&cells[9]) / 1e9);
    html_fact(out, "activities", "%lld, and %lld that found no room",
              (long long) cell_integer(&cells[10]), (long long) cell_integer(&cells[11]));
    html_facts_end(out);
    return ATH_OK;
}

static ath_status put_survey(const ath_cell *cells, int count, void *context)
{
    FILE *out = context;

    (void) count;
    fputs("<pre>", out);
    page_escape(out, cell_words(&cells[0]));
    fputs("</pre>\n", out);
    return ATH_OK;
}

enum { MOST = 1000 };

static serve_status write_process(serve_visit *visit)
{
    ath_cell id = ath_integer(visit->id);
    long before = ftell(visit->out);
    ath_status status = visit_query(
        visit,
        "SELECT " ATH_JOB ", program, arguments, username, host, pid, rank, ranks, " ATH_STARTED
        ", " ATH_LASTED ", activities, dropped FROM process WHERE id = $1",
        &id, 1, put_facts, visit);
    serve_status shown;

    if (status != ATH_OK)
        return serve_status_of(status);
    if (ftell(visit->out) == before)
        return serve_missing(visit, "process");
    shown = table_show(visit, &calls, false, MOST, NULL);
    if (shown != SERVE_OK)
        return shown;
    page_details(visit->out, "What modules said when it ended");
    status = visit_query(visit, "SELECT document FROM survey WHERE process = $1 ORDER BY id", &id,
                         1, put_survey, visit->out);
    page_details_end(visit->out);
    return serve_status_of(status);
}

const serve_page page_process = {.path = "/process/", .numbered = true, .write = write_process};
