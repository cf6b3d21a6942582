/* One run of a program, by a few statements. */

#include "program_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "history/list.h"

const char *const run_layers[RUN_LAYERS] = {"hdf5", "mpi", "stdio", "posix"};
const char *const run_sizes[RUN_SIZES] = {"to 100", "to 1K",  "to 10K",  "to 100K", "to 1M",
                                          "to 4M",  "to 10M", "to 100M", "to 1G",   "more"};
#define BIN                                                                                        \
    "CASE WHEN a.bytes <= 100 THEN 0 WHEN a.bytes <= 1000 THEN 1 WHEN a.bytes <= 10000 THEN 2 "    \
    "WHEN a.bytes <= 100000 THEN 3 WHEN a.bytes <= 1000000 THEN 4 WHEN a.bytes <= 4000000 THEN 5 " \
    "WHEN a.bytes <= 10000000 THEN 6 WHEN a.bytes <= 100000000 THEN 7 WHEN a.bytes <= 1000000000 " \
    "THEN 8 ELSE 9 END"

#define WAY                                                                                        \
    "CASE WHEN lower(c.name) LIKE '%write%' THEN 1 WHEN lower(c.name) LIKE '%read%' THEN 0 ELSE "  \
    "2 END"
#define BYTES ATH_SUM("u.bytes")
#define BUSY ATH_SUM("u.busy")
#define DURATION ATH_SUM("duration")

#define OF_RUN "p.program = $1 AND " ATH_JOB " = $2"

/* Those of a process stand together (history/schema.h). */
#define ACTIVITIES                                                                                 \
    " FROM process p CROSS JOIN activity a CROSS JOIN call c WHERE a.id > p.id * 4294967296 AND "  \
    "a.id < (p.id + 1) * 4294967296 AND p.id = a.id / 4294967296 AND c.id = a.call AND " OF_RUN    \
    " AND a.id % $3 = 0"

enum { LOOKED_AT = 100000 };

static int layer_of(const ath_cell *cell)
{
    int layer = RUN_LAYERS - 1;

    while (layer >= 0 && strcmp(run_layers[layer], cell_words(cell)) != 0)
        layer--;
    return layer;
}

static ath_status keep_job(const ath_cell *cells, int count, void *context)
{
    program_run *run = context;

    (void) count;
    snprintf(run->job, sizeof(run->job), "%s", cell_words(&cells[0]));
    return ATH_OK;
}

static ath_status keep_process(const ath_cell *cells, int count, void *context)
{
    program_run *run = context;
    run_process p = {cell_integer(&cells[0]), cell_integer(&cells[1]), cell_number(&cells[2]),
                     fmax(0, cell_number(&cells[3]) / 1e9)};

    (void) count;
    if (run->count == run->room) {
        size_t room = run->room > 0 ? 2 * run->room : 64;
        run_process *processes = realloc(run->processes, room * sizeof(*processes));

        if (processes == NULL)
            return ATH_NO_MEMORY;
        run->processes = processes;
        run->room = room;
    }
    run->began = run->count == 0 ? p.started : fmin(run->began, p.started);
    run->ended = fmax(run->ended, p.started + p.lasted);
    run->time += p.lasted;
    run->processes[run->count++] = p;
    run->activities += cell_integer(&cells[4]);
    return ATH_OK;
}

static ath_status keep_use(const ath_cell *cells, int count, void *context)
{
    program_run *run = context;
    int layer = layer_of(&cells[0]);
    int64_t way = cell_integer(&cells[1]);

    (void) count;
    if (layer < 0 || way < 0 || way >= RUN_WAYS)
        return ATH_OK;
    run->calls[layer][way] = cell_number(&cells[2]);
    run->bytes[layer][way] = cell_number(&cells[3]);
    run->seconds[layer][way] = cell_number(&cells[4]) / 1e9;
    return ATH_OK;
}

static ath_status keep_size(const ath_cell *cells, int count, void *context)
{
    program_run *run = context;
    int layer = layer_of(&cells[0]);
    int64_t way = cell_integer(&cells[1]), bin = cell_integer(&cells[2]);

    (void) count;
    run->has_activities = true;
    if (layer >= 0 && way >= 0 && way < RUN_OTHERS && bin >= 0 && bin < RUN_SIZES)
        run->sizes[layer][way][bin] = cell_number(&cells[3]) * (double) run->step;
    return ATH_OK;
}

/* --- ranks over time */

int program_run_rows(const program_run *run)
{
    return run->count < RUN_ROWS ? (int) run->count : RUN_ROWS;
}

int program_run_row(const program_run *run, size_t process)
{
    return (int) (process * (size_t) program_run_rows(run) / run->count);
}

/* Rows come in the order of processes' ids, which is mostly that of ranks. */
static ath_status keep_heat(const ath_cell *cells, int count, void *context)
{
    program_run *run = context;
    int64_t id = cell_integer(&cells[0]), column = cell_integer(&cells[1]);
    size_t at = 0;

    (void) count;
    while (at < run->count && run->processes[at].id != id)
        at++;
    column = column < 0 ? 0 : column < RUN_COLUMNS ? column : RUN_COLUMNS - 1;
    if (at < run->count)
        run->heat[program_run_row(run, at) * RUN_COLUMNS + column] +=
            cell_number(&cells[2]) / 1e9 * (double) run->step;
    return ATH_OK;
}

static ath_status read_activities(program_run *run)
{
    double width = (run->ended - run->began) / RUN_COLUMNS * 1e9;
    ath_cell cells[] = {ath_text(run->visit->ask.program), ath_text(run->job),
                        ath_integer(run->step), ath_real(run->began),
                        ath_integer((int64_t) fmin(fmax(width, 1), 0x1p60))};
    ath_status status = visit_query(run->visit,
                                    "SELECT c.layer, " WAY ", " BIN ", count(*)" ACTIVITIES
                                    " AND " WAY " < 2 GROUP BY 1, 2, 3",
                                    cells, 3, keep_size, run);

    if (status == ATH_OK && run->has_activities)
        status = visit_query(run->visit,
                             "WITH b AS (SELECT p.id AS id, p.started AS started, a.start AS "
                             "start, a.duration AS duration" ACTIVITIES
                             " AND c.layer IN ('posix', 'stdio')) SELECT id, "
                             "(CAST((started - $4) * 1e9 AS BIGINT) + start) / $5, " DURATION
                             " FROM b GROUP BY 1, 2",
                             cells, 5, keep_heat, run);
    return status;
}

/* --- all */

ath_status program_run_read(serve_visit *visit, program_run *run_p)
{
    program_run *run = run_p;
    ath_cell cells[] = {ath_text(visit->ask.program), ath_text(visit->ask.job)};
    ath_status status;

    *run = (program_run){.visit = visit};
    status = visit_query(visit,
                         "SELECT " ATH_JOB " FROM process WHERE program = $1 AND "
                         "($2 = '' OR " ATH_JOB " = $2) ORDER BY started DESC LIMIT 1",
                         cells, 2, keep_job, run);
    cells[1] = ath_text(run->job);
    if (status == ATH_OK)
        status = visit_query(visit,
                             "SELECT p.id, p.rank, " ATH_STARTED ", " ATH_LASTED
                             ", p.activities FROM process p WHERE " OF_RUN
                             " ORDER BY rank, id LIMIT 10000",
                             cells, 2, keep_process, run);
    if (status == ATH_OK)
        status = visit_query(visit,
                             "SELECT c.layer, " WAY ", sum(u.activities), " BYTES ", " BUSY
                             " FROM use u JOIN process p ON p.id = u.process JOIN call c ON "
                             "c.id = u.call WHERE " OF_RUN " GROUP BY 1, 2",
                             cells, 2, keep_use, run);
    run->step = visit_step(run->activities, LOOKED_AT);
    return status == ATH_OK ? read_activities(run) : status;
}

void program_run_clear(program_run *run)
{
    free(run->processes);
    run->processes = NULL;
}

double program_run_share(const program_run *run)
{
    double sum = 0;

    for (int layer = 2; layer < RUN_LAYERS; layer++)
        for (int way = 0; way < RUN_WAYS; way++)
            sum += run->seconds[layer][way];
    return run->time > 0 ? sum / run->time : 0;
}
