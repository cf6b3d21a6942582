#include "worker.h"
#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- the worker's side */

typedef struct bench {
    const worker_ground *ground;
    int index;
    target_place place; /* directory negative: not open yet */
    pinned pinned;
} bench;

/* EBADF and ESTALE: the file system was mounted anew below us. */
static void forget_place(bench *bench)
{
    if (bench->pinned.file >= 0)
        close(bench->pinned.file);
    bench->pinned.file = -1;
    close(bench->place.directory);
    bench->place.directory = -1;
}

static int write_once(bench *bench, worker_reply *reply)
{
    int error = 0;

    if (bench->pinned.file < 0)
        error = pinned_create(&bench->place, bench->index, bench->ground->keep, &bench->pinned);
    reply->at = clock_wall();
    if (error == 0)
        error = pinned_write(&bench->pinned, bench->ground->source, reply->request.bytes,
                             &reply->seconds);
    return error;
}

static int work(bench *bench, worker_reply *reply, target_list *list)
{
    int error = 0;

    if (bench->place.directory < 0)
        error = target_open_place(bench->ground->directory, &bench->place);
    if (error != 0)
        return error;
    if (reply->request.task == WORKER_LIST)
        return target_list_all(&bench->place, list);
    error = target_look(&bench->place, bench->index, &reply->found);
    reply->looked = error == 0;
    if (error == ENOTSUP) /* then writes will tell */
        error = 0;
    if (error == 0 && reply->request.task == WORKER_WRITE && !reply->found.state.inactive)
        error = write_once(bench, reply);
    if (error == ESTALE || error == ENOTCONN)
        forget_place(bench);
    return error;
}

/* A list follows its reply. */
static void serve(int channel, const worker_ground *ground, int index)
{
    bench bench = {.ground = ground, .index = index, .place = {.directory = -1}};
    target_list *list = calloc(1, sizeof(*list));
    worker_reply reply;

    bench.pinned.file = -1;
    while (list != NULL) {
        memset(&reply, 0, sizeof(reply));
        if (recv(channel, &reply.request, sizeof(reply.request), 0) != sizeof(reply.request))
            break;
        reply.at = clock_wall();
        reply.error = work(&bench, &reply, list);
        if (send(channel, &reply, sizeof(reply), MSG_NOSIGNAL) != sizeof(reply))
            break;
        if (reply.request.task == WORKER_LIST && reply.error == 0 &&
            send(channel, list,
                 offsetof(target_list, targets) + (size_t) list->count * sizeof(target),
                 MSG_NOSIGNAL) < 0)
            break;
    }
    if (bench.place.directory >= 0)
        pinned_remove(&bench.place, &bench.pinned);
    free(list);
}

/* The end of the prober ends a worker, signals to all processes of a terminal or of a
 * service do not: the prober decides. */
static void become_worker(int channel, const worker_ground *ground, int index)
{
    sigset_t none;

    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* others' channels, whose ends must be seen, and what waits for the prober's output */
    for (int file = 0; file < 4096; file++)
        if (file != channel)
            close(file);
    for (int file = 0; file < 3; file++)
        if (open("/dev/null", O_RDWR) < 0)
            break;
    serve(channel, ground, index);
    _exit(0);
}

/* --- the prober's side */

static void end_channel(worker *worker)
{
    if (worker->channel >= 0)
        close(worker->channel);
    worker->channel = -1;
    worker->busy = false;
}

static int note_death(worker *worker)
{
    end_channel(worker);
    worker->left = true;
    return EPIPE;
}

/* Whether it has gone, without waiting. */
static bool reaped(worker *worker)
{
    if (worker->process > 0 && waitpid(worker->process, NULL, WNOHANG) == 0)
        return false;
    worker->process = 0;
    return true;
}

int worker_start(worker *worker, const worker_ground *ground)
{
    int ends[2];

    if (worker->process > 0 && worker->channel >= 0)
        return 0;
    if (!reaped(worker))
        return EBUSY;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return errno;
    worker->process = fork();
    if (worker->process == 0)
        become_worker(ends[1], ground, worker->index);
    close(ends[1]);
    worker->channel = ends[0];
    worker->busy = false;
    if (worker->process > 0)
        return 0;
    end_channel(worker);
    return EAGAIN;
}

int worker_ask(worker *worker, const worker_request *request, double patience)
{
    if (send(worker->channel, request, sizeof(*request), MSG_NOSIGNAL) != sizeof(*request))
        return note_death(worker);
    worker->busy = true;
    worker->deadline = clock_steady() + patience;
    return 0;
}

int worker_collect(worker *worker, target_list *list, worker_reply *reply_p)
{
    worker_reply reply;

    worker->busy = false;
    if (recv(worker->channel, &reply, sizeof(reply), 0) != sizeof(reply))
        return note_death(worker);
    reply.list = list;
    if (reply.request.task == WORKER_LIST && reply.error == 0 &&
        recv(worker->channel, list, sizeof(*list), 0) < 0)
        return note_death(worker);
    *reply_p = reply;
    return 0;
}

void worker_give_up(worker *worker)
{
    note_death(worker);
    if (worker->process > 0)
        kill(worker->process, SIGKILL);
    reaped(worker);
}

/* Waits for those that are left; how many are still there afterwards. */
static int wait_for(worker *workers, int count, double patience)
{
    double until = clock_steady() + patience;
    int left;

    do {
        left = 0;
        for (int i = 0; i < count; i++)
            left += !reaped(&workers[i]);
        if (left > 0)
            nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    } while (left > 0 && clock_steady() < until);
    return left;
}

/* Removes files in a process of its own, as names of files may hang as well. */
static void sweep(const worker *workers, int count, const worker_ground *ground, double patience)
{
    worker broom = {.process = fork(), .channel = -1};
    target_place place;

    if (broom.process == 0) {
        if (target_open_place(ground->directory, &place) == 0)
            for (int i = 0; i < count; i++)
                pinned_sweep(&place, workers[i].index);
        _exit(0);
    }
    if (wait_for(&broom, 1, patience) > 0)
        kill(broom.process, SIGKILL);
}

void worker_end_all(worker *workers, int count, const worker_ground *ground, double patience)
{
    bool left = false;

    for (int i = 0; i < count; i++) {
        left = left || workers[i].left;
        end_channel(&workers[i]);
    }
    if (wait_for(workers, count, patience) == 0 && !left)
        return;
    for (int i = 0; i < count; i++)
        if (workers[i].process > 0)
            kill(workers[i].process, SIGKILL);
    sweep(workers, count, ground, patience);
}
