/* Activities.  In their usual order, and by what their processes have, they are read process by
 * process: those of a process stand together (history/schema.h), so that the key finds where a page
 * begins, and processes are ruled out as a whole where they can be.  In any other order all have to
 * be looked at, so that as little as can be is done for each. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "table.h"
#include "common/clock.h"

/* Casts: PostgreSQL divides integers by 1e9 as decimal numbers, which takes longer than all else.
 */
#define SECONDS(nanoseconds) "CAST(" nanoseconds " AS DOUBLE PRECISION) / 1e9"
#define START "p.started + " SECONDS("a.start")
#define BEGAN "p.started + " SECONDS("p.began")
#define ENDED "p.started + " SECONDS("p.lasted")
#define SINCE "a.start - CASE WHEN p.began < 0 THEN p.began ELSE 0 END"

#define PATH "coalesce(f.path, '')"

#define COLUMNS                                                                                    \
    {                                                                                              \
        {"activity", ATH_COUNT, "a.id", "/activity/", 0},                                          \
            {"process", ATH_COUNT, "p.id", "/process/", 1},                                        \
            {"rank", ATH_COUNT, "p.rank", NULL, 0}, {"layer", ATH_WORDS, "c.layer", NULL, 0},      \
            {"call", ATH_WORDS, "c.name", NULL, 0}, {"started", ATH_TIME, START, NULL, 0},         \
            {"since", ATH_NANOSECONDS, SINCE, NULL, 0},                                            \
            {"duration", ATH_NANOSECONDS, "a.duration", NULL, 0},                                  \
            {"offset", ATH_COUNT, "a.position", NULL, 0},                                          \
            {"bytes", ATH_BYTES, "a.bytes", NULL, 0}, {"error", ATH_COUNT, "a.error", NULL, 0},    \
            {"user", ATH_WORDS, "p.username", NULL, 0}, {"file", ATH_WORDS, PATH, "/file/", 13},   \
        {                                                                                          \
            NULL, ATH_COUNT, "a.file", NULL, 0                                                     \
        }                                                                                          \
    }

/* Selects processes by $1 to $8: i s e u j p l f */
#define PROCESSES                                                                                  \
    "(CAST($1 AS BIGINT) = 0 OR p.id = $1) AND " ENDED " >= $2 AND " BEGAN " < $3 AND "            \
    "($4 = '' OR p.username = $4) AND ($5 = '' OR " ATH_JOB " = $5) AND "                          \
    "($6 = '' OR p.program = $6) AND ($7 = '' OR p.id IN (SELECT u.process FROM use u JOIN "       \
    "call k ON k.id = u.call WHERE k.layer = $7)) AND ($8 = '' OR p.id IN (SELECT u.process "      \
    "FROM use u JOIN file g ON g.id = u.file WHERE lower(g.path) LIKE lower($8) ESCAPE '!'))"

/* --- in any order: those of the page are found before anything is joined to them but what the
 * order is by.  CROSS JOIN keeps SQLite to this one, the quotient lets PostgreSQL hash. */

#define FROM                                                                                       \
    "FROM (SELECT a.* FROM process p CROSS JOIN activity a%s WHERE a.id > p.id * 4294967296 AND "  \
    "a.id < (p.id + 1) * 4294967296 AND p.id = a.id / 4294967296 AND " PROCESSES " AND "           \
    "($7 = '' OR a.call IN (SELECT k.id FROM call k WHERE k.layer = $7)) AND "                     \
    "($8 = '' OR a.file IN (SELECT g.id FROM file g WHERE lower(g.path) LIKE lower($8) ESCAPE "    \
    "'!')) AND ($9 = '' OR a.call IN (SELECT k.id FROM call k WHERE k.name = $9)) AND "            \
    "(CAST($10 AS BIGINT) = 0 OR a.error <> 0)%s"                                                  \
    " ORDER BY %s%s, p.id DESC, a.id LIMIT %d OFFSET %lld) AS a JOIN process p ON "                \
    "p.id = a.id / 4294967296" WITH_CALL WITH_FILE
#define WITH_CALL " JOIN call c ON c.id = a.call"
#define WITH_FILE " LEFT JOIN file f ON f.id = a.file"

typedef struct key {
    const char *name; /* of the column */
    const char *sql;
    const char *with; /* what it is of, but activity and process */
} key;

static const key keys[] = {{"layer", "c.layer", WITH_CALL}, {"call", "c.name", WITH_CALL},
                           {"started", START, ""},          {"since", SINCE, ""},
                           {"duration", "a.duration", ""},  {"offset", "a.position", ""},
                           {"bytes", "a.bytes", ""},        {"error", "a.error", ""},
                           {"file", PATH, WITH_FILE}};

/* Any key for an unknown column, which table_show() refuses. */
static const key *key_of(const ask *ask)
{
    const char *name = ask->sort + (ask->sort[0] == '-');

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return &keys[0];
}

static void write_from(FILE *out, const ask *ask)
{
    const key *key = key_of(ask);
    bool timed = ask->since > 0 || ask->until < ASK_EVER;

    fprintf(out, FROM, key->with, timed ? " AND " START " >= $2 AND " START " < $3" : "", key->sql,
            ask->sort[0] == '-' ? " DESC" : "", ASK_ROWS + 1,
            (long long) (ask->page - 1) * ASK_ROWS);
}

static serve_status show_sorted(serve_visit *visit)
{
    table sorted = {.caption = "Activities",
                    .parameters = {ASKED_PROCESS, ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_JOB,
                                   ASKED_PROGRAM, ASKED_LAYER, ASKED_FILE, ASKED_CALL,
                                   ASKED_ERRORS},
                    .cut = true,
                    .group = "",
                    .order = "p.id DESC, a.id",
                    .columns = COLUMNS};
    char *from = NULL;
    size_t size;
    FILE *out = open_memstream(&from, &size);
    serve_status status = SERVE_FAILED;

    if (out == NULL)
        return SERVE_FAILED;
    write_from(out, &visit->ask);
    if (fclose(out) == 0) {
        sorted.from = from;
        status = table_show(visit, &sorted, true, ASK_ROWS, NULL);
    }
    free(from);
    return status;
}

/* --- process by process, and each from its first activity on */

/* NULL if the order is another. */
static const char *order_of_processes(const ask *ask)
{
    static const char *const orders[][2] = {{"", "p.id DESC"},
                                            {"activity", "p.id"},
                                            {"-activity", "p.id DESC"},
                                            {"process", "p.id"},
                                            {"-process", "p.id DESC"},
                                            {"rank", "p.rank, p.id DESC"},
                                            {"-rank", "p.rank DESC, p.id DESC"},
                                            {"user", "p.username, p.id DESC"},
                                            {"-user", "p.username DESC, p.id DESC"}};

    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
        if (strcmp(orders[i][0], ask->sort) == 0)
            return orders[i][1];
    return NULL;
}

static const table of_process = {
    .caption = "Activities",
    .from = "FROM activity a JOIN process p ON p.id = $1 JOIN call c ON c.id = a.call LEFT JOIN "
            "file f ON f.id = a.file WHERE a.id > $2 AND a.id < ($1 + 1) * 4294967296 AND " START
            " >= $3 AND " START " < $4 AND ($5 = '' OR c.layer = $5) AND "
            "($6 = '' OR lower(f.path) LIKE lower($6) ESCAPE '!') AND ($7 = '' OR c.name = $7) AND "
            "(CAST($8 AS BIGINT) = 0 OR a.error <> 0)",
    .group = "",
    .order = "a.id",
    .columns = COLUMNS};

typedef struct processes {
    int64_t *ids;
    size_t count, room;
} processes;

static ath_status keep(const ath_cell *cells, int count, void *context)
{
    processes *p = context;

    (void) count;
    if (p->count == p->room) {
        size_t room = p->room > 0 ? 2 * p->room : 1024;
        int64_t *ids = realloc(p->ids, room * sizeof(*ids));

        if (ids == NULL)
            return ATH_NO_MEMORY;
        p->ids = ids;
        p->room = room;
    }
    p->ids[p->count++] = cell_integer(&cells[0]);
    return ATH_OK;
}

static ath_status find_processes(serve_visit *visit, const char *order, processes *processes_p)
{
    ath_cell cells[9];
    int count =
        visit_cells(visit,
                    (const asked[]){ASKED_PROCESS, ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_JOB,
                                    ASKED_PROGRAM, ASKED_LAYER, ASKED_FILE, ASKED_END},
                    cells);
    char sql[2048];

    cells[count++] = ath_integer(visit->ask.after > 0 ? visit->ask.after >> 32 : INT64_MAX);
    snprintf(sql, sizeof(sql),
             "SELECT p.id FROM process p WHERE " PROCESSES " AND p.id <= $9 ORDER BY %s", order);
    return visit_query(visit, sql, cells, count, keep, processes_p);
}

/* Each statement is short; together they may not take longer than one may. */
static ath_status show_parts(serve_visit *visit, const processes *found, table_parts *parts)
{
    double end = clock_steady() + visit->site->patience;
    ath_status status = ATH_OK;

    for (size_t i = 0; status == ATH_OK && i < found->count && !table_is_full(parts); i++) {
        int64_t id = found->ids[i], first = id << 32;
        ath_cell cells[8] = {ath_integer(id),
                             ath_integer(visit->ask.after >> 32 == id ? visit->ask.after : first)};
        int count =
            2 + visit_cells(visit,
                            (const asked[]){ASKED_SINCE, ASKED_UNTIL, ASKED_LAYER, ASKED_FILE,
                                            ASKED_CALL, ASKED_ERRORS, ASKED_END},
                            cells + 2);

        status = table_part(parts, cells, count);
        if (status == ATH_OK && clock_steady() > end)
            status =
                ath_complain(ATH_TOO_LONG, &visit->message, "%.128s: %zu processes were looked at",
                             ath_name(visit->database), i + 1);
    }
    return status;
}

static serve_status show_by_process(serve_visit *visit, const char *order)
{
    processes found = {.ids = NULL};
    table of_one = of_process;
    table_parts parts;
    ath_status status = find_processes(visit, order, &found);

    if (strcmp(visit->ask.sort, "-activity") == 0)
        of_one.order = "a.id DESC";
    if (status == ATH_OK) {
        table_begin(visit, &of_one, ASK_ROWS, &parts);
        status = show_parts(visit, &found, &parts);
        table_end(&parts);
    }
    free(found.ids);
    return serve_status_of(status);
}

static serve_status write_activities(serve_visit *visit)
{
    const char *order = order_of_processes(&visit->ask);

    html_begin(visit, "Activities",
               "Calls of HDF5, MPI-IO, stdio and POSIX, the latest process first. \"Since\" counts "
               "from the begin of the process.");
    html_form(visit);
    return order != NULL ? show_by_process(visit, order) : show_sorted(visit);
}

const serve_page page_activities = {
    .path = "/activities",
    .name = "activities",
    .parameters = {ASKED_PROCESS, ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_JOB, ASKED_PROGRAM,
                   ASKED_LAYER, ASKED_CALL, ASKED_FILE, ASKED_ERRORS, ASKED_AFTER, ASKED_SORT,
                   ASKED_PAGE},
    .write = write_activities};
