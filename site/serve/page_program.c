/* A program at a glance, as reports of Darshan's logs have it: its runs, and of one of them how
 * much of the run time is I/O, by which layer, in which sizes, and which ranks when. */

#include <math.h>
#include <string.h>

#include "common/units.h"
#include "program_run.h"
#include "report/svg.h"
#include "table.h"

#define OWN "c.layer IN ('posix', 'stdio')" /* what the others cause is not counted twice */
#define OWN_BYTES ATH_SUM("CASE WHEN " OWN " THEN u.bytes ELSE 0 END")
#define OWN_BUSY ATH_SUM("CASE WHEN " OWN " THEN u.busy ELSE 0 END")
#define RUN_TIME ATH_SUM(ATH_LASTED)

/* --- all programs */

static const table programs = {
    .caption = "Programs",
    .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER},
    .from = "FROM process WHERE started >= $1 AND started < $2 AND ($3 = '' OR username = $3)",
    .group = "GROUP BY program",
    .order = "2 DESC, 1",
    .columns = {{"program", ATH_WORDS, "program", "/program?program=", 0},
                {"latest run", ATH_TIME, "max(started)", NULL, 0},
                {"users", ATH_COUNT, "count(DISTINCT username)", NULL, 0},
                {"jobs", ATH_COUNT, "count(DISTINCT " ATH_JOB ")", NULL, 0},
                {"processes", ATH_COUNT, "count(*)", NULL, 0},
                {"run time", ATH_NANOSECONDS, RUN_TIME, NULL, 0},
                {"activities", ATH_COUNT, "sum(activities)", NULL, 0}}};

static serve_status write_programs(serve_visit *visit)
{
    html_begin(visit, "Programs",
               "Each leads to a summary: how much of its run time is I/O, by which calls, in which "
               "sizes, and when. Run time is that of all processes, until their last call.");
    html_form(visit);
    return table_show(visit, &programs, true, ASK_ROWS, NULL);
}

const serve_page page_programs = {
    .path = "/programs",
    .name = "programs",
    .parameters = {ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_SORT, ASKED_PAGE},
    .write = write_programs};

/* --- runs of one; the link is put together for it */

static const table runs = {
    .caption = "Its runs, the latest first",
    .parameters = {ASKED_PROGRAM},
    .from = "FROM process p LEFT JOIN (SELECT u.process, " OWN_BUSY " AS busy, " OWN_BYTES
            " AS bytes FROM use u JOIN call c ON c.id = u.call WHERE u.process IN (SELECT id FROM "
            "process WHERE program = $1) GROUP BY u.process) AS x ON x.process = p.id WHERE "
            "program = $1",
    .group = "GROUP BY " ATH_JOB,
    .order = "3 DESC, 1",
    .columns = {
        {"job", ATH_WORDS, ATH_JOB, "", 0},
        {"user", ATH_WORDS, "max(username)", NULL, 0},
        {"started", ATH_TIME, "min(" ATH_STARTED ")", NULL, 0},
        {"processes", ATH_COUNT, "count(*)", NULL, 0},
        {"ranks", ATH_COUNT, "max(ranks)", NULL, 0},
        {"run time", ATH_NANOSECONDS, "max(" ATH_LASTED ")", NULL, 0},
        {"I/O time a process", ATH_NANOSECONDS, "coalesce(sum(x.busy), 0) / count(*)", NULL, 0},
        {"I/O, % of run time", ATH_COUNT,
         "100 * coalesce(sum(x.busy), 0) / nullif(" RUN_TIME ", 0)", NULL, 0},
        {"bytes", ATH_BYTES, "sum(x.bytes)", NULL, 0}}};

enum { MOST_RUNS = 50 };

static serve_status show_runs(serve_visit *visit)
{
    return table_show_linked(visit, &runs, 0, "/program?program=", visit->ask.program,
                             "&job=", MOST_RUNS);
}

/* --- one run: numbers */

static void put_cards(FILE *out, const program_run *run)
{
    double bytes[2] = {0, 0};
    char text[32];

    for (int layer = 2; layer < RUN_LAYERS; layer++)
        for (int way = 0; way < 2; way++)
            bytes[way] += run->bytes[layer][way];
    page_cards(out);
    snprintf(text, sizeof(text), "%zu", run->count);
    page_card(out, text, "processes");
    page_card(out, units_seconds(run->ended - run->began).text, "run time, until the last call");
    page_card(out, units_share(program_run_share(run)).text, "of it in I/O (POSIX and stdio)");
    page_card(out, units_bytes(bytes[RUN_READS]).text, "read");
    page_card(out, units_bytes(bytes[RUN_WRITES]).text, "written");
    page_cards_end(out);
}

static const page_column columns[] = {{"layer", false},
                                      {"calls", true},
                                      {"bytes read", true},
                                      {"bytes written", true},
                                      {"time reading", true},
                                      {"time writing", true},
                                      {"time in other calls", true},
                                      {"of the run time", true}};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void put_layers(FILE *out, const program_run *run)
{
    page_table(out,
               "I/O by layer, all processes together; what the upper ones do, they do by the "
               "lower ones",
               columns, COLUMNS);
    for (int layer = 0; layer < RUN_LAYERS; layer++) {
        const double *calls = run->calls[layer], *seconds = run->seconds[layer];
        double all = seconds[0] + seconds[1] + seconds[2];

        if (calls[0] + calls[1] + calls[2] == 0)
            continue;
        page_row(out, false);
        page_cell(out, &columns[0], "%s", run_layers[layer]);
        page_cell(out, &columns[1], "%.0f", calls[0] + calls[1] + calls[2]);
        page_cell(out, &columns[2], "%s", units_bytes(run->bytes[layer][RUN_READS]).text);
        page_cell(out, &columns[3], "%s", units_bytes(run->bytes[layer][RUN_WRITES]).text);
        for (int way = 0; way < RUN_WAYS; way++)
            page_cell(out, &columns[4 + way], "%s", units_seconds(seconds[way]).text);
        page_cell(out, &columns[7], "%s", run->time > 0 ? units_share(all / run->time).text : "-");
        page_row_end(out);
    }
    page_table_end(out);
}

/* --- one run: figures */

static void draw_sizes(FILE *out, const program_run *run)
{
    char names[2 * RUN_LAYERS][32];
    const char *rows[2 * RUN_LAYERS];
    double values[2 * RUN_LAYERS * RUN_SIZES];
    svg_heat heat = {.title = "Accesses by size",
                     .description = "How many reads and writes of each layer had how many bytes.",
                     .x_label = "bytes of an access",
                     .y_label = "layer",
                     .unit = SVG_NUMBER,
                     .columns = RUN_SIZES,
                     .row_names = rows,
                     .column_names = run_sizes,
                     .values = values,
                     .nothing = "empty: none",
                     .unstyled = true};

    for (int i = 0; i < 2 * RUN_LAYERS; i++) {
        const double *sizes = run->sizes[i / 2][i % 2];
        double sum = 0;

        for (int k = 0; k < RUN_SIZES; k++)
            sum += sizes[k];
        if (sum == 0)
            continue;
        snprintf(names[heat.rows], sizeof(names[0]), "%s %s", run_layers[i / 2],
                 i % 2 == 0 ? "read" : "write");
        rows[heat.rows] = names[heat.rows];
        for (int k = 0; k < RUN_SIZES; k++)
            values[heat.rows * RUN_SIZES + k] = sizes[k] > 0 ? sizes[k] : NAN;
        heat.rows++;
    }
    if (heat.rows == 0)
        return;
    page_figure(out);
    svg_heat_map(out, &heat);
    page_figure_end(out, "Accesses by size: how many reads and writes of each layer had so many "
                         "bytes");
}

/* "3", or "0-7" of neighbouring ranks; processes where there are none. */
static void name_row(const program_run *run, int row, char name[32])
{
    int64_t first = -1, last = -1;

    for (size_t i = 0; i < run->count; i++) {
        const run_process *p = &run->processes[i];

        if (program_run_row(run, i) != row)
            continue;
        last = p->rank >= 0 ? p->rank : p->id;
        first = first >= 0 ? first : last;
    }
    snprintf(name, 32, first == last ? "%lld" : "%lld-%lld", (long long) first, (long long) last);
}

static void draw_ranks(FILE *out, const program_run *run)
{
    char row_names[RUN_ROWS][32], column_names[RUN_COLUMNS][UNITS_TEXT];
    const char *rows[RUN_ROWS], *names[RUN_COLUMNS];
    double values[RUN_ROWS * RUN_COLUMNS], width = (run->ended - run->began) / RUN_COLUMNS;
    int count = program_run_rows(run), in_row[RUN_ROWS] = {0};
    svg_heat heat = {.title = "I/O by rank over time",
                     .description = "Of each stretch of time, the share that a rank was in calls "
                                    "of POSIX and stdio that began in it.",
                     .x_label = "time since the first process was started",
                     .y_label = "rank",
                     .unit = SVG_SHARE,
                     .rows = count,
                     .columns = RUN_COLUMNS,
                     .row_names = rows,
                     .column_names = names,
                     .values = values,
                     .dense = true,
                     .nothing = "empty: no call began",
                     .unstyled = true};

    for (size_t i = 0; i < run->count; i++)
        in_row[program_run_row(run, i)]++;
    for (int row = 0; row < count; row++) {
        name_row(run, row, row_names[row]);
        rows[row] = row_names[row];
        for (int k = 0; k < RUN_COLUMNS; k++) {
            double seconds = run->heat[row * RUN_COLUMNS + k];

            values[row * RUN_COLUMNS + k] =
                seconds > 0 && width > 0 ? seconds / width / in_row[row] : NAN;
        }
    }
    for (int k = 0; k < RUN_COLUMNS; k++) {
        snprintf(column_names[k], UNITS_TEXT, "%s", units_seconds(k * width).text);
        names[k] = column_names[k];
    }
    page_figure(out);
    svg_heat_map(out, &heat);
    page_figure_end(out,
                    "I/O by rank over time: the share of each stretch that a rank was in POSIX "
                    "and stdio calls that began in it");
}

/* --- the page */

static void put_run(FILE *out, const program_run *run)
{
    page_heading(out, "Job %s", run->job);
    fputs("<nav>", out);
    html_link(out, "/job?job=", run->job, "its processes and files");
    fputs("</nav>\n", out);
    put_cards(out, run);
    put_layers(out, run);
    page_figures(out);
    draw_sizes(out, run);
    if (run->has_activities)
        draw_ranks(out, run);
    page_figures_end(out);
    if (!run->has_activities)
        page_note(out, "Sizes and times of ranks are known of activities; none were recorded.");
    if (run->step > 1)
        page_note(out,
                  "Sizes and times of ranks are estimated from one in %lld of %lld activities.",
                  (long long) run->step, (long long) run->activities);
    page_note(out, "The share of several threads can be more than 100 %%.");
}

static serve_status write_program(serve_visit *visit)
{
    program_run run;
    ath_status status = program_run_read(visit, &run);
    serve_status shown = serve_status_of(status);

    if (status == ATH_OK && run.count == 0) {
        program_run_clear(&run);
        return serve_missing(visit, "run of this program that was watched");
    }
    if (status == ATH_OK) {
        html_begin(
            visit, visit->ask.program[0] != '\0' ? visit->ask.program : "?",
            "A program: how much of its run time is I/O, by which calls, in which sizes, and "
            "when.");
        put_run(visit->out, &run);
        shown = show_runs(visit);
    }
    program_run_clear(&run);
    return shown;
}

const serve_page page_program = {
    .path = "/program", .parameters = {ASKED_PROGRAM, ASKED_JOB}, .write = write_program};
