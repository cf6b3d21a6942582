/*
 * Whether what a process sends is a spool, as it comes, in pieces of any size.  The content of
 * blocks is not looked at: importers do that.  Nothing is kept but the head.
 */

#ifndef COLLECT_CHECK_H
#define COLLECT_CHECK_H

#include <stddef.h>
#include <stdint.h>

#ifndef ATW_SPOOL_MAGIC /* it has no guard of its own */
#include "formats/spool_blocks.h"
#endif

typedef enum check_status {
    CHECK_MORE,   /* all is right so far */
    CHECK_QUERY,  /* the head asks for statistics */
    CHECK_HEALTH, /* what follows the head is no spool, but health */
    CHECK_END,    /* the block END was the last; nothing may follow */
    CHECK_WRONG
} check_status;

typedef struct check {
    check_status status;
    const char *problem; /* CHECK_WRONG */
    uint64_t taken;      /* bytes */
    uint64_t whole;      /* of these, up to the end of the last whole block */
    uint64_t rest;       /* of the block's content and padding */
    size_t known;        /* bytes of head or block header below */
    uint32_t kind;       /* of the block */
    atw_spool_head head; /* whole once taken is larger than its size */
    char header[sizeof(atw_spool_block)];
} check;

/* All zero is the beginning.  uid: who sends it.  Returns how many of the bytes are right. */
size_t check_take(check *c, uint32_t uid, const char *bytes, size_t count);

#endif /* COLLECT_CHECK_H */
