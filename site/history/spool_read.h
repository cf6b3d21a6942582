/*
 * Spools of libautotune-watch.so (models/formats/spool_blocks.h), block by block.
 *
 * A last block that is cut off is passed over: the process was killed, or is still writing.
 * Anything else that is wrong is ATH_BAD_FILE, with the file and the byte where it is.
 */

#ifndef ATH_SPOOL_READ_H
#define ATH_SPOOL_READ_H

#include "history.h"
#include "formats/spool_blocks.h"

typedef struct ath_spool ath_spool;

/* A block, or a part of one that has many activities. */
typedef struct ath_block {
    uint32_t kind, thread;
    uint64_t at;         /* byte of the file where the content begins */
    uint64_t end;        /* byte where the block ends, with what it is padded with */
    size_t length;       /* of the content */
    const void *content; /* until the next call; for any type, with a 0 behind it */
} ath_block;

/* The caller closes it; NULL is fine. */
ath_status ath_spool_open(const char *path, atm_message *message, ath_spool **spool_p);
void ath_spool_close(ath_spool *spool);

const atw_spool_head *ath_spool_head(const ath_spool *spool);
/* Bytes of the file when it was opened. */
uint64_t ath_spool_size(const ath_spool *spool);
uint32_t ath_spool_owner(const ath_spool *spool);
const char *ath_spool_path(const ath_spool *spool);
/* The first block is next again. */
void ath_spool_rewind(ath_spool *spool);

/* False at the end: of the file, or before a block that is cut off. */
ath_status ath_spool_next(ath_spool *spool, atm_message *message, bool *more_p, ath_block *block_p);

/* "FILE: byte N: ..." */
ath_status ath_spool_complain(const ath_spool *spool, uint64_t at, atm_message *message,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Whether a file begins as a spool does; false also if it cannot be read. */
bool ath_is_spool(const char *path);

#endif /* ATH_SPOOL_READ_H */
