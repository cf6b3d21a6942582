/* Running a program and waiting for it, but not for anything it leaves behind. */

#ifndef COMPARE_RUN_H
#define COMPARE_RUN_H

#include "atm.h"

/* From now on lets SIGINT, SIGTERM and SIGHUP end the program that runs; call compare_signal
 * afterwards. */
void compare_catch_signals(void);
/* The signal that came, or 0. */
int compare_signal(void);

/* Run argv, ended by NULL, with this process's environment, no input, and output and errors to
 * these file descriptors, as a process group of its own.  The wall-clock seconds, or false and why
 * not: it cannot be run, failed, or was ended. */
bool compare_run(char *const *argv, int output, int errors, atm_message *message,
                 double *seconds_p);

#endif /* COMPARE_RUN_H */
