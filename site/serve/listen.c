/* Sockets that are listened on. */

#include "listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

typedef union any_address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_un path;
} any_address;

bool listen_is_path(const char *address)
{
    return address[0] == '/' || address[0] == '.';
}

/* The length of the address; 0 if it is none. */
static socklen_t read_address(const char *text, int port, any_address *address_p)
{
    *address_p = (any_address){.six = {.sin6_family = AF_UNSPEC}};
    if (inet_pton(AF_INET, text, &address_p->four.sin_addr) == 1) {
        address_p->four.sin_family = AF_INET;
        address_p->four.sin_port = htons((uint16_t) port);
        return sizeof(address_p->four);
    }
    if (inet_pton(AF_INET6, text, &address_p->six.sin6_addr) == 1) {
        address_p->six.sin6_family = AF_INET6;
        address_p->six.sin6_port = htons((uint16_t) port);
        return sizeof(address_p->six);
    }
    if (!listen_is_path(text) || strlen(text) >= sizeof(address_p->path.sun_path))
        return 0;
    *address_p = (any_address){.path = {.sun_family = AF_UNIX}};
    strcpy(address_p->path.sun_path, text);
    return sizeof(address_p->path);
}

bool listen_is_local(const char *address)
{
    any_address read;

    if (read_address(address, 0, &read) == 0)
        return false;
    if (read.any.sa_family == AF_INET)
        return (ntohl(read.four.sin_addr.s_addr) >> 24) == 127;
    return read.any.sa_family == AF_UNIX || IN6_IS_ADDR_LOOPBACK(&read.six.sin6_addr);
}

static void name_it(int number, const char *address, size_t size, char *url_p)
{
    any_address bound = {.any = {.sa_family = AF_UNSPEC}};
    socklen_t length = sizeof(bound);

    getsockname(number, &bound.any, &length);
    if (bound.any.sa_family == AF_INET)
        snprintf(url_p, size, "http://%s:%d/", address, ntohs(bound.four.sin_port));
    else if (bound.any.sa_family == AF_INET6)
        snprintf(url_p, size, "http://[%s]:%d/", address, ntohs(bound.six.sin6_port));
    else
        snprintf(url_p, size, "http://localhost/ on the socket %s", address);
}

static int complain(const char *address, int port, int error, atm_message *message)
{
    if (listen_is_path(address))
        snprintf(message->text, sizeof(message->text), "%.128s: %s", address, strerror(error));
    else
        snprintf(message->text, sizeof(message->text), "%.64s, port %d: %s", address, port,
                 strerror(error));
    return -1;
}

int listen_on(const char *address, int port, atm_message *message, size_t size, char *url_p)
{
    any_address to;
    socklen_t length = read_address(address, port, &to);
    bool is_path = to.any.sa_family == AF_UNIX;
    int on = 1, number, error;
    mode_t mask;

    if (length == 0) {
        snprintf(message->text, sizeof(message->text),
                 "%.128s: must be an IP address, or the path of a socket", address);
        return -1;
    }
    number = socket(to.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (number < 0)
        return complain(address, port, errno, message);
    if (!is_path)
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    mask = umask(0177); /* no other thread is there yet */
    error = bind(number, &to.any, length) == 0 ? 0 : errno;
    umask(mask);
    if (error == 0 && listen(number, 64) != 0)
        error = errno;
    if (error != 0) {
        close(number);
        return complain(address, port, error, message);
    }
    name_it(number, address, size, url_p);
    return number;
}
