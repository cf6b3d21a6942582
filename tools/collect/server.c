/* Listens: connections, polls of statistics, signals, the writer's news; one loop. */

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "collect.h"
#include "connection.h"
#include "importer.h"
#include "place.h"
#include "statistics.h"

enum {
    EVENTS = 64,
    MOST_FILES = 65536,
    HEAD_PATIENCE = 10, /* seconds for a head, or to read an answer */
    STOP_PATIENCE = 5
};

typedef struct server {
    place place;
    int epoll, timer, signals, news;
    store *store;
    writer *writer;
    importer *importer; /* NULL: nobody asked for it */
    statistics *statistics;
    neighbours *neighbours; /* NULL: nobody asked for them */
    node *node;
    unsigned polls;
    work work;
    connection *connections;
    size_t count, most;
    bool stops;
    double stop_time;
} server;

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
    c->since = collect_now();
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
        node_remove(s->node, c->process);
    connection_free(c);
}

static void answer(server *s, connection *c)
{
    const char *text;
    size_t length;

    s->work.processes = 0;
    for (const connection *other = s->connections; other != NULL; other = other->next)
        s->work.processes += other->state == CONNECTION_SPOOLS || other->state == CONNECTION_ENDS;
    text = statistics_text(s->statistics, &s->work, s->node, &length);
    if (text != NULL)
        connection_answer(c, text, length);
    else
        connection_refuse(c, "no memory");
}

/* After anything that changed it. */
static void settle(server *s, connection *c)
{
    if (c->state == CONNECTION_BEGINS && c->check.status == CHECK_QUERY)
        answer(s, c);
    else if (c->state == CONNECTION_BEGINS && c->check.status == CHECK_HEALTH)
        connection_reason(c, s->node);
    else if (c->state == CONNECTION_BEGINS && c->check.status == CHECK_WRONG) {
        say_of_client("user %lu: %s", (unsigned long) c->uid, c->check.problem);
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
    connection_state before = c->state;
    uint64_t taken = c->check.taken;

    if (events & EPOLLOUT)
        connection_write(c);
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
        connection_read(c, s->writer);
    if (c->intake != NULL)
        s->work.bytes += c->check.taken - taken;
    s->work.spools += before == CONNECTION_BEGINS && c->state == CONNECTION_SPOOLS;
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

/* Those that say nothing, or do not read what they asked for. */
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

static void tick(server *s)
{
    uint64_t expired;
    double now = collect_now();

    if (read(s->timer, &expired, sizeof(expired)) != sizeof(expired))
        return;
    statistics_poll(s->statistics, now);
    node_cycle(s->node, statistics_scarce(s->statistics), tell_signal, s);
    if (++s->polls % 10 != 0)
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
    s->stop_time = collect_now();
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
            importer_reap(s->importer, collect_now());
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
    if (has_news)
        heed_writer(s);
    if (has_signal)
        heed_signal(s);
}

static void loop(server *s)
{
    struct epoll_event events[EVENTS];

    while (!s->stops || s->connections != NULL) {
        int count = epoll_wait(s->epoll, events, EVENTS, 1000);

        if (count > 0)
            handle(s, events, count);
        if (s->stops && collect_now() - s->stop_time > STOP_PATIENCE)
            end_all(s);
        if (s->stops && collect_now() - s->stop_time > 2 * STOP_PATIENCE)
            break;
    }
}

static bool add(server *s, int fd, void *what)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};

    return fd >= 0 && epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool start(server *s)
{
    struct itimerspec period = {{0, 100000000}, {0, 1}};
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    s->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    s->news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (timerfd_settime(s->timer, 0, &period, NULL) == 0 && add(s, s->place.listening, &s->place) &&
        add(s, s->timer, &s->timer) && add(s, s->signals, &s->signals) && add(s, s->news, &s->news))
        return (s->writer = writer_start(s->store, s->news)) != NULL;
    say("cannot wait for anything: %m");
    return false;
}

/* Each process has a socket and a file here. */
static size_t most_connections(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 256;
    limit.rlim_cur = limit.rlim_max < MOST_FILES ? limit.rlim_max : MOST_FILES;
    setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur > 320 ? (size_t) (limit.rlim_cur - 192) / 2 : 64;
}

/* The parent ends when the socket is there. */
static bool go_to_background(const place *p)
{
    if (daemon(0, 0) != 0) {
        say("cannot go to the background: %m");
        return false;
    }
    say_to_log();
    place_sign(p);
    return true;
}

/* An orderly end: the writer has nothing left, or its disk hangs. */
static void finish(server *s)
{
    if (s->connections == NULL)
        writer_stop(s->writer);
    else
        say("%zu spools were not finished", s->count);
}

/* Threads begin in the background. */
static bool start_reasoning(server *s, const collect_options *options)
{
    if (options->system != NULL)
        s->neighbours = neighbours_start(options->system, options->socket);
    if (options->system != NULL && s->neighbours == NULL)
        return false;
    s->node = node_new(options->proc, s->neighbours);
    if (s->node == NULL)
        say("no memory");
    return s->node != NULL;
}

static int run(server *s, const collect_options *options)
{
    bool started;

    s->most = most_connections();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    s->statistics = statistics_new(options->proc, options->sys);
    if (options->import_every > 0)
        s->importer = importer_new(options->dir, options->db, options->import_every);
    if (s->statistics == NULL || (options->import_every > 0 && s->importer == NULL)) {
        say("no memory");
        return 1;
    }
    started = (options->foreground || go_to_background(&s->place)) && start(s) &&
              start_reasoning(s, options);
    if (started) {
        loop(s);
        finish(s);
    }
    importer_free(s->importer);
    node_free(s->node);
    neighbours_stop(s->neighbours);
    statistics_free(s->statistics);
    return started ? 0 : 1;
}

int collect_run(const collect_options *options)
{
    server *s = calloc(1, sizeof(*s));
    int code = 1;

    if (s == NULL) {
        say("no memory");
        return 1;
    }
    if (place_take(options->socket, &s->place)) {
        s->store = store_open(options->dir, options->limit, options->keep_free, !options->no_sync);
        if (s->store != NULL)
            code = run(s, options);
        place_leave(&s->place);
    }
    if (s->connections == NULL)
        store_close(s->store);
    free(s);
    return code;
}
