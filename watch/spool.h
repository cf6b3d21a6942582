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

/* A head of this process, now.  rank, ranks: -1 and 0 if not known. */
atw_spool_head atw_spool_head_new(int rank, int ranks);

/* The descriptor is one that programs do not use, and is closed by exec.  spool_p is set in any
 * case. */
bool atw_spool_create(const char *folder, uint64_t limit, const atw_spool_head *head,
                      atw_spool *spool_p);

/* Goes on with a file that has this head and that nobody writes any more, after so many bytes of
 * it; waits up to a tenth of a second for whoever did.  spool_p is set in any case. */
bool atw_spool_take_over(const char *path, uint64_t limit, const atw_spool_head *head,
                         uint64_t size, atw_spool *spool_p);

/* A descriptor that programs do not use in place of fd. */
int atw_spool_move_up(int fd);

/* The content is in two parts, of which the second may be empty.  false: no room on the disk or
 * below the limit, or the file is gone. */
bool atw_spool_put(atw_spool *spool, enum atw_spool_kind kind, uint32_t thread, const void *first,
                   size_t first_bytes, const void *second, size_t second_bytes);

/* Blocks, as they are in a spool. */
bool atw_spool_append(atw_spool *spool, const void *blocks, size_t bytes);

/* Back to a size that it had. */
void atw_spool_cut(atw_spool *spool, uint64_t size);

/* Without a word to the system: the descriptor is somebody else's, or the process ends. */
void atw_spool_close(atw_spool *spool);

#endif /* ATW_SPOOL_H */
