/*
 * Output: text to whatever a path names.  Nothing here waits for long, and a
 * reader that goes away does not end the program.
 *
 * A plain file can be replaced or appended to; symbolic links stay links, and
 * the file that they lead to is written.  Everything else (devices, pipes,
 * terminals) is written to as it is: /dev/null stays what it is.  A path like
 * /dev/stdout is the descriptor itself, with what was written there before.
 *
 * What another user put in a sticky directory that all may write to (/tmp), a file, pipe
 * or link, is not written to; and no file is replaced through a link of another user.
 *
 * ATM_NO_ACCESS and a message that names path and problem; ATM_NO_MEMORY.
 */

#ifndef ATM_OUTPUT_H
#define ATM_OUTPUT_H

#include "atm.h"

/* Replaces a plain file atomically; it keeps its mode. */
atm_status atm_text_write(const char *path, const char *text, size_t length, atm_message *message);

/* The first half of replacing a file, or the link of that name: a new one beside it, mode 0644, on
 * the disk.  Rename *new_path_p to path, or unlink it, and free it. */
atm_status atm_text_stage(const char *path, const char *text, size_t length, atm_message *message,
                          char **new_path_p);

/* Appends a line, which ends in its newline, in one write: lines of several
 * processes, also on several nodes of a network file system that has locks, do not
 * mix.  (In a pipe they do if they are longer than PIPE_BUF.)  A line that does not
 * fit is removed again if the file could be locked.  With length 0 nothing is
 * written: the status says whether it could be. */
atm_status atm_line_append(const char *path, const char *line, size_t length, atm_message *message);

#endif /* ATM_OUTPUT_H */
