/* The socket that a collector listens on, and a lock beside it: one collector at a time. */

#ifndef COLLECT_PLACE_H
#define COLLECT_PLACE_H

#include <stdbool.h>

typedef struct place {
    int listening, lock; /* -1: none */
    char socket[108];
} place;

/* This user's socket and folder.  false: no room, or no home. */
bool place_usual_socket(char *path, unsigned long room);
bool place_usual_dir(char *path, unsigned long room);

/* false: said why.  The lock has the number of the process. */
bool place_take(const char *socket, place *place_p);
/* After a fork: the number is another. */
void place_sign(const place *p);
/* Stops listening; the lock stays ours. */
void place_close(place *p);
void place_leave(place *p);

#endif /* COLLECT_PLACE_H */
