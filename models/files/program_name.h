/* The name of a program, as records have it and advice matches it. */

#ifndef ATM_PROGRAM_H
#define ATM_PROGRAM_H

#include "atm.h"

/*
 * The program file's name without folders; of a script that Python runs, the script's, because all
 * of these have the same program file.
 *
 *     exe        what /proc/self/exe links to; "" or NULL: not known
 *     arguments  those of /proc/self/cmdline, each with its 0, as many bytes as there are
 *
 * "" if neither tells.
 */
void atm_program_name(const char *exe, const char *arguments, size_t length, size_t size,
                      char *name_p);

#endif /* ATM_PROGRAM_H */
