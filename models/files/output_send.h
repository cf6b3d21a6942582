/* What output.c and output_send.c share. */

#ifndef ATM_OUTPUT_SEND_H
#define ATM_OUTPUT_SEND_H

#include <limits.h>

#include "output.h"
#include "value/value_text.h"

/* What a path names, after all its symbolic links. */
typedef struct atm_output {
    char path[PATH_MAX];
    bool descriptor; /* of a process, by its name in /proc */
    int own;         /* that of this process, or -1 */
} atm_output;

/* 0 or an errno value. */
int atm_output_find(const char *path, atm_output *output_p);

/* All of it, as soon as there is room; false and errno.  EAGAIN: there was none for
 * that many milliseconds. */
bool atm_output_send(int file, const char *text, size_t length, int patience);

/* ATM_NO_ACCESS, with a message for errno. */
atm_status atm_output_failed(const char *path, const char *what, atm_message *message);

#endif /* ATM_OUTPUT_SEND_H */
