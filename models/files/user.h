/*
 * Users: by what name records, spools, histories and advice know them.
 *
 * By the effective user id, as the owners of their files are looked up: in /etc/passwd, then with
 * getpwuid, which may ask a server.  Not by LOGNAME or USER, which are whatever somebody has set.
 * The number of who has no name.
 */

#ifndef ATM_USER_H
#define ATM_USER_H

#include <sys/types.h>

#include "atm.h"

/* False, and nothing set, if nobody has that number. */
bool atm_user_find(uid_t user, size_t size, char *name_p);

/* Name of this process's user; cut if it does not fit. */
void atm_user_name(size_t size, char *name_p);

/* Looks a user up in a file in the form of passwd(5); false, and nothing set, if it is not
 * there. */
bool atm_user_in_file(const char *path, uid_t user, size_t size, char *name_p);

#endif /* ATM_USER_H */
