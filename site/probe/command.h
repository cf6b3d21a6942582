/*
 * Commands of others (squeue, qstat, lctl): started, and looked at when they have something
 * to say; one that does not end is killed.  Nothing waits for them.
 */

#ifndef PROBE_COMMAND_H
#define PROBE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { COMMAND_MOST = 64 << 20 }; /* bytes of output */

typedef struct command {
    const char *name; /* of its program; NULL: it is not running */
    pid_t process;
    int output; /* for poll() */
    char *text; /* owned */
    size_t length, room;
    double deadline; /* by clock_steady */
} command;

typedef enum command_state {
    COMMAND_RUNS,
    COMMAND_DONE,  /* text is what it printed, ended by a 0 */
    COMMAND_FAILED /* a sentence says why */
} command_state;

/* arguments[0], which is not copied, is looked for in PATH.  0 or the errno. */
int command_start(command *command, char *const arguments[], double patience);

/* The same for a function of ours, which may wait or die where the prober may not. */
int command_start_call(command *command, const char *name, void (*call)(const void *),
                       const void *argument, double patience);

/* What has come of it by now; also of one that failed there may be a text. */
command_state command_look(command *command, char *message, size_t room);

/* After it is done or failed, and at the end: frees the text, kills what runs. */
void command_clear(command *command);

/* Whether PATH has such a program. */
bool command_exists(const char *name);

#endif /* PROBE_COMMAND_H */
