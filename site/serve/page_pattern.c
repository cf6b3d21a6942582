/* Access pattern: where in a file each rank read and wrote, over time (after figure 3 of Kunkel et
 * al., "The SIOX Architecture"). */

#include <stdlib.h>
#include <string.h>

#include "report/svg.h"
#include "table.h"

enum { DRAWN = 4000, GROUPS = SVG_COLOURS };

typedef struct access {
    int64_t process, rank;
    double time, from, to; /* seconds and bytes */
    bool write;
} access;

typedef struct pattern {
    serve_visit *visit;
    char path[ASK_TEXT], layer[ASK_TEXT];
    int64_t all, step; /* accesses, of which one in so many is drawn */
    access *accesses;
    size_t count, room;
    int64_t processes;
} pattern;

/* --- which file, which layer */

static ath_status keep_path(const ath_cell *cells, int count, void *context)
{
    pattern *p = context;

    (void) count;
    snprintf(p->path, sizeof(p->path), "%s", cell_words(&cells[0]));
    return ATH_OK;
}

/* The lowest layer that has accesses: its offsets are bytes. */
static ath_status keep_layer(const ath_cell *cells, int count, void *context)
{
    pattern *p = context;

    (void) count;
    if (p->layer[0] != '\0')
        return ATH_OK;
    snprintf(p->layer, sizeof(p->layer), "%s", cell_words(&cells[0]));
    p->all = cell_integer(&cells[1]);
    return ATH_OK;
}

#define ACCESSES "(lower(c.name) LIKE '%read%' OR lower(c.name) LIKE '%write%')"

static ath_status find_layer(pattern *p)
{
    ath_cell cells[TABLE_CELLS];
    int count = visit_cells(
        p->visit, (const asked[]){ASKED_NUMBER, ASKED_JOB, ASKED_LAYER, ASKED_END}, cells);

    return visit_query(
        p->visit,
        "SELECT c.layer, sum(u.activities), CASE c.layer WHEN 'posix' THEN 1 WHEN 'stdio' THEN 2 "
        "WHEN 'mpi' THEN 3 ELSE 4 END FROM use u JOIN process p ON p.id = u.process JOIN call c ON "
        "c.id = u.call WHERE u.file = $1 AND ($2 = '' OR " ATH_JOB " = $2) AND "
        "($3 = '' OR c.layer = $3) AND " ACCESSES " GROUP BY c.layer ORDER BY 3, 1",
        cells, count, keep_layer, p);
}

/* --- accesses */

static ath_status keep_access(const ath_cell *cells, int count, void *context)
{
    pattern *p = context;
    access *a;

    (void) count;
    if (p->count == p->room) {
        size_t room = p->room > 0 ? 2 * p->room : 1024;

        a = realloc(p->accesses, room * sizeof(*a));
        if (a == NULL)
            return ATH_NO_MEMORY;
        p->accesses = a;
        p->room = room;
    }
    a = &p->accesses[p->count++];
    *a = (access){.process = cell_integer(&cells[0]),
                  .rank = cell_integer(&cells[1]),
                  .time = cell_number(&cells[2]) + cell_number(&cells[3]) / 1e9,
                  .from = cell_number(&cells[4]),
                  .to = cell_number(&cells[4]) + cell_number(&cells[5]),
                  .write = strcasestr(cell_words(&cells[6]), "write") != NULL};
    return ATH_OK;
}

static ath_status read_accesses(pattern *p)
{
    ath_cell cells[] = {ath_integer(p->visit->ask.number), ath_text(p->visit->ask.job),
                        ath_text(p->layer), ath_integer(p->step)};

    /* p.started - min(...): double precision has microseconds of an epoch, but nanoseconds of a
     * job */
    return visit_query(
        p->visit,
        "SELECT p.id, p.rank, p.started - (SELECT min(q.started) FROM process q WHERE q.id IN "
        "(SELECT u.process FROM use u WHERE u.file = $1) AND ($2 = '' OR CASE WHEN q.job <> '' "
        "THEN q.job ELSE q.host || ':' || q.pid END = $2)), a.start, a.position, a.bytes, c.name "
        "FROM process p CROSS JOIN activity a CROSS JOIN call c WHERE "
        "a.id > p.id * 4294967296 AND a.id < (p.id + 1) * 4294967296 AND c.id = a.call AND "
        "p.id IN (SELECT u.process FROM use u WHERE u.file = $1) AND "
        "($2 = '' OR " ATH_JOB " = $2) AND a.file = $1 AND c.layer = $3 AND a.position >= 0 AND "
        "a.id % $4 = 0 AND " ACCESSES,
        cells, 4, keep_access, p);
}

static int by_rank(const void *a, const void *b)
{
    const access *first = a, *second = b;

    if (first->rank != second->rank)
        return first->rank < second->rank ? -1 : 1;
    if (first->process != second->process)
        return first->process < second->process ? -1 : 1;
    return (first->time > second->time) - (first->time < second->time);
}

static void count_processes(pattern *p)
{
    if (p->count > 0)
        qsort(p->accesses, p->count, sizeof(*p->accesses), by_rank);
    for (size_t i = 0; i < p->count; i++)
        p->processes += i == 0 || p->accesses[i].process != p->accesses[i - 1].process;
}

/* --- charts: a colour for each rank, or for neighbouring ones */

typedef struct series {
    double *x, *from, *to;
    int counts[GROUPS], firsts[GROUPS];
    char names[GROUPS][48];
    int groups;
} series;

static void name_group(series *s, int group, const access *a)
{
    char *name = s->names[group], rank[20];

    snprintf(rank, sizeof(rank), "%lld", (long long) (a->rank >= 0 ? a->rank : a->process));
    if (name[0] == '\0') {
        snprintf(name, sizeof(s->names[0]), "%s", rank);
    } else {
        name[strcspn(name, "-")] = '\0';
        if (strcmp(name, rank) != 0) {
            strcat(name, "-");
            strcat(name, rank);
        }
    }
}

/* Those of a direction; they are sorted by rank, so each group is one stretch. */
static bool gather(const pattern *p, bool write, series *s)
{
    int64_t process = -1;
    int used = 0;

    *s = (series){.x = calloc(p->count + 1, sizeof(double)),
                  .from = calloc(p->count + 1, sizeof(double)),
                  .to = calloc(p->count + 1, sizeof(double))};
    s->groups = p->processes < GROUPS ? (int) p->processes : GROUPS;
    if (s->x == NULL || s->from == NULL || s->to == NULL)
        return false;
    for (size_t i = 0; i < p->count; i++) {
        const access *a = &p->accesses[i];
        int group;

        process += i == 0 || a->process != a[-1].process;
        group = (int) (process * s->groups / p->processes);
        name_group(s, group, a);
        if (a->write != write)
            continue;
        if (s->counts[group]++ == 0)
            s->firsts[group] = used;
        s->x[used] = a->time;
        s->from[used] = a->from;
        s->to[used++] = a->to;
    }
    return true;
}

static void free_series(series *s)
{
    free(s->x);
    free(s->from);
    free(s->to);
}

static void include_all(const pattern *p, svg_chart *chart)
{
    for (size_t i = 0; i < p->count; i++) {
        svg_include(&chart->x, &p->accesses[i].time, 1);
        svg_include(&chart->y, &p->accesses[i].from, 1);
        svg_include(&chart->y, &p->accesses[i].to, 1);
    }
}

static bool draw(FILE *out, const pattern *p, bool write)
{
    svg_chart chart = {.title =
                           write ? "offsets of writes over time" : "offsets of reads over time",
                       .description = "Offsets over time, a colour for each rank or group of them.",
                       .x = {.label = "time since the first process began", .unit = SVG_SECONDS},
                       .y = {.label = "offset", .unit = SVG_BYTES}};
    svg_entry entries[GROUPS];
    series s;
    bool done = gather(p, write, &s);

    include_all(p, &chart); /* both charts have the same axes */
    if (done) {
        page_figure(out);
        svg_begin(out, &chart);
        for (int i = 0; i < s.groups; i++) {
            svg_spans(out, &chart,
                      &(svg_series){.colour = i,
                                    .count = s.counts[i],
                                    .x = s.x + s.firsts[i],
                                    .y = s.from + s.firsts[i]},
                      s.to + s.firsts[i]);
            entries[i] = (svg_entry){s.names[i], SVG_MARK_LINE, i};
        }
        svg_legend(out, &chart, entries, s.groups);
        svg_end(out, &chart);
        page_figure_end(out, write ? "Writes: offsets over time, by rank"
                                   : "Reads: offsets over time, by rank");
    }
    free_series(&s);
    return done;
}

/* --- the page */

static const table ranks = {
    .caption = "The same in numbers",
    .parameters = {ASKED_NUMBER, ASKED_JOB, ASKED_LAYER},
    .from = "FROM use u JOIN process p ON p.id = u.process JOIN call c ON c.id = u.call WHERE "
            "u.file = $1 AND ($2 = '' OR " ATH_JOB " = $2) AND c.layer = $3",
    .group = "GROUP BY p.id, p.rank, p.host, c.name",
    .order = "2, 1, 4",
    .columns = {{"process", ATH_COUNT, "p.id", "/process/", 0},
                {"rank", ATH_COUNT, "p.rank", NULL, 0},
                {"host", ATH_WORDS, "p.host", NULL, 0},
                {"call", ATH_WORDS, "c.name", NULL, 0},
                {"activities", ATH_COUNT, "sum(u.activities)", NULL, 0},
                {"bytes", ATH_BYTES, ATH_SUM("u.bytes"), NULL, 0},
                {"time", ATH_NANOSECONDS, ATH_SUM("u.busy"), NULL, 0}}};

static serve_status put_pattern(pattern *p)
{
    FILE *out = p->visit->out;
    bool done;

    page_text(out,
              "Each stroke is an access of the layer %s: from its offset over its bytes, at the "
              "time it began.%s Colours are ranks, or processes where there are none.",
              p->layer[0] != '\0' ? p->layer : "posix",
              strcmp(p->layer, "mpi") == 0 ? " Offsets are in units of the program's view." : "");
    if (p->step > 1)
        page_note(out, "One in %lld of %lld accesses is drawn.", (long long) p->step,
                  (long long) p->all);
    if (p->count == 0)
        page_text(out,
                  "There are no accesses with an offset: the process was not recorded, or this "
                  "layer tells none.");
    page_figures(out);
    done = p->count == 0 || (draw(out, p, true) && draw(out, p, false));
    page_figures_end(out);
    snprintf(p->visit->ask.layer, sizeof(p->visit->ask.layer), "%s", p->layer);
    return done ? table_show(p->visit, &ranks, false, ASK_ROWS, NULL) : SERVE_FAILED;
}

static serve_status write_pattern(serve_visit *visit)
{
    pattern p = {.visit = visit};
    ath_cell id = ath_integer(visit->ask.number);
    ath_status status =
        visit_query(visit, "SELECT path FROM file WHERE id = $1", &id, 1, keep_path, &p);
    serve_status shown = SERVE_FAILED;

    if (status == ATH_OK && p.path[0] == '\0')
        return serve_missing(visit, "file");
    if (status == ATH_OK)
        status = find_layer(&p);
    p.step = visit_step(p.all, DRAWN);
    if (status == ATH_OK && p.all > 0)
        status = read_accesses(&p);
    if (status == ATH_OK) {
        count_processes(&p);
        html_begin(visit, p.path, "Access pattern: where in the file, over time.");
        html_form(visit);
        shown = put_pattern(&p);
    }
    free(p.accesses);
    return status == ATH_OK ? shown : serve_status_of(status);
}

const serve_page page_pattern = {.path = "/pattern",
                                 .parameters = {ASKED_NUMBER, ASKED_JOB, ASKED_LAYER},
                                 .write = write_pattern};
