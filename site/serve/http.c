/* Connections, by libmicrohttpd. */

#include "http.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "places.h"

enum {
    THREADS = 4,
    CONNECTIONS = PLACES + 16, /* of a thread: who has to go (places.h) is there for a while */
    PATIENCE = 10,             /* seconds that a silent one stays */
    MEMORY = 32768             /* bytes that headers of one may take */
};

struct http_server {
    serve_site *site;
    places *places;
    struct MHD_Daemon *daemon;
};

/* The address as it was sent: what the library makes of it loses what is between. */
static void *keep_uri(void *context, const char *uri, struct MHD_Connection *connection)
{
    (void) context;
    (void) connection;
    return strdup(uri);
}

static void set_working(struct MHD_Connection *connection, bool works)
{
    const union MHD_ConnectionInfo *kept =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    if (kept != NULL && kept->socket_context != NULL)
        places_work(kept->socket_context, works);
}

static void forget_uri(void *context, struct MHD_Connection *connection, void **uri,
                       enum MHD_RequestTerminationCode code)
{
    (void) context;
    (void) code;
    free(*uri);
    *uri = NULL;
    set_working(connection, false);
}

static void come_or_go(void *context, struct MHD_Connection *connection, void **kept,
                       enum MHD_ConnectionNotificationCode what)
{
    http_server *server = context;
    const union MHD_ConnectionInfo *info;
    int socket;

    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*kept != NULL)
            places_leave(*kept);
        *kept = NULL;
        return;
    }
    info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info == NULL)
        return;
    socket = info->connect_fd; /* the next answer may be in the same place */
    info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info != NULL && info->client_addr != NULL)
        *kept = places_take(server->places, socket, info->client_addr);
}

static void add_headers(struct MHD_Response *response, const serve_reply *reply)
{
    for (const serve_header *at = serve_headers; at->name != NULL; at++)
        MHD_add_response_header(response, at->name, at->value);
    MHD_add_response_header(response, "Content-Type", reply->type);
    if (reply->status == SERVE_WHO)
        MHD_add_response_header(response, "WWW-Authenticate",
                                "Basic realm=\"autotune serve\", charset=\"UTF-8\"");
    if (reply->status == SERVE_METHOD) {
        MHD_add_response_header(response, "Allow", "GET, HEAD");
        MHD_add_response_header(response, "Connection", "close"); /* its body is not read */
    }
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **uri)
{
    http_server *server = context;
    serve_request request = {
        .method = method,
        .uri = *uri,
        .host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
        .authorization = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization")};
    struct MHD_Response *response;
    enum MHD_Result result;
    serve_reply reply;

    (void) url;
    (void) version;
    (void) upload;
    (void) upload_size;
    if (request.uri == NULL) /* no memory */
        return MHD_NO;
    set_working(connection, true);
    serve_answer(server->site, &request, &reply);
    if (reply.body == NULL)
        return MHD_NO;
    response = MHD_create_response_from_buffer(reply.length, reply.body, MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        free(reply.body);
        return MHD_NO;
    }
    add_headers(response, &reply);
    result = MHD_queue_response(connection, reply.status, response);
    MHD_destroy_response(response);
    return result;
}

http_server *http_start(serve_site *site, int socket)
{
    http_server *server = calloc(1, sizeof(*server));

    if (server == NULL)
        return NULL;
    server->site = site;
    server->places = places_new();
    if (server->places != NULL)
        server->daemon = MHD_start_daemon(
            MHD_USE_AUTO_INTERNAL_THREAD, 0, NULL, NULL, answer, server, MHD_OPTION_LISTEN_SOCKET,
            socket, MHD_OPTION_THREAD_POOL_SIZE, (unsigned) THREADS, MHD_OPTION_CONNECTION_LIMIT,
            (unsigned) (THREADS * CONNECTIONS), MHD_OPTION_CONNECTION_TIMEOUT, (unsigned) PATIENCE,
            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) MEMORY, MHD_OPTION_URI_LOG_CALLBACK,
            keep_uri, NULL, MHD_OPTION_NOTIFY_COMPLETED, forget_uri, NULL,
            MHD_OPTION_NOTIFY_CONNECTION, come_or_go, server, MHD_OPTION_END);
    if (server->daemon != NULL)
        return server;
    places_free(server->places);
    free(server);
    return NULL;
}

void http_stop(http_server *server)
{
    MHD_stop_daemon(server->daemon);
    places_free(server->places);
    free(server);
}
