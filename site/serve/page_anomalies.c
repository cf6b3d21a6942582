/* Anomalies: kinds of calls with times out of the ordinary, the most slow ones first. */

#include <stdlib.h>

#include "common/units.h"
#include "html.h"
#include "judged.h"

static const page_column columns[] = {
    {"process", true},  {"rank", true},    {"program", false},  {"user", false},
    {"started", false}, {"call", false},   {"from", true},      {"activities", true},
    {"median", true},   {"slowest", true}, {"times", true},     {"very fast", true},
    {"fast", true},     {"slow", true},    {"very slow", true}, {"very slow of all", true}};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]), SLOW = 3, VERY_SLOW = 4 };

static double share(const judged_kind *kind)
{
    return (double) kind->verdicts[VERY_SLOW] / (double) kind->count;
}

static int by_share(const void *a, const void *b)
{
    const judged_kind *first = a, *second = b;
    bool out[] = {judged_stands_out(first), judged_stands_out(second)};

    if (out[0] != out[1])
        return out[0] ? -1 : 1;
    if (share(first) != share(second))
        return share(first) > share(second) ? -1 : 1;
    return (first->process > second->process) - (first->process < second->process);
}

static void put_kind(FILE *out, const judged_kind *kind)
{
    char room[HTML_TEXT], number[32], before[64];
    double times = kind->median > 0 ? (double) kind->slowest / (double) kind->median : 0;

    page_row(out, judged_stands_out(kind));
    snprintf(number, sizeof(number), "%lld", (long long) kind->process);
    html_cell_link(out, "n", "/process/", number, number);
    page_cell(out, &columns[1], "%lld", (long long) kind->rank);
    page_cell(out, &columns[2], "%s", kind->program);
    page_cell(out, &columns[3], "%s", kind->user);
    page_cell(out, &columns[4], "%s", html_time(kind->started, room));
    page_cell(out, &columns[5], "%s", kind->call);
    page_cell(out, &columns[6], "%s", units_bytes((double) kind->from_bytes).text);
    page_cell(out, &columns[7], "%lld", (long long) kind->count);
    page_cell(out, &columns[8], "%s", units_seconds((double) kind->median / 1e9).text);
    snprintf(before, sizeof(before), "/activity?process=%lld&number=", (long long) kind->process);
    snprintf(number, sizeof(number), "%lld", (long long) kind->slowest_number);
    html_cell_link(out, "n", before, number, units_seconds((double) kind->slowest / 1e9).text);
    page_cell(out, &columns[10], times > 0 ? "%.1f" : "-", times);
    page_cell(out, &columns[11], "%lld", (long long) kind->verdicts[0]);
    page_cell(out, &columns[12], "%lld", (long long) kind->verdicts[1]);
    page_cell(out, &columns[13], "%lld", (long long) kind->verdicts[SLOW]);
    page_cell(out, &columns[14], "%lld", (long long) kind->verdicts[VERY_SLOW]);
    page_cell(out, &columns[15], "%s", units_share(share(kind)).text);
    page_row_end(out);
}

static void put_turns(const serve_visit *visit, size_t count, int64_t first)
{
    fputs("<nav>", visit->out);
    if (visit->ask.page > 1) {
        fputs("<a href=\"", visit->out);
        html_self(visit, "", visit->ask.page - 1);
        fputs("\">before</a>", visit->out);
    }
    if ((size_t) first + ASK_ROWS < count) {
        fputs("<a href=\"", visit->out);
        html_self(visit, "", visit->ask.page + 1);
        fputs("\">next</a>", visit->out);
    }
    fputs("</nav>\n", visit->out);
}

static void put_kinds(const serve_visit *visit, const judged *j)
{
    int64_t first = (visit->ask.page - 1) * ASK_ROWS;

    page_table(visit->out, "Kinds of calls, by the share of very slow ones", columns, COLUMNS);
    for (size_t i = (size_t) first; i < j->count && i < (size_t) first + ASK_ROWS; i++)
        put_kind(visit->out, &j->kinds[i]);
    page_table_end(visit->out);
    if (j->count <= (size_t) first)
        page_text(visit->out, "Nothing.");
    put_turns(visit, j->count, first);
}

static serve_status write_anomalies(serve_visit *visit)
{
    judged j = {.kinds = NULL};
    ath_status status = judged_read(visit, &j);

    if (status == ATH_OK) {
        html_begin(visit, "Anomalies", "Calls that took unusually long, or short, for their kind.");
        page_text(
            visit->out,
            "The module histogram of the library that watches learns how long calls take, by "
            "call and size. One in 100 is slow and one in 1000 very slow by what was learned "
            "before; where very slow ones are more than five times as many, and five or more, "
            "the line stands out. Only processes that had the module are here.");
        html_form(visit);
        if (j.more)
            page_warning(visit->out, "There are more: these are the latest %d.", JUDGED_MOST);
        if (j.count > 0)
            qsort(j.kinds, j.count, sizeof(*j.kinds), by_share);
        put_kinds(visit, &j);
    }
    free(j.kinds);
    return serve_status_of(status);
}

const serve_page page_anomalies = {.path = "/anomalies",
                                   .name = "anomalies",
                                   .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER,
                                                  ASKED_PROGRAM, ASKED_JOB, ASKED_PROCESS,
                                                  ASKED_PAGE},
                                   .write = write_anomalies};
