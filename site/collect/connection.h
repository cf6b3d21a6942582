/* A process that is connected: what it sends goes to the writer, words go back. */

#ifndef COLLECT_CONNECTION_H
#define COLLECT_CONNECTION_H

#include "check.h"
#include "users.h"
#include "writer.h"

typedef enum connection_state {
    CONNECTION_BEGINS, /* nothing but part of a head */
    CONNECTION_SPOOLS,
    CONNECTION_ENDS, /* nothing more is read; the writer has the rest */
    CONNECTION_ANSWERS,
    CONNECTION_HEALTH, /* says how the process is */
    CONNECTION_GONE    /* to be freed */
} connection_state;

typedef struct connection connection;
struct connection {
    connection *next, *previous; /* of all */
    int fd;
    uid_t uid;
    gid_t gid;
    connection_state state;
    double since;
    check check;
    intake *intake; /* NULL: not yet */
    bool waits;     /* for room: not read from */
    bool has_path;  /* was told */
    bool is_last;   /* the collector ends: what is there now, and no more */
    uint64_t told;  /* bytes that it knows to be safe */
    /* what is sent */
    char *out;
    size_t out_length, out_sent;
    /* CONNECTION_HEALTH */
    pid_t pid;
    node_process *process;
    char health[sizeof(atw_health)];
    size_t health_length; /* what came of it */
};

/* Each reads or writes what is possible now. */
void connection_read(connection *c, writer *w);
void connection_write(connection *c);

/* The writer's news; view.state other than open: the intake is freed, and the connection ends. */
void connection_heed(connection *c, const intake_view *view);

/* A last word, then GONE once it was sent or cannot be. */
void connection_refuse(connection *c, const char *why);
void connection_answer(connection *c, const char *text, size_t length);

/* Its head is that of a spool, which the writer is to have. */
bool connection_has_head(const connection *c);
void connection_spool(connection *c, writer *w);

/* A process of the node: what it says is heard, and what level a signal has is said to it.  Another
 * connection of the same process ends. */
void connection_reason(connection *c, users *u);
void connection_signal(connection *c, atw_scope level);

/* Nothing more is read. */
void connection_end(connection *c, writer *w);

/* Closes the socket and frees it. */
void connection_free(connection *c);

#endif /* COLLECT_CONNECTION_H */
