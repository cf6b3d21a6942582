/* Which processes are in a trace, and what they are called there. */

#include "trace_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ath_status make_room(trace_processes *processes)
{
    size_t room = 2 * processes->room + 16;
    trace_process *at;

    if (processes->count < processes->room)
        return ATH_OK;
    at = realloc(processes->at, room * sizeof(*at));
    if (at == NULL)
        return ATH_NO_MEMORY;
    processes->at = at;
    processes->room = room;
    return ATH_OK;
}

static ath_status add_process(const ath_cell *cells, int count, void *context)
{
    trace_processes *processes = context;
    trace_process *p;
    char name[512];

    (void) count;
    if (make_room(processes) != ATH_OK)
        return ATH_NO_MEMORY;
    if (cells[4].integer >= 0)
        snprintf(name, sizeof(name), "rank %" PRId64 ": %.200s, %.200s, process %" PRId64,
                 cells[4].integer, cells[1].text, cells[2].text, cells[3].integer);
    else
        snprintf(name, sizeof(name), "%.200s, %.200s, process %" PRId64, cells[1].text,
                 cells[2].text, cells[3].integer);
    p = &processes->at[processes->count++];
    *p = (trace_process){.id = cells[0].integer,
                         .realtime = (int64_t) (cells[5].real * 1e9),
                         .name = strdup(name),
                         .host = strdup(cells[2].text)};
    return p->name != NULL && p->host != NULL ? ATH_OK : ATH_NO_MEMORY;
}

ath_status trace_processes_read(ath_database *database, const ath_filter *filter,
                                atm_message *message, trace_processes *processes_p)
{
    trace_processes processes = {.at = NULL};
    ath_cell cells[] = {ath_integer(filter->id), ath_text(filter->job != NULL ? filter->job : "")};
    ath_status status = ath_query(
        database,
        "SELECT id, program, host, pid, rank, started FROM process WHERE id = $1 OR ($2 <> '' AND "
        "(CASE WHEN job <> '' THEN job ELSE host || ':' || pid END) = $2) ORDER BY rank, id",
        cells, 2, add_process, &processes, message);

    if (status == ATH_OK)
        *processes_p = processes;
    else
        trace_processes_clear(&processes);
    return status;
}

void trace_processes_clear(trace_processes *processes)
{
    for (size_t i = 0; i < processes->count; i++) {
        free(processes->at[i].name);
        free(processes->at[i].host);
    }
    free(processes->at);
    *processes = (trace_processes){.at = NULL};
}
