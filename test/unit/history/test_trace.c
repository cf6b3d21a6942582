/* Traces: what a decoder of protocol buffers finds in them. */

#include "unit/history/history_help.h"

#include "history/import.h"
#include "history/protobuf.h"
#include "history/timeline.h"
#include "unit/history/spool_help.h"

/* --- a decoder */

typedef struct field {
    int number, type;
    uint64_t value; /* of a number, or the length of bytes */
    const uint8_t *bytes;
} field;

static uint64_t take_varint(const uint8_t **at, const uint8_t *end)
{
    uint64_t value = 0;

    for (int shift = 0; shift < 64; shift += 7) {
        assert_true(*at < end);
        value |= (uint64_t) (**at & 0x7f) << shift;
        if ((*(*at)++ & 0x80) == 0)
            return value;
    }
    fail();
    return 0;
}

static bool take_field(const uint8_t **at, const uint8_t *end, field *f)
{
    uint64_t key;

    if (*at == end)
        return false;
    key = take_varint(at, end);
    *f = (field){.number = (int) (key >> 3), .type = (int) (key & 7)};
    if (f->type == 0) {
        f->value = take_varint(at, end);
    } else if (f->type == 1) {
        for (int i = 0; i < 8; i++)
            f->value |= (uint64_t) (*at)[i] << (8 * i);
        *at += 8;
    } else {
        assert_int_equal(f->type, 2);
        f->value = take_varint(at, end);
        f->bytes = *at;
        *at += f->value;
    }
    assert_true(*at <= end);
    return true;
}

/* The first field of a number in a message; of type -1 if there is none. */
static field find(const uint8_t *bytes, uint64_t length, int number)
{
    const uint8_t *at = bytes, *end = bytes + length;
    field f;

    while (take_field(&at, end, &f))
        if (f.number == number)
            return f;
    return (field){.type = -1};
}

static void varints(void **state)
{
    static const uint64_t numbers[] = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX};
    ath_buffer buffer = {.bytes = NULL}, inner = {.bytes = NULL};
    field f;

    (void) state;
    for (int i = 0; i < 7; i++)
        ath_put_varint(&buffer, i + 1, numbers[i]);
    ath_put_fixed64(&buffer, 47, UINT64_C(0x0123456789abcdef));
    ath_put_text(&buffer, 60, "text");
    ath_put_message(&buffer, 61, &inner);
    for (int i = 0; i < 7; i++) {
        f = find(buffer.bytes, buffer.length, i + 1);
        assert_int_equal(f.type, 0);
        assert_true(f.value == numbers[i]);
    }
    f = find(buffer.bytes, buffer.length, 47);
    assert_true(f.value == UINT64_C(0x0123456789abcdef));
    f = find(buffer.bytes, buffer.length, 60);
    assert_int_equal(f.value, 4);
    assert_memory_equal(f.bytes, "text", 4);
    assert_int_equal(find(buffer.bytes, buffer.length, 61).value, 0);
    assert_false(buffer.failed);
    free(buffer.bytes);
    free(inner.bytes);
}

/* --- traces */

enum { TRACKS = 16 };

typedef struct seen {
    int packets, tracks, begins, ends, deepest, flows, flow_ends;
    uint64_t uuids[TRACKS], last[TRACKS]; /* times, by track */
    int depth[TRACKS];
    uint64_t flow, flow_end;
    char first[64];
} seen;

static int track_index(const seen *s, uint64_t uuid)
{
    int i = 0;

    while (i < s->tracks && s->uuids[i] != uuid)
        i++;
    assert_true(i < s->tracks); /* described before it is used */
    return i;
}

static void see_event(seen *s, uint64_t time, const field *event)
{
    int track = track_index(s, find(event->bytes, event->value, 11).value);
    uint64_t type = find(event->bytes, event->value, 9).value;
    field name = find(event->bytes, event->value, 23), flow;

    assert_true(time >= s->last[track]);
    s->last[track] = time;
    if (type == 2) {
        s->ends++;
        s->depth[track]--;
        assert_true(s->depth[track] >= 0);
        return;
    }
    assert_int_equal(type, 1);
    if (s->begins++ == 0)
        snprintf(s->first, sizeof(s->first), "%.*s", (int) name.value, (const char *) name.bytes);
    s->depth[track]++;
    s->deepest = s->depth[track] > s->deepest ? s->depth[track] : s->deepest;
    flow = find(event->bytes, event->value, 47);
    if (flow.type == 1) {
        s->flows++;
        s->flow = flow.value;
    }
    flow = find(event->bytes, event->value, 48);
    if (flow.type == 1) {
        s->flow_ends++;
        s->flow_end = flow.value;
    }
}

static void see_packet(seen *s, const field *packet)
{
    field track = find(packet->bytes, packet->value, 60);
    field event = find(packet->bytes, packet->value, 11);

    s->packets++;
    assert_true((track.type == 2) != (event.type == 2));
    if (track.type == 2)
        s->uuids[s->tracks++] = find(track.bytes, track.value, 1).value;
    else
        see_event(s, find(packet->bytes, packet->value, 8).value, &event);
}

static seen see_trace(ath_database *database, const ath_filter *filter, int64_t expected)
{
    atm_message message = {""};
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int64_t processes = -1;
    seen s = {.packets = 0};
    const uint8_t *at;
    field f;

    if (ath_trace_write(database, filter, out, &message, &processes) != ATH_OK)
        fail_msg("%s", message.text);
    assert_int_equal(processes, expected);
    fclose(out);
    at = (const uint8_t *) text;
    while (take_field(&at, (const uint8_t *) text + length, &f)) {
        assert_int_equal(f.number, 1);
        see_packet(&s, &f);
    }
    free(text);
    return s;
}

static void bring_in(ath_database *database, FILE *file)
{
    atm_message message = {""};
    ath_imported sum = {0};
    bool whole;

    spool_end(file);
    if (ath_import_spool(database, "trace.spool", NULL, &message, &sum, &whole) != ATH_OK)
        fail_msg("%s", message.text);
}

static void slices_within_slices(void **state)
{
    ath_database *database = empty_history();
    FILE *file = spool_usual("trace.spool", 1);
    ath_filter filter = {.job = "123"};
    seen s;

    (void) state;
    spool_activities(file, 0, 1, 100);
    spool_activities(file, 1, 1, 50);
    bring_in(database, file);
    s = see_trace(database, &filter, 1);
    assert_int_equal(s.tracks, 3); /* a process, two threads */
    assert_int_equal(s.begins, 300);
    assert_int_equal(s.ends, 300);
    assert_int_equal(s.deepest, 2);
    assert_int_equal(s.flows + s.flow_ends, 0);
    assert_string_equal(s.first, "MPI_File_write_at");
    for (int i = 0; i < s.tracks; i++)
        assert_int_equal(s.depth[i], 0);
    filter.job = "other";
    s = see_trace(database, &filter, 0);
    assert_int_equal(s.packets, 0);
    ath_close(database);
}

/* Thread 0 starts it, thread 1 completes it. */
static void flows_between_threads(void **state)
{
    ath_database *database = empty_history();
    FILE *file = spool_usual("trace.spool", 2);
    atw_activity start = {.id = 1, .start = STARTED, .end = STARTED + 10, .offset = -1, .flags = 1};
    atw_activity wait = {.id = (UINT64_C(1) << 40) + 1,
                         .parent = 1,
                         .start = STARTED + 20,
                         .end = STARTED + 30,
                         .offset = -1,
                         .flags = 2};
    ath_filter filter = {.job = "123"};
    seen s;

    (void) state;
    spool_block(file, ATW_BLOCK_ACTIVITIES, 0, &start, sizeof(start));
    spool_block(file, ATW_BLOCK_ACTIVITIES, 1, &wait, sizeof(wait));
    bring_in(database, file);
    s = see_trace(database, &filter, 1);
    assert_int_equal(s.begins, 2);
    assert_int_equal(s.flows, 1);
    assert_int_equal(s.flow_ends, 1);
    assert_true(s.flow == s.flow_end);
    ath_close(database);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varints),
        cmocka_unit_test(slices_within_slices),
        cmocka_unit_test(flows_between_threads),
    };

    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
