/*
 * Serve: a history as pages for a browser, and as metrics for Prometheus.
 *
 *     http.h        connections (libmicrohttpd); nothing else knows of it
 *       -> places.h     how many there may be, and who goes
 *       -> answer.c     one request, one reply
 *            guard.h      may it be answered?  Host, token
 *            ask.h        what was asked for: path and parameters
 *            pages.h      which page that is
 *            page_*.c     the pages
 *              table.h      lists that are sorted and turned over page by page
 *              html.h       links and forms (report/page.h and report/svg.h do the rest)
 *
 * A request has a database handle of its own, which can only read, and a time that its statements
 * may take.  Requests share nothing but the site, so any number of threads may answer them.
 */

#ifndef SERVE_H
#define SERVE_H

#include <stdatomic.h>

#include "history/database.h"

/* Statuses of HTTP, which are those of all functions here. */
typedef enum serve_status {
    SERVE_OK = 200,
    SERVE_BAD = 400,         /* a parameter that cannot be */
    SERVE_WHO = 401,         /* no token, or a wrong one */
    SERVE_MISSING = 404,     /* no such page, job, file, ... */
    SERVE_METHOD = 405,      /* other than GET and HEAD */
    SERVE_LONG = 414,        /* an address that is too long */
    SERVE_MISDIRECTED = 421, /* a Host that this is not */
    SERVE_FAILED = 500,
    SERVE_BUSY = 503 /* a database that is away or took too long */
} serve_status;

enum { SERVE_CLASSES = 6 }; /* of statuses: by hundreds */

typedef struct serve_site {
    const char *database; /* address */
    const char *advice;   /* a file of rules to show; NULL: none */
    const char *token;    /* NULL: none is asked for, and Host must be this machine's own */
    double patience;      /* seconds that a statement may take */
    atomic_ullong answered[SERVE_CLASSES];
} serve_site;

typedef struct serve_request {
    const char *method, *uri;         /* as they were sent */
    const char *host, *authorization; /* headers; NULL: none */
} serve_request;

typedef struct serve_reply {
    serve_status status;
    const char *type; /* Content-Type */
    char *body;       /* the caller frees it; NULL without memory */
    size_t length;
} serve_reply;

void serve_answer(serve_site *site, const serve_request *request, serve_reply *reply_p);

/* Headers that every reply has, by name and value; the last name is NULL. */
typedef struct serve_header {
    const char *name, *value;
} serve_header;
extern const serve_header serve_headers[];

#endif /* SERVE_H */
