/* A visit to a point of storage: what storage.c and storage_file.c share. */

#ifndef STORAGE_H
#define STORAGE_H

#include "calibrate.h"

typedef struct storage {
    const cal_place *place;
    const plan_point *point;
    cal_files *files;
    char path[PATH_MAX];
    int turn;        /* of this rank among those that access, or -1 */
    int writers;     /* ranks with a file domain */
    int rounds;      /* of a domain */
    uint64_t step;   /* bytes of a round in a domain, with the round before, */
    uint64_t stripe; /* or a stripe that begins with them */
    uint64_t domain;
    const cal_kept *kept; /* reads: from where, */
    uint64_t part;        /* and this rank's part of it */
    int file;             /* open, or -1 */
    int code;             /* first failure */
    int done;             /* rounds since the file was empty, if they start over, */
    int last;             /* and those before the last repetition */
    int made;             /* files */
} storage;

/* Local; the first failure is kept. */
void storage_fail(storage *s, int code);
void storage_transfer(storage *s, uint64_t bytes, uint64_t offset);
void storage_open(storage *s);
void storage_close(storage *s);
void storage_remove(storage *s);
/* Collective: an empty file, with another name than the last one. */
void storage_open_new(storage *s);

#endif /* STORAGE_H */
