/* A spool that is written: whole blocks, or nothing of them. */

#ifndef ATW_SPOOL_H
#define ATW_SPOOL_H

#include <limits.h>
#include <sys/types.h>

#include "atw.h"

/* Bytes of a spool for its last blocks. */
enum { ATW_SPOOL_RESERVE = 4096 };

typedef struct atw_spool {
    int fd; /* -1: none */
    uint64_t size, limit;
    dev_t device; /* what the descriptor must lead to */
    ino_t inode;
    char path[PATH_MAX];
} atw_spool;

/* rank, ranks: -1 and 0 if not known.  The descriptor is one that programs do not use, and is
 * closed by exec.  spool_p is set in any case. */
bool atw_spool_create(const char *folder, uint64_t limit, int rank, int ranks, atw_spool *spool_p);

/* The content is in two parts, of which the second may be empty.  false: no room on the disk or
 * below the limit, or the file is gone. */
bool atw_spool_put(atw_spool *spool, enum atw_spool_kind kind, uint32_t thread, const void *first,
                   size_t first_bytes, const void *second, size_t second_bytes);

/* Back to a size that it had. */
void atw_spool_cut(atw_spool *spool, uint64_t size);

/* Without a word to the system: the descriptor is somebody else's, or the process ends. */
void atw_spool_close(atw_spool *spool);

#endif /* ATW_SPOOL_H */
