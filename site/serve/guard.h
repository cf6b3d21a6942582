/*
 * Guard: who may ask.  With a token, whoever has it: as "Authorization: Bearer TOKEN", or as the
 * password of "Authorization: Basic", which browsers ask their user for.  Without one, requests to
 * names other than this machine's own are refused: a page of somebody else's, whose name was made
 * to lead here, would be allowed by a browser to read ours.
 */

#ifndef SERVE_GUARD_H
#define SERVE_GUARD_H

#include "serve.h"

enum { GUARD_TOKEN_LEAST = 16, GUARD_TOKEN_MOST = 256 };

/* NULL, or what is wrong with it. */
const char *guard_token_wrong(const char *token);

/* SERVE_OK, SERVE_WHO or SERVE_MISDIRECTED */
serve_status guard_check(const serve_site *site, const serve_request *request);

/* Whether both are the same; the time depends on the length of what is given alone. */
bool guard_same(const char *given, size_t length, const char *token);

/* Whether a Host is localhost or a loopback address, with or without a port. */
bool guard_host_is_own(const char *host);

#endif /* SERVE_GUARD_H */
