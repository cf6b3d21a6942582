/* A collector that runs: server_run.c starts and ends it, server.c is its loop. */

#ifndef COLLECT_SERVER_H
#define COLLECT_SERVER_H

#include "collector.h"
#include "connection.h"
#include "importer.h"
#include "socket.h"
#include "statistics.h"

typedef struct server {
    place place;
    int epoll, timer, signals, news;
    store *store;
    writer *writer;
    importer *importer; /* NULL: nobody asked for it */
    statistics *statistics;
    users *users;
    uint64_t cycles;
    work work;
    connection *connections;
    size_t count, most;
    bool stops;
    double stop_time;
} server;

/* Until it was told to stop and all connections have ended, or time has run out. */
void server_loop(server *s);

#endif /* COLLECT_SERVER_H */
