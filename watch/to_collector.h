/*
 * A spool that is sent to the collector of the node (models/formats/collector_socket.h).  What is
 * not yet safe there is kept here, in whole blocks: if the collector goes, nothing is lost.
 *
 * Nothing here waits, but atw_collect_flow and atw_collect_wait.
 */

#ifndef ATW_COLLECT_H
#define ATW_COLLECT_H

#include <sys/types.h>

#include "atw.h"
#include "formats/collector_socket.h"

enum { ATW_COLLECT_ROOM = 1 << 23 }; /* bytes that are not yet safe */

typedef struct atw_collect {
    int fd; /* -1: none */
    dev_t device;
    ino_t inode;
    uint64_t limit;
    atw_spool_head head;
    char *bytes; /* from the begin of a block; pages of our own, kept for the next one */
    size_t length, sent;
    size_t done;     /* whole blocks at the begin that are safe */
    uint64_t before; /* bytes of the spool before these */
    uint64_t safe;
    bool is_gone;                     /* nothing more can be sent or comes */
    bool is_full;                     /* what is beyond safe is not kept there */
    bool is_over;                     /* the limit */
    bool is_closed;                   /* by the program: what was sent is the collector's */
    char path[ATW_COLLECT_WORD_MOST]; /* of the collector's file; "": not known */
    char word[sizeof(atw_collect_word) + ATW_COLLECT_WORD_MOST];
    size_t word_length; /* what came of it */
} atw_collect;

/* A descriptor that programs do not use, and that never waits; -1: there is no collector. */
int atw_collect_connect(const char *socket);

/* socket: "", the usual ones.  One that belongs neither to us nor to root is not trusted.  limit:
 * bytes of the spool.  collect_p is set in any case, but keeps its pages. */
bool atw_collect_open(const char *socket, uint64_t limit, const atw_spool_head *head,
                      atw_collect *collect_p);

/* As atw_spool_put.  false: no room now, or is_over. */
bool atw_collect_put(atw_collect *c, enum atw_spool_kind kind, uint32_t thread, const void *first,
                     size_t first_bytes, const void *second, size_t second_bytes);

/* Sends and receives what is possible; whether the collector still takes something. */
bool atw_collect_go_on(atw_collect *c);
/* The same after up to so many ms, as soon as it is possible. */
bool atw_collect_flow(atw_collect *c, int ms);
/* The same, until so many bytes of room are there (0: until all is safe), for some ms at most.
 * Whether they are. */
bool atw_collect_wait(atw_collect *c, size_t room, int ms);

/* A whole block that is kept here and begins at that byte of the spool or later; false: none.  Then
 * *at_p is where the next one begins. */
bool atw_collect_kept(const atw_collect *c, uint64_t *at_p, atw_spool_block *block_p,
                      const char **content_p);
/* Bytes up to the end of the last block that was sent whole. */
uint64_t atw_collect_sent(const atw_collect *c);

void atw_collect_close(atw_collect *c);

#endif /* ATW_COLLECT_H */
