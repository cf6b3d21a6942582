/* Traces for Perfetto's viewer. */

#include "timeline.h"

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

static void send_begin(void *context, const trace_slice *s)
{
    process *p = context;

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

static void send_end(void *context, const trace_slice *s)
{
    process *p = context;

    ath_put_varint(&p->inner, EVENT_TYPE, SLICE_END);
    send_event(p, s, s->end);
}

static void send_thread(void *context, int64_t thread)
{
    process *p = context;
    char name[32];

    snprintf(name, sizeof(name), "thread %" PRId64, thread);
    send_track(p, track_of(p, thread), track_of(p, -1), name);
}

static ath_status send_slices(process *p)
{
    static const trace_visitor visitor = {send_thread, send_begin, send_end};
    ath_status status = trace_slices_visit(&p->slices, &visitor, p);

    return p->packet.failed || p->inner.failed || p->innermost.failed ? ATH_NO_MEMORY : status;
}

/* --- processes */

static ath_status write_process(ath_database *database, const trace_process *one, FILE *out,
                                atm_message *message)
{
    process p = {.id = one->id, .realtime = one->realtime, .out = out};
    ath_status status = trace_slices_read(database, one->id, message, &p.slices);

    if (status == ATH_OK) {
        send_track(&p, track_of(&p, -1), 0, one->name);
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
    trace_processes processes = {.at = NULL};
    ath_status status = trace_processes_read(database, filter, message, &processes);

    for (size_t i = 0; status == ATH_OK && i < processes.count; i++)
        status = write_process(database, &processes.at[i], out, message);
    if (status == ATH_OK && ferror(out))
        status =
            ath_complain(ATH_NO_ACCESS, message, "a trace cannot be written: %s", strerror(errno));
    if (status == ATH_OK)
        *processes_p = (int64_t) processes.count;
    trace_processes_clear(&processes);
    return status;
}
