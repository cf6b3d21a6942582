/*
 * Host names in Slurm's notation: "n[1-4,07],login" stands for n1 n2 n3 n4 n07
 * login.  A range has as many digits as its first number, "[08-10]" is 08 09 10;
 * a name may have several brackets, of which the last varies fastest.
 */

#ifndef ATM_HOSTLIST_H
#define ATM_HOSTLIST_H

#include "atm.h"

enum {
    ATM_HOST_MAX = 255,    /* bytes of a name */
    ATM_HOST_BRACKETS = 8, /* of a name */
    ATM_HOSTS_MAX = 1 << 20,
    ATM_HOSTS_BYTES = 64 << 20 /* of all names */
};

typedef struct atm_hostlist_size {
    size_t hosts;
    size_t bytes; /* that all names and a 0 after each need, or a little more */
} atm_hostlist_size;

/* NULL and the size of a list of at least one host, or what is wrong with it:
 * a sentence, static.  Takes time in proportion to length. */
const char *atm_hostlist_measure(const char *text, size_t length, atm_hostlist_size *size_p);

/* The names, each followed by a 0, to `to`, which has the bytes that were
 * measured; returns their end. */
char *atm_hostlist_write(const char *text, size_t length, char *to);

#endif /* ATM_HOSTLIST_H */
