/* Starts and ends a collector. */

#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "server.h"

enum { MOST_FILES = 65536 };

static bool add(server *s, int fd, void *what)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};

    return fd >= 0 && epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool start(server *s)
{
    struct itimerspec period = {{0, ATW_CYCLE_MS * 1000000}, {0, 1}};
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

static bool start_reasoning(server *s, const collect_options *options)
{
    s->users = users_new(options->proc, options->system, options->socket, s->news);
    if (s->users == NULL)
        say("no memory");
    return s->users != NULL;
}

static int run(server *s, const collect_options *options)
{
    bool started;

    s->most = most_connections();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    s->statistics = statistics_new(options->proc, options->sys);
    if (options->import_every > 0)
        s->importer =
            importer_new(options->dir, options->db, &options->reader, options->import_every);
    if (s->statistics == NULL || (options->import_every > 0 && s->importer == NULL)) {
        say("no memory");
        return 1;
    }
    started = (options->foreground || go_to_background(&s->place)) && start(s) &&
              start_reasoning(s, options);
    if (started) {
        server_loop(s);
        finish(s);
    }
    importer_free(s->importer);
    users_free(s->users);
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
        s->store = store_open(options->dir, options->limit, options->keep_free, &options->reader,
                              !options->no_sync);
        if (s->store != NULL)
            code = run(s, options);
        place_leave(&s->place);
    }
    if (s->connections == NULL)
        store_close(s->store);
    free(s);
    return code;
}
