#include "places.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct address {
    sa_family_t family;
    unsigned char bytes[8];
} address;

struct place {
    place *next, *previous;
    places *all;
    int socket;
    address from;
    uint64_t since; /* when it became idle, in takes and ends of work */
    bool works, goes;
};

struct places {
    pthread_mutex_t lock;
    place *first;
    uint64_t now;
};

places *places_new(void)
{
    places *p = calloc(1, sizeof(*p));

    if (p != NULL)
        pthread_mutex_init(&p->lock, NULL);
    return p;
}

void places_free(places *p)
{
    if (p != NULL)
        pthread_mutex_destroy(&p->lock);
    free(p);
}

/* --- addresses */

static address address_of(const struct sockaddr *from)
{
    address a = {.family = from->sa_family};
    struct sockaddr_in four;
    struct sockaddr_in6 six;

    if (from->sa_family == AF_INET) {
        memcpy(&four, from, sizeof(four));
        memcpy(a.bytes, &four.sin_addr, 4);
    } else if (from->sa_family == AF_INET6) {
        memcpy(&six, from, sizeof(six));
        if (IN6_IS_ADDR_V4MAPPED(&six.sin6_addr))
            memcpy(a.bytes, six.sin6_addr.s6_addr + 12, 4);
        else
            memcpy(a.bytes, six.sin6_addr.s6_addr, 8);
    }
    return a;
}

static bool is_same(const address *one, const address *other)
{
    return one->family == other->family &&
           memcmp(one->bytes, other->bytes, sizeof(one->bytes)) == 0;
}

/* --- who goes; with the lock.  from NULL: of all addresses */

/* What waits to be read may be a request, for which no thread had time yet. */
static bool is_idle(const place *one)
{
    char byte;

    return !one->goes && !one->works && recv(one->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

static unsigned count_of(const places *p, const address *from)
{
    unsigned count = 0;

    for (const place *one = p->first; one != NULL; one = one->next)
        count += !one->goes && (from == NULL || is_same(&one->from, from));
    return count;
}

static void drop_oldest(places *p, const address *from)
{
    place *oldest = NULL;

    for (place *one = p->first; one != NULL; one = one->next)
        if ((from == NULL || is_same(&one->from, from)) &&
            (oldest == NULL || one->since < oldest->since) && is_idle(one))
            oldest = one;
    if (oldest == NULL)
        return;
    oldest->goes = true;
    shutdown(oldest->socket, SHUT_RDWR);
}

/* --- coming and going */

place *places_take(places *p, int socket, const struct sockaddr *from)
{
    place *one = calloc(1, sizeof(*one));

    if (one == NULL) {
        shutdown(socket, SHUT_RDWR);
        return NULL;
    }
    one->all = p;
    one->socket = socket;
    one->from = address_of(from);
    pthread_mutex_lock(&p->lock);
    one->since = ++p->now;
    one->next = p->first;
    if (one->next != NULL)
        one->next->previous = one;
    p->first = one;
    if (count_of(p, &one->from) > PLACES_OF_ADDRESS)
        drop_oldest(p, &one->from);
    else if (count_of(p, NULL) > PLACES)
        drop_oldest(p, NULL);
    pthread_mutex_unlock(&p->lock);
    return one;
}

void places_leave(place *one)
{
    places *p = one->all;

    pthread_mutex_lock(&p->lock);
    if (one->previous != NULL)
        one->previous->next = one->next;
    else
        p->first = one->next;
    if (one->next != NULL)
        one->next->previous = one->previous;
    pthread_mutex_unlock(&p->lock);
    free(one);
}

void places_work(place *one, bool works)
{
    pthread_mutex_lock(&one->all->lock);
    one->works = works;
    one->since = ++one->all->now;
    pthread_mutex_unlock(&one->all->lock);
}
