/* Listens: connections, polls of statistics, signals, news of the writer and of other nodes; one
 * loop. */

#include "server.h"
#include "common/clock.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    EVENTS = 64,
    HEAD_PATIENCE = 10, /* seconds for a head, or to read an answer */
    STOP_PATIENCE = 5,
    SPOOLS_OF_USER = 512, /* at once: 128 MiB */
    SPOOLS = 4 * SPOOLS_OF_USER
};

/* --- connections */

static void watch(server *s, int what, connection *c)
{
    bool reads = c->state == CONNECTION_BEGINS || c->state == CONNECTION_HEALTH ||
                 (c->state == CONNECTION_SPOOLS && !c->waits);
    struct epoll_event event = {.events = (reads ? (uint32_t) EPOLLIN : 0) |
                                          (c->out_sent < c->out_length ? (uint32_t) EPOLLOUT : 0),
                                .data.ptr = c};

    /* an end that nobody looks at would be told again and again */
    if (event.events == 0 && what == EPOLL_CTL_MOD)
        event.events = EPOLLET;
    epoll_ctl(s->epoll, what, c->fd, &event);
}

static size_t count_of(const server *s, uid_t uid)
{
    size_t count = 0;

    for (const connection *c = s->connections; c != NULL; c = c->next)
        count += c->uid == uid;
    return count;
}

/* One user leaves half of the places to others. */
static const char *reason_against(const server *s, uid_t uid)
{
    if (geteuid() != 0 && uid != geteuid() && uid != 0)
        return "this is another user's collector";
    if (s->count >= s->most || (geteuid() == 0 && count_of(s, uid) >= s->most / 2))
        return "too many connections";
    return NULL;
}

static void take(server *s, int fd)
{
    connection *c = calloc(1, sizeof(*c));
    struct ucred who;
    socklen_t length = sizeof(who);
    const char *reason;

    if (c == NULL || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length) != 0) {
        close(fd);
        free(c);
        return;
    }
    c->fd = fd;
    c->uid = who.uid;
    c->gid = who.gid;
    c->pid = who.pid;
    c->since = clock_steady();
    reason = reason_against(s, who.uid);
    if (reason != NULL) {
        s->work.refused++;
        connection_refuse(c, reason);
        connection_free(c);
        return;
    }
    c->next = s->connections;
    if (c->next != NULL)
        c->next->previous = c;
    s->connections = c;
    s->count++;
    watch(s, EPOLL_CTL_ADD, c);
}

static void accept_all(server *s)
{
    int fd;

    for (int i = 0; i < EVENTS; i++) {
        fd = accept4(s->place.listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return;
        take(s, fd);
    }
}

static void drop(server *s, connection *c)
{
    if (c->previous != NULL)
        c->previous->next = c->next;
    else
        s->connections = c->next;
    if (c->next != NULL)
        c->next->previous = c->previous;
    s->count--;
    if (c->process != NULL)
        users_remove(s->users, c->uid, c->process);
    connection_free(c);
}

static void answer(server *s, connection *c)
{
    const char *text;
    size_t length;

    s->work.processes = 0;
    for (const connection *other = s->connections; other != NULL; other = other->next)
        s->work.processes += other->state == CONNECTION_SPOOLS || other->state == CONNECTION_ENDS;
    text = statistics_text(s->statistics, &s->work, s->users, c->uid, &length);
    if (text != NULL)
        connection_answer(c, text, length);
    else
        connection_refuse(c, "no memory");
}

/* Each has a ring (writer.h): what a user's take together is bounded, and so is what all do. */
static const char *reason_against_spool(const server *s, uid_t uid)
{
    size_t own = 0, all = 0;

    for (const connection *c = s->connections; c != NULL; c = c->next) {
        all += c->intake != NULL;
        own += c->intake != NULL && c->uid == uid;
    }
    return own >= SPOOLS_OF_USER || all >= SPOOLS ? "too many spools at once" : NULL;
}

static void take_spool(server *s, connection *c)
{
    const char *reason = reason_against_spool(s, c->uid);

    if (reason != NULL) {
        s->work.refused++;
        connection_refuse(c, reason);
        return;
    }
    connection_spool(c, s->writer);
    s->work.spools += c->intake != NULL;
    s->work.bytes += c->intake != NULL ? c->check.taken : 0;
}

/* After anything that changed it. */
static void settle(server *s, connection *c)
{
    if (c->state == CONNECTION_BEGINS && c->check.status == CHECK_QUERY)
        answer(s, c);
    else if (c->state == CONNECTION_BEGINS && c->check.status == CHECK_HEALTH)
        connection_reason(c, s->users);
    else if (c->state == CONNECTION_BEGINS && connection_has_head(c))
        take_spool(s, c);
    else if (c->state == CONNECTION_BEGINS && c->check.status == CHECK_WRONG) {
        say_of_user(c->uid, "%s", c->check.problem);
        s->work.refused++;
        connection_refuse(c, c->check.problem);
    }
    if (c->state == CONNECTION_GONE)
        drop(s, c);
    else
        watch(s, EPOLL_CTL_MOD, c);
}

static void serve(server *s, connection *c, uint32_t events)
{
    uint64_t taken = c->check.taken;

    if (events & EPOLLOUT)
        connection_write(c);
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
        connection_read(c, s->writer);
    if (c->intake != NULL)
        s->work.bytes += c->check.taken - taken;
    settle(s, c);
}

static void heed_writer(server *s)
{
    eventfd_t ignored;
    intake_view view;
    connection *c;

    eventfd_read(s->news, &ignored);
    while ((c = writer_reported(s->writer, &view)) != NULL) {
        s->work.full += view.state == INTAKE_FULL;
        connection_heed(c, &view);
        if (s->stops)
            connection_read(c, s->writer);
        settle(s, c);
    }
}

/* Drops connections that say nothing, or do not read what they asked for. */
static void drop_idle(server *s, double now)
{
    connection *next;

    for (connection *c = s->connections; c != NULL; c = next) {
        next = c->next;
        if ((c->state == CONNECTION_BEGINS || c->state == CONNECTION_ANSWERS) &&
            now - c->since > HEAD_PATIENCE)
            drop(s, c);
    }
}

/* --- ten times a second */

static void tell_signal(void *owner, atw_scope level, void *context)
{
    connection_signal(owner, level);
    watch(context, EPOLL_CTL_MOD, owner);
}

/* Statistics have a cycle of their own, ten to a second (levels.h). */
static bool is_time(const server *s, uint64_t ms)
{
    return s->cycles * ATW_CYCLE_MS % ms == 0;
}

static void heed_others(server *s)
{
    users_see(s->users, statistics_scarce(s->statistics), tell_signal, s);
}

static void tick(server *s)
{
    uint64_t expired;
    double now = clock_steady();

    if (read(s->timer, &expired, sizeof(expired)) != sizeof(expired))
        return;
    s->cycles++;
    if (is_time(s, 100))
        statistics_poll(s->statistics, now);
    users_cycle(s->users, statistics_scarce(s->statistics), tell_signal, s);
    if (!is_time(s, 1000))
        return;
    drop_idle(s, now);
    if (s->importer != NULL && !s->stops)
        importer_tick(s->importer, now);
}

/* --- end */

/* What processes have sent is still taken; they go on by themselves. */
static void stop(server *s)
{
    connection *next;

    if (s->stops)
        return;
    s->stops = true;
    s->stop_time = clock_steady();
    place_close(&s->place);
    for (connection *c = s->connections; c != NULL; c = next) {
        next = c->next;
        c->is_last = true;
        if (c->state == CONNECTION_BEGINS)
            c->state = CONNECTION_GONE;
        connection_read(c, s->writer);
        settle(s, c);
    }
}

static void end_all(server *s)
{
    connection *next;

    for (connection *c = s->connections; c != NULL; c = next) {
        next = c->next;
        connection_end(c, s->writer);
        settle(s, c);
    }
}

static void heed_signal(server *s)
{
    struct signalfd_siginfo info;

    while (read(s->signals, &info, sizeof(info)) == sizeof(info))
        if (info.ssi_signo != SIGCHLD)
            stop(s);
        else if (s->importer != NULL)
            importer_reap(s->importer, clock_steady());
}

/* --- the loop */

/* Connections last: one that ends must not be met again in the same round. */
static void handle(server *s, struct epoll_event *events, int count)
{
    bool has_news = false, has_signal = false, is_time = false;

    for (int i = 0; i < count; i++) {
        void *what = events[i].data.ptr;

        if (what == &s->place)
            accept_all(s);
        else if (what == &s->timer)
            is_time = true;
        else if (what == &s->signals)
            has_signal = true;
        else if (what == &s->news)
            has_news = true;
        else
            serve(s, what, events[i].events);
    }
    if (is_time)
        tick(s);
    if (has_news) {
        heed_writer(s);
        heed_others(s);
    }
    if (has_signal)
        heed_signal(s);
}

void server_loop(server *s)
{
    struct epoll_event events[EVENTS];

    while (!s->stops || s->connections != NULL) {
        int count = epoll_wait(s->epoll, events, EVENTS, 1000);

        if (count > 0)
            handle(s, events, count);
        if (s->stops && clock_steady() - s->stop_time > STOP_PATIENCE)
            end_all(s);
        if (s->stops && clock_steady() - s->stop_time > 2 * STOP_PATIENCE)
            break;
    }
}
