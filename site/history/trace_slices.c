/* Activities of a process for a trace: names, causes, order. */

#include "trace_inside.h"

#include <stdlib.h>
#include <string.h>

enum { COMPLETES = 2 };     /* a flag of activities (models/formats/spool_blocks.h) */
enum { THREAD_SHIFT = 40 }; /* of their numbers */

static int64_t thread_of(int64_t number)
{
    return number >> THREAD_SHIFT;
}

int64_t trace_thread(const trace_slice *slice)
{
    return thread_of(slice->number);
}

/* --- names: few, and many slices have them */

static ath_status add_name(const ath_cell *cells, int count, void *context)
{
    trace_names *names = context;
    trace_name *name;

    (void) count;
    if (names->count == names->room) {
        size_t room = 2 * names->room + 64;
        trace_name *at = realloc(names->at, room * sizeof(*at));

        if (at == NULL)
            return ATH_NO_MEMORY;
        names->at = at;
        names->room = room;
    }
    name = &names->at[names->count++];
    *name = (trace_name){cells[0].integer, strdup(cells[1].text), strdup(cells[2].text)};
    return name->layer != NULL && name->text != NULL ? ATH_OK : ATH_NO_MEMORY;
}

static int by_id(const void *one, const void *other)
{
    const trace_name *a = one, *b = other;

    return (a->id > b->id) - (a->id < b->id);
}

static const trace_name *find_name(const trace_names *names, int64_t id)
{
    static const trace_name none = {0, "", ""};
    const trace_name *found = names->count > 0 ? bsearch(&(trace_name){.id = id}, names->at,
                                                         names->count, sizeof(*names->at), by_id)
                                               : NULL;

    return found != NULL ? found : &none;
}

static ath_status read_names(ath_database *database, int64_t process, atm_message *message,
                             trace_slices *slices)
{
    ath_cell cell = ath_integer(process);
    ath_status status =
        ath_query(database,
                  "SELECT DISTINCT c.id, c.layer, c.name FROM use u JOIN call c ON c.id = u.call "
                  "WHERE u.process = $1 ORDER BY c.id",
                  &cell, 1, add_name, &slices->calls, message);

    if (status == ATH_OK)
        status = ath_query(database,
                           "SELECT DISTINCT f.id, f.path, f.path FROM use u JOIN file f ON "
                           "f.id = u.file WHERE u.process = $1 ORDER BY f.id",
                           &cell, 1, add_name, &slices->files, message);
    return status;
}

static void clear_names(trace_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->at[i].layer);
        free(names->at[i].text);
    }
    free(names->at);
}

/* --- slices */

static ath_status add_slice(const ath_cell *cells, int count, void *context)
{
    trace_slices *slices = context;
    const trace_name *call = find_name(&slices->calls, cells[2].integer);

    (void) count;
    if (slices->count == slices->room) {
        size_t room = 2 * slices->room + 1024;
        trace_slice *at = realloc(slices->at, room * sizeof(*at));

        if (at == NULL)
            return ATH_NO_MEMORY;
        slices->at = at;
        slices->room = room;
    }
    slices->at[slices->count++] =
        (trace_slice){.number = cells[0].integer,
                      .parent = cells[1].integer,
                      .layer = call->layer,
                      .call = call->text,
                      .file = find_name(&slices->files, cells[3].integer)->text,
                      .start = cells[4].integer,
                      .end = cells[4].integer + cells[5].integer,
                      .position = cells[6].integer,
                      .bytes = cells[7].integer,
                      .flags = cells[8].integer,
                      .error = cells[9].integer};
    return ATH_OK;
}

static int by_number(const void *one, const void *other)
{
    const trace_slice *a = one, *b = other;

    return (a->number > b->number) - (a->number < b->number);
}

/* Slices within their cause need no flow: they are seen within it. */
static void join_slices(trace_slices *slices)
{
    qsort(slices->at, slices->count, sizeof(*slices->at), by_number);
    for (size_t i = 0; i < slices->count; i++) {
        trace_slice *slice = &slices->at[i], *cause;

        if (slice->parent == 0 ||
            (thread_of(slice->parent) == trace_thread(slice) && (slice->flags & COMPLETES) == 0))
            continue;
        cause = bsearch(&(trace_slice){.number = slice->parent}, slices->at, slices->count,
                        sizeof(*slice), by_number);
        if (cause == NULL)
            continue;
        cause->begins_flow = true;
        slice->ends_flow = true;
    }
}

static int by_time(const void *one, const void *other)
{
    const trace_slice *a = one, *b = other;

    if (trace_thread(a) != trace_thread(b))
        return trace_thread(a) < trace_thread(b) ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return by_number(one, other);
}

/* --- all */

static ath_status read_all(ath_database *database, int64_t process, atm_message *message,
                           trace_slices *slices)
{
    ath_cell cells[] = {ath_integer(process << 32), ath_integer((process + 1) << 32)};
    ath_status status = read_names(database, process, message, slices);

    if (status == ATH_OK)
        status = ath_query(database,
                           "SELECT number, parent, call, file, start, duration, position, bytes, "
                           "flags, error FROM activity WHERE id > $1 AND id < $2",
                           cells, 2, add_slice, slices, message);
    return status;
}

ath_status trace_slices_read(ath_database *database, int64_t process, atm_message *message,
                             trace_slices *slices_p)
{
    trace_slices slices = {.at = NULL};
    ath_status status = read_all(database, process, message, &slices);

    if (status != ATH_OK) {
        trace_slices_clear(&slices);
        return status;
    }
    if (slices.count > 0) {
        join_slices(&slices);
        qsort(slices.at, slices.count, sizeof(*slices.at), by_time);
    }
    *slices_p = slices;
    return ATH_OK;
}

void trace_slices_clear(trace_slices *slices)
{
    clear_names(&slices->calls);
    clear_names(&slices->files);
    free(slices->at);
    *slices = (trace_slices){.at = NULL};
}

/* --- in order */

/* Ends of slices that are over, the innermost first; open: a stack of those that are not. */
static size_t close_until(const trace_visitor *visitor, void *context, const trace_slice **open,
                          size_t depth, int64_t thread, int64_t start)
{
    while (depth > 0 && (trace_thread(open[depth - 1]) != thread || open[depth - 1]->end <= start))
        visitor->end(context, open[--depth]);
    return depth;
}

ath_status trace_slices_visit(const trace_slices *slices, const trace_visitor *visitor,
                              void *context)
{
    const trace_slice **open = calloc(slices->count + 1, sizeof(*open));
    int64_t thread = -1;
    size_t depth = 0;

    if (open == NULL)
        return ATH_NO_MEMORY;
    for (size_t i = 0; i < slices->count; i++) {
        const trace_slice *s = &slices->at[i];

        depth = close_until(visitor, context, open, depth, trace_thread(s), s->start);
        if (thread != trace_thread(s))
            visitor->thread(context, thread = trace_thread(s));
        visitor->begin(context, s);
        open[depth++] = s;
    }
    close_until(visitor, context, open, depth, -1, 0);
    free(open);
    return ATH_OK;
}
