/*
 * Places: how many may be connected, in all and from one address.  Where there is none left, the
 * one that has been idle for longest goes: a connection that says nothing, or only part of a
 * request, keeps nobody out.  Used by all threads of the server.
 */

#ifndef SERVE_PLACES_H
#define SERVE_PLACES_H

#include <stdbool.h>
#include <sys/socket.h>

enum {
    PLACES = 64,
    PLACES_OF_ADDRESS = 32 /* of IPv6, of its first 64 bits; of a Unix socket, all */
};

typedef struct places places;
typedef struct place place;

/* NULL: no memory.  Free it when all have left; NULL is fine. */
places *places_new(void);
void places_free(places *p);

/* A connection, idle at first.  Who has to go finds the connection shut down, and leaves then as
 * all do.  NULL: no memory; it is shut down. */
place *places_take(places *p, int socket, const struct sockaddr *from);
void places_leave(place *one);

/* Whether a request of it is being answered: it is left alone then. */
void places_work(place *one, bool works);

#endif /* SERVE_PLACES_H */
