/* A spool: what one process did, as blocks.  Numbers are in the byte order of the machine that
 * wrote it; a reader refuses another. */

#ifndef ATW_SPOOL_FORMAT_H
#define ATW_SPOOL_FORMAT_H

#include <stdint.h>

#define ATW_SPOOL_MAGIC "ATWSPOOL"
enum { ATW_SPOOL_VERSION = 1, ATW_SPOOL_ORDER = 0x01020304 };

typedef struct atw_spool_head { /* 64 bytes, once */
    char magic[8];
    uint32_t version, order;
    uint64_t realtime, monotonic; /* ns, of the same moment: when the process was started */
    uint32_t pid, uid;
    int32_t rank, ranks; /* -1, 0: not an MPI program, or not known yet */
    uint64_t unique;     /* random: the same spool imported twice is known by it */
    uint64_t reserved;
} atw_spool_head;

typedef struct atw_spool_block { /* 16 bytes before each block's content; content is padded with
                                    zeros to 8 bytes */
    uint32_t kind, thread;       /* thread: number from 0 in the order of first use */
    uint64_t bytes;              /* of the content without padding */
} atw_spool_block;

enum atw_spool_kind {
    ATW_BLOCK_FACTS = 1, /* JSON text: program, arguments, host, user, job (models/files/job.h),
                            rank, ranks, directory (that it began in); the last one counts */
    ATW_BLOCK_CALLS = 2, /* JSON text: [[name, layer], ...]; index is atw_activity.call; before the
                            first activities */
    ATW_BLOCK_FILE = 3,  /* uint32_t number, then the path's bytes */
    ATW_BLOCK_ACTIVITIES = 4, /* atw_activity[] of one thread, in the order of their ends */
    ATW_BLOCK_DROPPED =
        5, /* uint64_t: activities that found no room since the last block of this thread */
    ATW_BLOCK_SURVEY = 6, /* JSON text */
    ATW_BLOCK_END = 7     /* empty: the process ended in order */
};
typedef struct atw_activity { /* 64 bytes */
    uint64_t id;              /* thread << 40 | sequence from 1 */
    uint64_t parent;          /* id, or 0 */
    uint64_t start, end;      /* ns, monotonic clock */
    int64_t offset;           /* -1: none */
    uint64_t bytes;           /* done, not asked for; 0 */
    uint32_t file;            /* number of a FILE block, 0: none */
    uint16_t call;
    uint16_t flags; /* ATW_STARTS 1, ATW_COMPLETES 2: nonblocking; a completing one has the starting
                       one's id in parent */
    int32_t error;  /* errno, MPI error class, or 0 */
    uint32_t reserved;
} atw_activity;

#endif /* ATW_SPOOL_FORMAT_H */
