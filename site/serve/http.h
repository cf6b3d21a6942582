/* Connections: hands requests to serve_answer.  Compiled where libmicrohttpd is. */

#ifndef SERVE_HTTP_H
#define SERVE_HTTP_H

#include "serve.h"

typedef struct http_server http_server;

/* Answers on a socket (listen.h), which is its own from now on, until it is stopped.  NULL if no
 * thread can be started. */
http_server *http_start(serve_site *site, int socket);
void http_stop(http_server *server);

#endif /* SERVE_HTTP_H */
