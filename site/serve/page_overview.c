/* The first page: how much there is, what it is, and the latest jobs. */

#include "table.h"

static const table latest = {
    .caption = "The latest jobs with processes that were watched",
    .from = "FROM process",
    .group = "GROUP BY " ATH_JOB,
    .order = "4 DESC, 1",
    .columns = {{"job", ATH_WORDS, ATH_JOB, "/job?job=", 0},
                {"program", ATH_WORDS, "max(program)", "/program?program=", 1},
                {"user", ATH_WORDS, "max(username)", NULL, 0},
                {"started", ATH_TIME, "min(started)", NULL, 0},
                {"processes", ATH_COUNT, "count(*)", NULL, 0},
                {"activities", ATH_COUNT, "sum(activities)", NULL, 0}}};

static const table layers = {.caption = "Layers; what the upper ones do, they do by the lower ones",
                             .from = "FROM use u JOIN call c ON c.id = u.call",
                             .group = "GROUP BY c.layer",
                             .order = "1",
                             .columns = {{"layer", ATH_WORDS, "c.layer", "/activities?layer=", 0},
                                         {"activities", ATH_COUNT, "sum(u.activities)", NULL, 0},
                                         {"bytes", ATH_BYTES, ATH_SUM("u.bytes"), NULL, 0},
                                         {"time", ATH_NANOSECONDS, ATH_SUM("u.busy"), NULL, 0},
                                         {"errors", ATH_COUNT, "sum(u.errors)", NULL, 0}}};

static ath_status put_counts(const ath_cell *cells, int count, void *context)
{
    static const char *const meanings[] = {"processes that were watched",     "activities",
                                           "activities that found no room",   "files",
                                           "files opened through the driver", "trials of settings"};
    FILE *out = ((serve_visit *) context)->out;
    char room[HTML_TEXT];

    page_cards(out);
    for (int i = 0; i < count; i++)
        page_card(out, html_value(ATH_COUNT, &cells[i], room), meanings[i]);
    page_cards_end(out);
    return ATH_OK;
}

enum { MOST = 10 };

#define DROPPED ATH_SUM("dropped")

static serve_status write_overview(serve_visit *visit)
{
    serve_status status;

    html_begin(visit, "What jobs did",
               "A history of calls on files, and what was learned from it.");
    status = serve_status_of(visit_query(
        visit,
        "SELECT (SELECT count(*) FROM process), (SELECT coalesce(sum(activities), 0) FROM "
        "process), (SELECT coalesce(" DROPPED ", 0) FROM process), (SELECT count(*) FROM file), "
        "(SELECT count(*) FROM record), (SELECT count(*) FROM trial)",
        NULL, 0, put_counts, visit));
    if (status == SERVE_OK)
        status = table_show(visit, &layers, false, MOST, NULL);
    if (status == SERVE_OK)
        status = table_show(visit, &latest, false, MOST, NULL);
    return status;
}

const serve_page page_overview = {.path = "/", .name = "overview", .write = write_overview};

/* --- the style of all pages: within them, Content-Security-Policy allows none */

static serve_status write_sheet(serve_visit *visit)
{
    fputs(page_style(), visit->out);
    return SERVE_OK;
}

const serve_page page_sheet = {.path = HTML_STYLE_ADDRESS,
                               .type = "text/css; charset=utf-8",
                               .plain = true,
                               .write = write_sheet};
