/*
 * Where blocks go: to the collector of the node, or to a spool of our own.  If a collector goes,
 * its file is continued; if it takes no more, or its file is not to be had, another spool begins,
 * with what was not safe.
 *
 * All with the lock of drain.c.
 */

#ifndef ATW_SINK_H
#define ATW_SINK_H

#include "atw.h"

typedef enum atw_put_result {
    ATW_PUT_DONE,
    ATW_PUT_LATER, /* the collector has too much to do */
    ATW_PUT_NEVER  /* no room */
} atw_put_result;

typedef struct atw_sink_calls {
    bool (*begin)(void); /* a new spool: puts what it begins with */
    /* a block that the last one did not keep; false: no room */
    bool (*again)(const atw_spool_block *block, const char *content);
} atw_sink_calls;

/* folder, socket and calls are kept.  socket: NULL, no collector is asked; "", the usual ones. */
void atw_sink_start(const char *folder, uint64_t limit, const char *socket,
                    const atw_sink_calls *calls);
/* In a child. */
void atw_sink_anew(void);
/* socket, as above. */
const char *atw_sink_place(void);

/* Made when first asked for: many processes do nothing. */
bool atw_sink_have(void);
bool atw_sink_was_made(void);
/* -1: there is none. */
int atw_sink_descriptor(void);

atw_put_result atw_sink_put(enum atw_spool_kind kind, uint32_t thread, const void *first,
                            size_t first_bytes, const void *second, size_t second_bytes);
/* Activities that a block may have. */
size_t atw_sink_piece(void);
/* Activities that were put and then found no room, since this was last asked. */
uint64_t atw_sink_lost(void);

/* Sends and receives; waits up to so many ms for something to do.  Whether something is not sent
 * yet. */
bool atw_sink_flow(int ms);

/* The process ends: nothing is put off any more, for so many ms in all. */
void atw_sink_hurry(int ms);
/* After the last block. */
void atw_sink_finish(void);

/* What is put from now on may be taken back.  If it cannot be, a new spool begins. */
uint64_t atw_sink_mark(void);
void atw_sink_back(uint64_t mark);

#endif /* ATW_SINK_H */
