#include "command.h"
#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What a broken batch system says every five minutes is not shown. */
static void redirect(int output)
{
    int nothing = open("/dev/null", O_RDWR);
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
}

int command_start_call(command *command, const char *name, void (*call)(const void *),
                       const void *argument, double patience)
{
    int ends[2], error;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fflush(stdout); /* else the child prints it again */
    command->process = fork();
    error = errno;
    if (command->process == 0) {
        redirect(ends[1]);
        call(argument);
        fflush(stdout);
        _exit(0);
    }
    close(ends[1]);
    if (command->process < 0) {
        close(ends[0]);
        return error;
    }
    command->name = name;
    command->output = ends[0];
    command->deadline = clock_steady() + patience;
    return 0;
}

static void execute(const void *arguments)
{
    char *const *words = arguments;

    execvp(words[0], words);
    _exit(127);
}

int command_start(command *command, char *const arguments[], double patience)
{
    return command_start_call(command, arguments[0], execute, arguments, patience);
}

static bool make_room(command *command)
{
    size_t room = 2 * command->room + 65536;
    char *text;

    if (command->length + 1 < command->room)
        return true;
    text = room <= COMMAND_MOST ? realloc(command->text, room) : NULL;
    if (text == NULL)
        return false;
    command->text = text;
    command->room = room;
    return true;
}

/* 1: there may be more later, 0: that was all, -1: too much */
static int read_more(command *command)
{
    for (;;) {
        ssize_t got;

        if (!make_room(command))
            return -1;
        got = read(command->output, command->text + command->length,
                   command->room - command->length - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            command->text[command->length] = '\0';
            return got < 0 && errno == EAGAIN;
        }
        command->length += (size_t) got;
    }
}

static command_state judge(command *command, char *message, size_t room)
{
    int status = 0;

    for (int i = 0; waitpid(command->process, &status, WNOHANG) == 0; i++) {
        if (i == 1000) {
            snprintf(message, room, "%s has closed its output and does not end", command->name);
            return COMMAND_FAILED;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    command->process = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return COMMAND_DONE;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        snprintf(message, room, "%s: there is no such program", command->name);
    else
        snprintf(message, room, "%s ended with %s %d", command->name,
                 WIFEXITED(status) ? "exit code" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return COMMAND_FAILED;
}

command_state command_look(command *command, char *message, size_t room)
{
    int more = read_more(command);

    if (more == 0)
        return judge(command, message, room);
    if (more < 0)
        snprintf(message, room, "%s prints more than %d bytes", command->name, COMMAND_MOST);
    else if (clock_steady() > command->deadline)
        snprintf(message, room, "%s does not answer", command->name);
    else
        return COMMAND_RUNS;
    return COMMAND_FAILED;
}

void command_clear(command *command)
{
    if (command->name == NULL)
        return;
    close(command->output);
    if (command->process > 0) {
        kill(command->process, SIGKILL);
        waitpid(command->process, NULL, WNOHANG);
    }
    free(command->text);
    memset(command, 0, sizeof(*command));
}

bool command_exists(const char *name)
{
    const char *path = getenv("PATH");
    char full[4096];

    while (path != NULL && *path != '\0') {
        int length = (int) strcspn(path, ":");

        snprintf(full, sizeof(full), "%.*s/%s", length, path, name);
        if (access(full, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}
