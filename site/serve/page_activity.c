/* One activity: what is known of it, the calls that it was made in, and those made in it. */

#include <string.h>

#include "table.h"

enum { CHAIN = 64, MOST = 200 };    /* calls within calls; guards against circles */
enum { STARTS = 1, COMPLETES = 2 }; /* flags of atw_activity */

typedef struct activity {
    int64_t id, number, parent, process, rank, start, duration, position, bytes, file, flags, error;
    char layer[32], call[64], path[ASK_TEXT], program[256], user[128];
    double started; /* the process */
} activity;

static void copy(char *to, size_t size, const ath_cell *cell)
{
    snprintf(to, size, "%s", cell_words(cell));
}

static ath_status keep(const ath_cell *cells, int count, void *context)
{
    activity *a = context;

    (void) count;
    *a = (activity){.id = cell_integer(&cells[0]),
                    .number = cell_integer(&cells[1]),
                    .parent = cell_integer(&cells[2]),
                    .process = cell_integer(&cells[3]),
                    .rank = cell_integer(&cells[4]),
                    .start = cell_integer(&cells[5]),
                    .duration = cell_integer(&cells[6]),
                    .position = cell_integer(&cells[7]),
                    .bytes = cell_integer(&cells[8]),
                    .file = cell_integer(&cells[9]),
                    .flags = cell_integer(&cells[10]),
                    .error = cell_integer(&cells[11]),
                    .started = cell_number(&cells[12])};
    copy(a->layer, sizeof(a->layer), &cells[13]);
    copy(a->call, sizeof(a->call), &cells[14]);
    copy(a->path, sizeof(a->path), &cells[15]);
    copy(a->program, sizeof(a->program), &cells[16]);
    copy(a->user, sizeof(a->user), &cells[17]);
    return ATH_OK;
}

/* id 0 if there is none */
static ath_status read_activity(serve_visit *visit, int64_t id, activity *activity_p)
{
    ath_cell cells[] = {ath_integer(id), ath_integer(id >> 32)};

    activity_p->id = 0;
    return visit_query(
        visit,
        "SELECT a.id, a.number, a.parent, p.id, p.rank, a.start, a.duration, a.position, a.bytes, "
        "a.file, a.flags, a.error, p.started, c.layer, c.name, coalesce(f.path, ''), p.program, "
        "p.username FROM activity a JOIN call c ON c.id = a.call LEFT JOIN file f ON f.id = a.file "
        "CROSS JOIN process p WHERE a.id = $1 AND p.id = $2",
        cells, 2, keep, activity_p);
}

/* The id of a number within a process; *id_p stays if there is none. */
static ath_status find_number(serve_visit *visit, int64_t process, int64_t number, int64_t *id_p)
{
    ath_cell cells[] = {ath_integer(process), ath_integer(number)};

    return ath_query_integer(visit->database,
                             "SELECT id FROM activity WHERE id > $1 * 4294967296 AND "
                             "id < ($1 + 1) * 4294967296 AND number = $2 LIMIT 1",
                             cells, 2, &visit->message, id_p);
}

/* --- what is known of it */

static const char *flags_text(int64_t flags)
{
    return (flags & STARTS) != 0      ? "starts a nonblocking operation"
           : (flags & COMPLETES) != 0 ? "completes a nonblocking operation"
                                      : "";
}

static void put_error(FILE *out, const activity *a)
{
    char room[128];

    if (a->error == 0)
        html_fact(out, "error", "none");
    else if (strcmp(a->layer, "posix") == 0 || strcmp(a->layer, "stdio") == 0)
        html_fact(out, "error", "%lld, %s", (long long) a->error,
                  strerror_r((int) a->error, room, sizeof(room)));
    else
        html_fact(out, "error", "%lld", (long long) a->error);
}

static void put_attributes(FILE *out, const activity *a)
{
    ath_cell duration = ath_integer(a->duration), bytes = ath_integer(a->bytes);
    char room[HTML_TEXT], number[32];

    html_facts(out);
    html_fact(out, "layer", "%s", a->layer);
    snprintf(number, sizeof(number), "%lld", (long long) a->process);
    html_fact_link(out, "process", "/process/", number, number);
    html_fact(out, "program", "%s of %s", a->program, a->user);
    if (a->rank >= 0)
        html_fact(out, "rank", "%lld", (long long) a->rank);
    html_fact(out, "thread", "%lld", (long long) (a->number >> 40));
    html_fact(out, "number", "%lld", (long long) a->number);
    html_fact(out, "started", "%s, %.9f s after its process",
              html_time(a->started + (double) a->start / 1e9, room), (double) a->start / 1e9);
    html_fact(out, "duration", "%s (%lld ns)", html_value(ATH_NANOSECONDS, &duration, room),
              (long long) a->duration);
    snprintf(number, sizeof(number), "%lld", (long long) a->file);
    if (a->file != 0)
        html_fact_link(out, "file", "/file/", number, a->path);
    if (a->position >= 0)
        html_fact(out, "offset", "%lld", (long long) a->position);
    html_fact(out, "bytes", "%s (%lld)", html_value(ATH_BYTES, &bytes, room), (long long) a->bytes);
    put_error(out, a);
    if (flags_text(a->flags)[0] != '\0')
        html_fact(out, "nonblocking", "%s", flags_text(a->flags));
    html_facts_end(out);
}

/* --- causes, from the innermost out */

static const page_column columns[] = {{"activity", true}, {"layer", false}, {"call", false},
                                      {"duration", true}, {"offset", true}, {"bytes", true},
                                      {"error", true},    {"file", false}};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void put_link_of_chain(FILE *out, const activity *a, bool strong)
{
    ath_cell duration = ath_integer(a->duration), bytes = ath_integer(a->bytes);
    char room[HTML_TEXT], number[32];

    snprintf(number, sizeof(number), "%lld", (long long) a->id);
    page_row(out, strong);
    html_cell_link(out, "n", "/activity/", number, number);
    page_cell(out, &columns[1], "%s", a->layer);
    page_cell(out, &columns[2], "%s", a->call);
    page_cell(out, &columns[3], "%s", html_value(ATH_NANOSECONDS, &duration, room));
    page_cell(out, &columns[4], a->position >= 0 ? "%lld" : "-", (long long) a->position);
    page_cell(out, &columns[5], "%s", html_value(ATH_BYTES, &bytes, room));
    page_cell(out, &columns[6], "%lld", (long long) a->error);
    page_cell(out, &columns[7], "%s", a->path);
    page_row_end(out);
}

static ath_status put_chain(serve_visit *visit, const activity *innermost)
{
    activity a = *innermost;
    ath_status status = ATH_OK;

    page_table(visit->out, "The chain of causes: each was made in the next", columns, COLUMNS);
    for (int i = 0; status == ATH_OK && a.id != 0 && i < CHAIN; i++) {
        int64_t parent = 0;

        put_link_of_chain(visit->out, &a, i == 0);
        a.id = 0;
        if (a.parent != 0)
            status = find_number(visit, a.process, a.parent, &parent);
        if (status == ATH_OK && parent != 0)
            status = read_activity(visit, parent, &a);
    }
    page_table_end(visit->out);
    return status;
}

/* --- calls made in it */

static const table inner = {
    .caption = "Calls made in it",
    .parameters = {ASKED_PROCESS, ASKED_NUMBER},
    .from = "FROM activity a JOIN call c ON c.id = a.call LEFT JOIN file f ON f.id = a.file WHERE "
            "a.id > $1 * 4294967296 AND a.id < ($1 + 1) * 4294967296 AND a.parent = $2",
    .group = "",
    .order = "4, 1",
    .columns = {{"activity", ATH_COUNT, "a.id", "/activity/", 0},
                {"layer", ATH_WORDS, "c.layer", NULL, 0},
                {"call", ATH_WORDS, "c.name", NULL, 0},
                {"since", ATH_NANOSECONDS, "a.start", NULL, 0},
                {"duration", ATH_NANOSECONDS, "a.duration", NULL, 0},
                {"offset", ATH_COUNT, "a.position", NULL, 0},
                {"bytes", ATH_BYTES, "a.bytes", NULL, 0},
                {"error", ATH_COUNT, "a.error", NULL, 0},
                {"file", ATH_WORDS, "coalesce(f.path, '')", "/file/", 9},
                {NULL, ATH_COUNT, "a.file", NULL, 0}}};

static serve_status show(serve_visit *visit, int64_t id)
{
    activity a = {.id = 0};
    ath_status status = read_activity(visit, id, &a);
    char title[160];

    if (status != ATH_OK)
        return serve_status_of(status);
    if (a.id == 0)
        return serve_missing(visit, "activity");
    snprintf(title, sizeof(title), "%s", a.call);
    html_begin(visit, title, "An activity: its attributes, its causes, and what it caused.");
    put_attributes(visit->out, &a);
    status = put_chain(visit, &a);
    if (status != ATH_OK)
        return serve_status_of(status);
    visit->ask.process = a.process;
    visit->ask.number = a.number;
    return table_show(visit, &inner, false, MOST, NULL);
}

static serve_status write_activity(serve_visit *visit)
{
    return show(visit, visit->id);
}

const serve_page page_activity = {.path = "/activity/", .numbered = true, .write = write_activity};

/* Finds the cause by its number in the process, which is what modules know. */
static serve_status write_cause(serve_visit *visit)
{
    int64_t id = 0;
    ath_status status = find_number(visit, visit->ask.process, visit->ask.number, &id);

    if (status != ATH_OK)
        return serve_status_of(status);
    return id != 0 ? show(visit, id)
                   : serve_missing(visit, "activity (it may not have been recorded)");
}

const serve_page page_cause = {
    .path = "/activity", .parameters = {ASKED_PROCESS, ASKED_NUMBER}, .write = write_cause};
