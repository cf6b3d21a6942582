#include "writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "collector.h"
#include "common/clock.h"

enum { RING = 1 << 18 };

/* Seconds after which what was written goes to the disk though more comes. */
#define PATIENCE 0.05

struct intake {
    uid_t uid;
    gid_t gid;
    atw_spool_head head;
    void *owner;
    /* under the lock; positions are those in the spool */
    uint64_t received, whole;        /* by whoever listens */
    uint64_t written, written_whole; /* by the writer */
    intake_view view;
    bool ended, is_queued, is_dirty, is_reported;
    intake *next_queued, *next_dirty, *next_reported;
    /* the writer's alone */
    stored *file;
    char *path;
    char *ring; /* between written and received the writer's, else the other's */
};

struct writer {
    store *store;
    int event;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work;
    bool stops;
    intake *queue, **queue_end;
    intake *dirty, *reported;
    double dirty_since;
};

/* --- lists, with the lock */

static void enqueue(writer *w, intake *i)
{
    if (i->is_queued || i->view.state != INTAKE_OPEN)
        return;
    i->is_queued = true;
    i->next_queued = NULL;
    *w->queue_end = i;
    w->queue_end = &i->next_queued;
    pthread_cond_signal(&w->work);
}

static intake *dequeue(writer *w)
{
    intake *i = w->queue;

    w->queue = i->next_queued;
    if (w->queue == NULL)
        w->queue_end = &w->queue;
    i->is_queued = false;
    return i;
}

/* It will be gone soon. */
static void forget(writer *w, intake *gone)
{
    intake **at = &w->queue;

    while (*at != NULL)
        if (*at == gone)
            *at = gone->next_queued;
        else
            at = &(*at)->next_queued;
    w->queue_end = at;
    for (at = &w->dirty; *at != NULL;)
        if (*at == gone)
            *at = gone->next_dirty;
        else
            at = &(*at)->next_dirty;
    gone->is_queued = gone->is_dirty = false;
}

static void report(writer *w, intake *i)
{
    if (!i->is_reported) {
        i->is_reported = true;
        i->next_reported = w->reported;
        w->reported = i;
    }
    eventfd_write(w->event, 1);
}

/* --- writing, without the lock */

static bool append(intake *i, uint64_t from, uint64_t to)
{
    while (from < to) {
        size_t at = (size_t) (from % RING);
        size_t part = (size_t) (to - from) < RING - at ? (size_t) (to - from) : RING - at;

        if (!stored_append(i->file, i->ring + at, part))
            return false;
        from += part;
    }
    return true;
}

static void close_file(intake *i, uint64_t size)
{
    if (i->file != NULL)
        stored_close(i->file, size);
    i->file = NULL;
}

/* --- one intake; with the lock, which it gives up meanwhile */

static void leave_off(writer *w, intake *i, intake_state state)
{
    uint64_t whole = i->written_whole, safe = i->view.safe;
    bool synced;

    pthread_mutex_unlock(&w->lock);
    synced = i->file != NULL && stored_sync(i->file);
    if (synced)
        safe = whole;
    close_file(i, safe);
    pthread_mutex_lock(&w->lock);
    forget(w, i);
    i->view.safe = safe;
    i->view.state = synced ? state : INTAKE_FULL;
    report(w, i);
}

static void write_one(writer *w, intake *i)
{
    uint64_t from = i->written, to = i->received, whole = i->whole;
    bool is_last = i->ended, done;

    pthread_mutex_unlock(&w->lock);
    if (i->file == NULL) {
        i->file = store_create(w->store, i->uid, i->gid, &i->head);
        i->path = i->file != NULL ? strdup(stored_path(i->file)) : NULL;
    }
    done = i->file != NULL && append(i, from, to);
    pthread_mutex_lock(&w->lock);
    i->view.path = i->path;
    if (done) {
        i->written = to;
        i->written_whole = whole;
    }
    if (!done || is_last) {
        leave_off(w, i, done ? INTAKE_DONE : INTAKE_FULL);
        return;
    }
    if (w->dirty == NULL)
        w->dirty_since = clock_steady();
    if (!i->is_dirty) {
        i->is_dirty = true;
        i->next_dirty = w->dirty;
        w->dirty = i;
    }
    report(w, i);
}

static void sync_one(writer *w)
{
    intake *i = w->dirty;
    uint64_t whole = i->written_whole;
    bool done;

    w->dirty = i->next_dirty;
    i->is_dirty = false;
    pthread_mutex_unlock(&w->lock);
    done = stored_sync(i->file);
    pthread_mutex_lock(&w->lock);
    if (!done) {
        leave_off(w, i, INTAKE_FULL);
        return;
    }
    i->view.safe = whole;
    report(w, i);
}

static void *run(void *context)
{
    writer *w = context;

    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->queue == NULL && w->dirty == NULL && !w->stops)
            pthread_cond_wait(&w->work, &w->lock);
        if (w->queue == NULL && w->dirty == NULL)
            break;
        if (w->queue == NULL || (w->dirty != NULL && clock_steady() - w->dirty_since > PATIENCE))
            while (w->dirty != NULL)
                sync_one(w);
        else
            write_one(w, dequeue(w));
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* --- start and end */

writer *writer_start(store *s, int event)
{
    writer *w = calloc(1, sizeof(*w));

    if (w != NULL) {
        w->store = s;
        w->event = event;
        w->queue_end = &w->queue;
        pthread_mutex_init(&w->lock, NULL);
        pthread_cond_init(&w->work, NULL);
        if (pthread_create(&w->thread, NULL, run, w) == 0)
            return w;
    }
    say("no memory for a thread");
    free(w);
    return NULL;
}

void writer_stop(writer *w)
{
    pthread_mutex_lock(&w->lock);
    w->stops = true;
    pthread_cond_signal(&w->work);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->work);
    free(w);
}

intake *intake_new(uid_t uid, gid_t gid, const atw_spool_head *head, void *owner)
{
    intake *i = calloc(1, sizeof(*i));

    if (i == NULL || (i->ring = malloc(RING)) == NULL) {
        free(i);
        return NULL;
    }
    i->uid = uid;
    i->gid = gid;
    i->head = *head;
    i->owner = owner;
    return i;
}

void intake_free(intake *i)
{
    if (i != NULL) {
        free(i->ring);
        free(i->path);
    }
    free(i);
}

/* --- by whoever listens */

size_t intake_room(writer *w, intake *i, char **at_p)
{
    size_t at, room;

    pthread_mutex_lock(&w->lock);
    at = (size_t) (i->received % RING);
    room = RING - (size_t) (i->received - i->written);
    pthread_mutex_unlock(&w->lock);
    *at_p = i->ring + at;
    return room < RING - at ? room : RING - at;
}

void intake_add(writer *w, intake *i, size_t count, uint64_t whole)
{
    pthread_mutex_lock(&w->lock);
    i->received += count;
    i->whole = whole;
    enqueue(w, i);
    pthread_mutex_unlock(&w->lock);
}

void intake_end(writer *w, intake *i)
{
    pthread_mutex_lock(&w->lock);
    i->ended = true;
    enqueue(w, i);
    pthread_mutex_unlock(&w->lock);
}

void *writer_reported(writer *w, intake_view *view_p)
{
    void *owner = NULL;

    pthread_mutex_lock(&w->lock);
    if (w->reported != NULL) {
        intake *i = w->reported;

        w->reported = i->next_reported;
        i->is_reported = false;
        *view_p = i->view;
        owner = i->owner;
    }
    pthread_mutex_unlock(&w->lock);
    return owner;
}
