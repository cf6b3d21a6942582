/* Traces for Perfetto's viewer. */

#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "protobuf.h"
#include "trace_inside.h"

/* Fields */
enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_TRACK = 60 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PARENT = 5 };
enum {
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_CATEGORY = 22,
    EVENT_NAME = 23,
    EVENT_FLOW = 47,
    EVENT_FLOW_END = 48
};
enum { ANNOTATION_INTEGER = 4, ANNOTATION_TEXT = 6, ANNOTATION_NAME = 10 };
enum { SLICE_BEGIN = 1, SLICE_END = 2 };

typedef struct process {
    int64_t id, realtime;
    trace_slices slices;
    ath_buffer packet, inner, innermost;
    FILE *out;
} process;

/* --- packets */

static uint64_t track_of(const process *p, int64_t thread)
{
    return (uint64_t) p->id << 24 | (uint64_t) (thread + 2);
}

static uint64_t flow_of(const process *p, int64_t number)
{
    return (uint64_t) number ^ (uint64_t) p->id * UINT64_C(0x9e3779b97f4a7c15);
}

static void send_packet(process *p)
{
    ath_put_message(&p->innermost, TRACE_PACKET, &p->packet);
    if (!p->innermost.failed)
        fwrite(p->innermost.bytes, 1, p->innermost.length, p->out);
    p->innermost.length = 0;
}

static void send_track(process *p, uint64_t uuid, uint64_t parent, const char *name)
{
    ath_put_varint(&p->inner, TRACK_UUID, uuid);
    ath_put_text(&p->inner, TRACK_NAME, name);
    if (parent != 0)
        ath_put_varint(&p->inner, TRACK_PARENT, parent);
    ath_put_varint(&p->packet, PACKET_SEQUENCE, 1);
    ath_put_message(&p->packet, PACKET_TRACK, &p->inner);
    send_packet(p);
}

static void annotate(process *p, const char *name, int64_t number, const char *text)
{
    ath_put_text(&p->innermost, ANNOTATION_NAME, name);
    if (text != NULL)
        ath_put_text(&p->innermost, ANNOTATION_TEXT, text);
    else
        ath_put_varint(&p->innermost, ANNOTATION_INTEGER, (uint64_t) number);
    ath_put_message(&p->inner, EVENT_ANNOTATION, &p->innermost);
}

static void send_event(process *p, const trace_slice *s, int64_t at)
{
    ath_put_varint(&p->inner, EVENT_TRACK, track_of(p, trace_thread(s)));
    ath_put_varint(&p->packet, PACKET_TIMESTAMP, (uint64_t) (p->realtime + at));
    ath_put_varint(&p->packet, PACKET_SEQUENCE, 1);
    ath_put_message(&p->packet, PACKET_EVENT, &p->inner);
    send_packet(p);
}

static void send_begin(process *p, const trace_slice *s)
{
    ath_put_varint(&p->inner, EVENT_TYPE, SLICE_BEGIN);
    ath_put_text(&p->inner, EVENT_NAME, s->call);
    ath_put_text(&p->inner, EVENT_CATEGORY, s->layer);
    if (s->file[0] != '\0')
        annotate(p, "file", 0, s->file);
    if (s->position >= 0)
        annotate(p, "offset", s->position, NULL);
    annotate(p, "bytes", s->bytes, NULL);
    if (s->error != 0)
        annotate(p, "error", s->error, NULL);
    if (s->begins_flow)
        ath_put_fixed64(&p->inner, EVENT_FLOW, flow_of(p, s->number));
    if (s->ends_flow)
        ath_put_fixed64(&p->inner, EVENT_FLOW_END, flow_of(p, s->parent));
    send_event(p, s, s->start);
}

static void send_end(process *p, const trace_slice *s)
{
    ath_put_varint(&p->inner, EVENT_TYPE, SLICE_END);
    send_event(p, s, s->end);
}

/* Ends of slices that are over, the innermost first; open: a stack of those that are not. */
static size_t close_until(process *p, const trace_slice **open, size_t depth, int64_t thread,
                          int64_t start)
{
    while (depth > 0 && (trace_thread(open[depth - 1]) != thread || open[depth - 1]->end <= start))
        send_end(p, open[--depth]);
    return depth;
}

static void send_thread(process *p, int64_t thread)
{
    char name[32];

    snprintf(name, sizeof(name), "thread %" PRId64, thread);
    send_track(p, track_of(p, thread), track_of(p, -1), name);
}

static ath_status send_slices(process *p)
{
    const trace_slice **open = calloc(p->slices.count + 1, sizeof(*open));
    int64_t thread = -1;
    size_t depth = 0;

    if (open == NULL)
        return ATH_NO_MEMORY;
    for (size_t i = 0; i < p->slices.count; i++) {
        const trace_slice *s = &p->slices.at[i];

        depth = close_until(p, open, depth, trace_thread(s), s->start);
        if (thread != trace_thread(s))
            send_thread(p, thread = trace_thread(s));
        send_begin(p, s);
        open[depth++] = s;
    }
    close_until(p, open, depth, -1, 0);
    free(open);
    return p->packet.failed || p->inner.failed || p->innermost.failed ? ATH_NO_MEMORY : ATH_OK;
}

/* --- processes */

typedef struct chosen {
    int64_t *ids;
    double *started;
    char **names;
    size_t count, room;
} chosen;

static ath_status choose(const ath_cell *cells, int count, void *context)
{
    chosen *c = context;
    char name[512];

    (void) count;
    if (c->count == c->room) {
        size_t room = 2 * c->room + 16;
        int64_t *ids = realloc(c->ids, room * sizeof(*ids));
        double *started = realloc(c->started, room * sizeof(*started));
        char **names = realloc(c->names, room * sizeof(*names));

        c->ids = ids != NULL ? ids : c->ids;
        c->started = started != NULL ? started : c->started;
        c->names = names != NULL ? names : c->names;
        if (ids == NULL || started == NULL || names == NULL)
            return ATH_NO_MEMORY;
        c->room = room;
    }
    if (cells[4].integer >= 0)
        snprintf(name, sizeof(name), "rank %" PRId64 ": %.200s, %.200s, process %" PRId64,
                 cells[4].integer, cells[1].text, cells[2].text, cells[3].integer);
    else
        snprintf(name, sizeof(name), "%.200s, %.200s, process %" PRId64, cells[1].text,
                 cells[2].text, cells[3].integer);
    c->ids[c->count] = cells[0].integer;
    c->started[c->count] = cells[5].real;
    c->names[c->count] = strdup(name);
    return c->names[c->count++] != NULL ? ATH_OK : ATH_NO_MEMORY;
}

static ath_status write_process(ath_database *database, int64_t id, double started,
                                const char *name, FILE *out, atm_message *message)
{
    process p = {.id = id, .realtime = (int64_t) (started * 1e9), .out = out};
    ath_status status = trace_slices_read(database, id, message, &p.slices);

    if (status == ATH_OK) {
        send_track(&p, track_of(&p, -1), 0, name);
        status = send_slices(&p);
    }
    trace_slices_clear(&p.slices);
    free(p.packet.bytes);
    free(p.inner.bytes);
    free(p.innermost.bytes);
    return status;
}

ath_status ath_trace_write(ath_database *database, const ath_filter *filter, FILE *out,
                           atm_message *message, int64_t *processes_p)
{
    chosen c = {.count = 0};
    ath_cell cells[] = {ath_integer(filter->id), ath_text(filter->job != NULL ? filter->job : "")};
    ath_status status = ath_query(
        database,
        "SELECT id, program, host, pid, rank, started FROM process WHERE id = $1 OR ($2 <> '' AND "
        "(CASE WHEN job <> '' THEN job ELSE host || ':' || pid END) = $2) ORDER BY rank, id",
        cells, 2, choose, &c, message);

    for (size_t i = 0; status == ATH_OK && i < c.count; i++)
        status = write_process(database, c.ids[i], c.started[i], c.names[i], out, message);
    if (status == ATH_OK && ferror(out))
        status =
            ath_complain(ATH_NO_ACCESS, message, "a trace cannot be written: %s", strerror(errno));
    if (status == ATH_OK)
        *processes_p = (int64_t) c.count;
    for (size_t i = 0; i < c.count; i++)
        free(c.names[i]);
    free(c.names);
    free(c.ids);
    free(c.started);
    return status;
}
