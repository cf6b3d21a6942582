/* A command in a process group of its own. */

#include "spawn.h"
#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 10 }; /* seconds from SIGTERM to SIGKILL: mpiexec and srun end their ranks */

void ats_signals_of_interest(sigset_t *set_p)
{
    sigemptyset(set_p);
    sigaddset(set_p, SIGCHLD);
    sigaddset(set_p, SIGTERM);
    sigaddset(set_p, SIGINT);
    sigaddset(set_p, SIGHUP);
}

static bool redirect(const char *path, int flags, int to)
{
    int file = open(path, flags | O_CLOEXEC, 0666);
    bool done = file >= 0 && dup2(file, to) == to;

    if (file >= 0 && file != to)
        close(file);
    return done;
}

/* In the child; tells errno through the pipe if it cannot. */
static void become(char *const *command, const char *output, const char *errors, int tell)
{
    sigset_t none;
    int error;

    setpgid(0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (redirect("/dev/null", O_RDONLY, 0) && redirect(output, O_WRONLY | O_CREAT | O_TRUNC, 1) &&
        redirect(errors, O_WRONLY | O_CREAT | O_TRUNC, 2))
        execvp(command[0], command);
    error = errno;
    if (write(tell, &error, sizeof(error)) < 0)
        _exit(126);
    _exit(127);
}

/* 0 or errno. */
static int start(char *const *command, const char *output, const char *errors, pid_t *pid_p)
{
    int pipes[2], error = 0;
    pid_t pid;

    if (pipe2(pipes, O_CLOEXEC) != 0)
        return errno;
    pid = fork();
    if (pid == 0)
        become(command, output, errors, pipes[1]);
    close(pipes[1]);
    if (pid < 0) {
        error = errno;
    } else {
        setpgid(pid, pid); /* whoever is first */
        if (read(pipes[0], &error, sizeof(error)) != sizeof(error))
            error = 0;
        if (error != 0)
            waitpid(pid, NULL, 0);
    }
    close(pipes[0]);
    if (error == 0)
        *pid_p = pid;
    return error;
}

/* Whether it has ended; else a signal that came, or 0 after so many seconds. */
static bool wait_until(pid_t pid, const sigset_t *set, double seconds, int *signal_p, int *status_p)
{
    double end = clock_steady() + seconds;

    *signal_p = 0;
    while (waitpid(pid, status_p, WNOHANG) != pid) {
        double left = end - clock_steady();
        struct timespec time;
        int number;

        if (left <= 0)
            return false;
        left = fmin(left, 1); /* a signal may have been for another child */
        time.tv_sec = (time_t) left;
        time.tv_nsec = (long) (1e9 * (left - (double) time.tv_sec));
        number = sigtimedwait(set, NULL, &time);
        if (number > 0 && number != SIGCHLD) {
            *signal_p = number;
            return false;
        }
    }
    return true;
}

static void end_group(pid_t pid, const sigset_t *set)
{
    int number, status;

    kill(-pid, SIGTERM);
    for (double end = clock_steady() + PATIENCE; clock_steady() < end;)
        if (wait_until(pid, set, end - clock_steady(), &number, &status))
            break;
    kill(-pid, SIGKILL); /* also what it has left */
    waitpid(pid, &status, 0);
}

ats_spawned ats_spawn(char *const *command, const char *output, const char *errors, double limit,
                      double *seconds_p, int *status_p)
{
    sigset_t ours, before;
    double began = clock_steady();
    ats_spawned result = ATS_ENDED;
    pid_t pid = 0;
    int error, number;

    ats_signals_of_interest(&ours);
    sigprocmask(SIG_BLOCK, &ours, &before);
    error = start(command, output, errors, &pid);
    if (error != 0) {
        *status_p = error;
        result = ATS_NOT_RUN;
    } else if (!wait_until(pid, &ours, limit, &number, status_p)) {
        result = number != 0 ? ATS_TOLD : ATS_TOO_LONG;
        *seconds_p = clock_steady() - began;
        end_group(pid, &ours);
    } else {
        *seconds_p = clock_steady() - began;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return result;
}
