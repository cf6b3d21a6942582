/* Sockets that are listened on. */

#ifndef SERVE_LISTEN_H
#define SERVE_LISTEN_H

#include "atm.h"

/* address: an IPv4 or IPv6 address, or the path of a Unix socket, which its owner alone can use
 * and which must not be there.  port 0: any that is free.  The descriptor, and the address of the
 * first page in url_p; or -1 and a message. */
int listen_on(const char *address, int port, atm_message *message, size_t size, char *url_p);

/* Whether only processes of this machine reach it. */
bool listen_is_local(const char *address);
bool listen_is_path(const char *address);

#endif /* SERVE_LISTEN_H */
