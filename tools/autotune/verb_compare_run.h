/* Running a program and waiting for it, and for nothing it leaves behind. */

#ifndef COMPARE_RUN_H
#define COMPARE_RUN_H

#include "atm.h"

/* Interrupt, terminate and hang-up from now on end the program that runs; ask
 * compare_signal afterwards. */
void compare_catch_signals(void);
/* The signal that came, or 0. */
int compare_signal(void);

/* Run argv, ended by NULL, with this process's environment, no input, and
 * output to the file descriptor, as a process group of its own.  The wall-clock
 * seconds, or false and why not: it cannot be run, failed, or was ended. */
bool compare_run(char *const *argv, int output, atm_message *message, double *seconds_p);

#endif /* COMPARE_RUN_H */
