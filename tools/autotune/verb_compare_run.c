/* Running a program and waiting for it. */

#include "verb_compare_run.h"
#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 5 }; /* seconds that a program has to end after a signal */

static volatile sig_atomic_t caught;
static volatile pid_t group; /* of the program that runs; 0: none does */

static void pass_on(int number)
{
    int error = errno;

    if (number == SIGALRM) {
        if (group > 0)
            kill(-group, SIGKILL);
    } else {
        caught = number;
        if (group > 0) {
            kill(-group, number);
            alarm(PATIENCE);
        }
    }
    errno = error;
}

static void signals_of_interest(sigset_t *set_p)
{
    sigemptyset(set_p);
    sigaddset(set_p, SIGINT);
    sigaddset(set_p, SIGTERM);
    sigaddset(set_p, SIGHUP);
    sigaddset(set_p, SIGALRM);
}

void compare_catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};

    signals_of_interest(&action.sa_mask);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sigaction(numbers[i], &action, NULL);
}

int compare_signal(void)
{
    return caught;
}

/* 0 or errno.  The signals come after group is set: they are not lost. */
static int spawn(char *const *argv, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes)
{
    sigset_t ours, before;
    pid_t pid;
    int error;

    signals_of_interest(&ours);
    sigprocmask(SIG_BLOCK, &ours, &before);
    error = caught != 0 ? EINTR : posix_spawnp(&pid, argv[0], actions, attributes, argv, environ);
    if (error == 0)
        group = pid;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return error;
}

static int start(char *const *argv, int output, int errors)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t ours, none;
    int error;

    signals_of_interest(&ours);
    sigemptyset(&none);
    error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                  POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setsigdefault(&attributes, &ours);
        posix_spawnattr_setsigmask(&attributes, &none);
        error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        if (error == 0)
            error = posix_spawn_file_actions_adddup2(&actions, output, 1);
        if (error == 0)
            error = posix_spawn_file_actions_adddup2(&actions, errors, 2);
        if (error == 0)
            error = spawn(argv, &actions, &attributes);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* True if it ended well. */
static bool finish(int status, atm_message *message)
{
    if (caught != 0)
        snprintf(message->text, sizeof(message->text), "ended by signal %d (%s)", caught,
                 strsignal(caught));
    else if (WIFSIGNALED(status))
        snprintf(message->text, sizeof(message->text), "died of signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        snprintf(message->text, sizeof(message->text), "failed with exit code %d",
                 WEXITSTATUS(status));
    else
        return true;
    return false;
}

bool compare_run(char *const *argv, int output, int errors, atm_message *message, double *seconds_p)
{
    double begin = clock_steady();
    int error = start(argv, output, errors), status = 0;
    pid_t ended;

    if (error != 0) {
        snprintf(message->text, sizeof(message->text), "%.128s cannot be run: %s", argv[0],
                 strerror(error));
        return false;
    }
    do
        ended = waitpid(group, &status, 0);
    while (ended < 0 && errno == EINTR);
    *seconds_p = clock_steady() - begin;
    alarm(0);
    if (caught != 0)
        kill(-group, SIGKILL); /* what it may have left */
    group = 0;
    return finish(status, message);
}
