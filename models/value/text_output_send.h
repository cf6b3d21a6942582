/* What output.c and output_send.c share. */

#ifndef ATM_OUTPUT_SEND_H
#define ATM_OUTPUT_SEND_H

#include <limits.h>
#include <sys/types.h>

#include "text_output.h"
#include "value/value_text.h"

/* What a path names, after all its symbolic links. */
typedef struct atm_output {
    char path[PATH_MAX];
    bool descriptor; /* of a process, by its name in /proc */
    int own;         /* that of this process, or -1 */
    bool others;     /* a link on the way is neither root's nor this process's user's */
} atm_output;

/* 0 or an errno value; EACCES: a link that another user planted. */
int atm_output_find(const char *path, atm_output *output_p);

/* Whether a link or file at path, which this user owns, was perhaps put there for others to fall
 * into: in a sticky directory that all may write to. */
bool atm_output_planted(const char *path, uid_t owner);

/* All of it, as soon as there is room; false and errno.  EAGAIN: there was none for
 * that many milliseconds. */
bool atm_output_send(int file, const char *text, size_t length, int patience);

/* ATM_NO_ACCESS, with a message for errno. */
atm_status atm_output_failed(const char *path, const char *what, atm_message *message);

#endif /* ATM_OUTPUT_SEND_H */
