/*
 * Seeded programs of mixed operations on one or two files, and what they leave there.
 *
 * A program is one list of events; each rank does its own and those of all, in the
 * order of the list.  That order is possible, so that a driver in which nonblocking
 * operations wait for nobody cannot hang: a message is sent and received by adjacent
 * events, and whatever may wait for other ranks is an event of all.  The wait for a
 * nonblocking collective is one of these, as ROMIO proceeds with it only there.
 *
 * Not drawn, because ROMIO 4.0.2 cannot do it: nonblocking collectives in which a rank
 * has no bytes (ad_write_str.c:343); a collective operation on a file that has another
 * one under way (both use fd->io_buf); a cb_buffer_size that grows (ad_open.c:135).
 *
 *   mixed_plan.c  draws programs; no MPI
 *   mixed.c       runs them
 */

#ifndef MIXED_H
#define MIXED_H

#include <stdint.h>

enum { FILES = 2, MAX_RANKS = 8, MAX_OPS = 24, MAX_EVENTS = 4096 };
enum { PIECE = 64, PIECES = 12, PART = PIECE * PIECES }; /* of one rank in one operation */
enum { MAX_SIZE = MAX_OPS * MAX_RANKS * PART };

typedef enum kind {
    /* of one rank */
    IWRITE_ALL,
    IWRITE_AT_ALL,
    IREAD_ALL,
    IREAD_AT_ALL,
    WRITE_AT,
    READ_AT,
    IWRITE_AT,
    IREAD_AT,
    /* of all */
    FIRST_OF_ALL,
    WRITE_ALL = FIRST_OF_ALL,
    WRITE_AT_ALL,
    READ_AT_ALL,
    WRITE_ORDERED,
    WRITE_BEGIN,
    READ_BEGIN,
    SET_VIEW,
    SET_INFO,
    SET_SIZE,
    PREALLOCATE,
    SYNC,
    KINDS
} kind;

typedef struct op {
    kind kind;
    int file, region;
    int interleaved;      /* view in effect, or set */
    int value;            /* size, or cb_buffer_size */
    int bytes[MAX_RANKS]; /* 0: this rank has none */
    int known;            /* what is read was written before and synchronised: */
    unsigned char wanted[MAX_RANKS][PART];
} op;

typedef struct event {
    enum { START, FINISH, FINISH_ALONE, SEND, RECEIVE } what;
    int rank;  /* -1: all */
    int op;    /* START, FINISH */
    int other; /* SEND, RECEIVE */
} event;

typedef struct plan {
    uint64_t seed, state;
    int ranks, files, ops, events;
    op op[MAX_OPS];
    event event[MAX_EVENTS];
    unsigned char image[FILES][MAX_SIZE]; /* what is in the files in the end; 0: unknown */
    int size[FILES];
    /* while drawing */
    int busy[FILES]; /* index of the operation under way, or -1 */
    int view[FILES], buffer[FILES], synchronised[FILES];
} plan;

void plan_draw(plan *plan, uint64_t seed, int ranks);

int is_write(kind kind);
int is_nonblocking_collective(kind kind);
/* Offset in the rank's view, and in the file of byte i of its data. */
int view_offset(const plan *plan, const op *op, int rank);
int file_offset(const plan *plan, const op *op, int rank, int i);
unsigned char data_at(const plan *plan, const op *op, int offset);

#endif /* MIXED_H */
