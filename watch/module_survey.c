/*
 * survey: how each file is accessed.  For each file and thread, and summed over threads at the end:
 * how many reads and writes follow each other, keep a stride, or go to near and far places; sizes;
 * times.  Only layers whose offsets are bytes count for places (stdio tells none, MPI's are those
 * of views).
 */

#include <string.h>

#include "drain.h"
#include "files.h"
#include "modules.h"
#include "threads.h"

enum { SIZES = 16, SLOTS = 1024, NEAR = 1 << 20 };

/* Kinds of places, looked for in this order. */
enum place { SEQUENTIAL, STRIDED, SHORT_SEEK, LONG_SEEK, PLACES };
static const char *const place_names[] = {"sequential", "strided", "short", "long"};

/* Reads, or writes, of a file. */
typedef struct way {
    uint64_t calls, bytes, time, errors;
    uint64_t places[PLACES];
    uint64_t sizes[SIZES]; /* by power of 4 */
    uint64_t seek_bytes;   /* all distances together */
    int64_t stride;        /* the latest that was kept, from begin to begin */
    int64_t last, next;    /* where the last one began and ended */
    int64_t gap;           /* how far it was from the one before */
} way;

typedef struct survey {
    uint32_t file; /* 0: free */
    atw_layer layer;
    uint64_t opens, open_time, closes, close_time, syncs, sync_time, others, other_time;
    way reads, writes;
} survey;

/* A table of surveys, by file and layer. */
typedef struct surveys {
    uint64_t left_out; /* activities of files that found no slot */
    survey slots[SLOTS];
} surveys;

/* --- one activity */

static survey *slot_of(surveys *all, uint32_t file, atw_layer layer)
{
    uint32_t first = file * 2654435761u + (uint32_t) layer;

    for (uint32_t i = 0; i < 16; i++) {
        survey *at = &all->slots[(first + i) % SLOTS];

        if (at->file == 0) {
            at->file = file;
            at->layer = layer;
        }
        if (at->file == file && at->layer == layer)
            return at;
    }
    return NULL;
}

static unsigned size_class(uint64_t bytes)
{
    unsigned class = bytes > 0 ? (unsigned) (63 - __builtin_clzll(bytes)) / 2 : 0;

    return class < SIZES ? class : SIZES - 1;
}

/* A stride is a gap that is the same as that before it. */
static enum place place_of(way *w, int64_t offset)
{
    int64_t gap = offset - w->next;
    bool same = gap == w->gap;

    w->gap = gap;
    if (gap == 0)
        return SEQUENTIAL;
    w->seek_bytes += (uint64_t) (gap < 0 ? -gap : gap);
    if (same) {
        w->stride = offset - w->last;
        return STRIDED;
    }
    return gap < NEAR && gap > -NEAR ? SHORT_SEEK : LONG_SEEK;
}

static void access(way *w, const atw_activity *activity, bool has_place)
{
    w->calls++;
    w->bytes += activity->bytes;
    w->time += activity->end - activity->start;
    w->errors += activity->error != 0;
    w->sizes[size_class(activity->bytes)]++;
    if (!has_place || activity->offset < 0)
        return;
    w->places[place_of(w, activity->offset)]++;
    w->last = activity->offset;
    w->next = activity->offset + (int64_t) activity->bytes;
}

static void add(survey *at, const atw_call_kind *kind, const atw_activity *activity)
{
    uint64_t time = activity->end - activity->start;
    bool has_place = kind->layer == ATW_POSIX;

    switch (kind->class) {
        case ATW_READ:
            access(&at->reads, activity, has_place);
            break;
        case ATW_WRITE:
            access(&at->writes, activity, has_place);
            break;
        case ATW_OPEN:
            at->opens++;
            at->open_time += time;
            break;
        case ATW_CLOSE:
            at->closes++;
            at->close_time += time;
            break;
        case ATW_SYNC:
            at->syncs++;
            at->sync_time += time;
            break;
        default:
            at->others++;
            at->other_time += time;
    }
}

static void see(void **state, const atw_call *call)
{
    const atw_call_kind *kind = &atw_calls[call->activity.call];
    surveys *mine = *state;
    survey *at;

    if (mine == NULL)
        mine = *state = atw_take_apart(sizeof(*mine));
    if (mine == NULL || call->activity.file == 0)
        return;
    at = slot_of(mine, call->activity.file, kind->layer);
    if (at != NULL)
        add(at, kind, &call->activity);
    else
        mine->left_out++;
}

/* --- all threads */

static void sum_way(way *to, const way *from)
{
    to->calls += from->calls;
    to->bytes += from->bytes;
    to->time += from->time;
    to->errors += from->errors;
    to->seek_bytes += from->seek_bytes;
    if (from->stride != 0)
        to->stride = from->stride;
    for (int i = 0; i < PLACES; i++)
        to->places[i] += from->places[i];
    for (int i = 0; i < SIZES; i++)
        to->sizes[i] += from->sizes[i];
}

static void sum(survey *to, const survey *from)
{
    to->opens += from->opens;
    to->open_time += from->open_time;
    to->closes += from->closes;
    to->close_time += from->close_time;
    to->syncs += from->syncs;
    to->sync_time += from->sync_time;
    to->others += from->others;
    to->other_time += from->other_time;
    sum_way(&to->reads, &from->reads);
    sum_way(&to->writes, &from->writes);
}

static void gather(surveys *all, const surveys *one)
{
    all->left_out += one->left_out;
    for (int i = 0; i < SLOTS; i++) {
        survey *to;

        if (one->slots[i].file == 0)
            continue;
        to = slot_of(all, one->slots[i].file, one->slots[i].layer);
        if (to != NULL)
            sum(to, &one->slots[i]);
        else
            all->left_out++;
    }
}

/* --- as JSON */

static void numbers(atw_text *text, const char *name, const uint64_t *values, int count)
{
    atw_text_key(text, name);
    atw_text_say(text, "[");
    for (int i = 0; i < count; i++) {
        atw_text_say(text, i > 0 ? ", " : "");
        atw_text_number(text, (int64_t) values[i]);
    }
    atw_text_say(text, "]");
}

static void tell_way(atw_text *text, const char *name, const way *w)
{
    if (w->calls == 0)
        return;
    atw_text_key(text, name);
    atw_text_say(text, "{");
    atw_text_member(text, "calls", (int64_t) w->calls);
    atw_text_member(text, "bytes", (int64_t) w->bytes);
    atw_text_member(text, "ns", (int64_t) w->time);
    atw_text_member(text, "errors", (int64_t) w->errors);
    for (int i = 0; i < PLACES; i++)
        atw_text_member(text, place_names[i], (int64_t) w->places[i]);
    if (w->places[STRIDED] > 0)
        atw_text_member(text, "stride", w->stride);
    atw_text_member(text, "seek_bytes", (int64_t) w->seek_bytes);
    numbers(text, "sizes", w->sizes, SIZES);
    atw_text_say(text, "}");
}

static void pair(atw_text *text, const char *name, uint64_t calls, uint64_t time)
{
    const uint64_t both[] = {calls, time};

    if (calls > 0)
        numbers(text, name, both, 2);
}

/* Paths that are not UTF-8 are exact in FILE blocks only. */
static void tell_file(atw_text *text, const survey *at)
{
    size_t length = 0;
    const char *path = atw_file_path(at->file, &length), *layer = atw_layer_name(at->layer);

    atw_text_say(text, "{");
    atw_text_member(text, "file", at->file);
    if (path != NULL) {
        atw_text_key(text, "path");
        atw_text_quote(text, path, length);
    }
    atw_text_key(text, "layer");
    atw_text_quote(text, layer, strlen(layer));
    pair(text, "open", at->opens, at->open_time);
    pair(text, "close", at->closes, at->close_time);
    pair(text, "sync", at->syncs, at->sync_time);
    pair(text, "other", at->others, at->other_time);
    tell_way(text, "read", &at->reads);
    tell_way(text, "write", &at->writes);
    atw_text_say(text, "}");
}

/* What this library took itself: in the program's calls, and beside them. */
static void tell_overhead(atw_text *text)
{
    uint64_t calls, time;

    atw_threads_own(&calls, &time);
    atw_text_key(text, "overhead");
    atw_text_say(text, "{");
    atw_text_member(text, "calls", (int64_t) calls);
    atw_text_member(text, "ns", (int64_t) time);
    atw_text_member(text, "writing_ns", (int64_t) atw_drain_spent());
    atw_text_say(text, "}");
}

static void tell(void *const *states, size_t count, atw_text *text)
{
    surveys *all = atw_take_pages(sizeof(*all));
    bool is_first = true;

    if (all == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        gather(all, states[i]);
    atw_text_member(text, "left_out", (int64_t) all->left_out);
    tell_overhead(text);
    atw_text_key(text, "files");
    atw_text_say(text, "[");
    for (int i = 0; i < SLOTS; i++) {
        if (all->slots[i].file == 0)
            continue;
        atw_text_say(text, is_first ? "" : ", ");
        tell_file(text, &all->slots[i]);
        is_first = false;
    }
    atw_text_say(text, "]");
    atw_give_back(all, sizeof(*all));
}

const atw_module atw_module_survey = {.name = "survey", .see = see, .tell = tell};
