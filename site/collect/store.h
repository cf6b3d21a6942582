/*
 * Files of users: DIR/UID/autotune-HOST-PID-UNIQUE.spool, of mode 0600, the user's own, in a folder
 * that is the collector's: users can read and write theirs, but make, rename and remove none.  If
 * somebody else imports them, that one's group can read them (0640).
 *
 * Used by one thread.
 */

#ifndef COLLECT_STORE_H
#define COLLECT_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector.h"

#ifndef ATW_SPOOL_MAGIC /* it has no guard of its own */
#include "formats/spool_blocks.h"
#endif

typedef struct store store;
typedef struct stored stored;

/* limit: bytes of each user's files; keep_free: bytes of the disk.  dir is made if it is not there,
 * and refused if others can write to it.  reader: kept.  NULL: said why.  The caller closes it;
 * NULL is fine. */
store *store_open(const char *dir, uint64_t limit, uint64_t keep_free, const collect_reader *reader,
                  bool sync);
void store_close(store *s);

/* An empty file for the spool with that head, with a lock of ours.  NULL: no room, or said why. */
stored *store_create(store *s, uid_t uid, gid_t gid, const atw_spool_head *head);
const char *stored_path(const stored *file);

/* false: no room for all of it; part of it may be there. */
bool stored_append(stored *file, const char *bytes, size_t count);
/* What was appended is on the disk. */
bool stored_sync(stored *file);
/* Cuts the file to that size and lets others write it; one without any block is removed. */
void stored_close(stored *file, uint64_t size);

/* Lets the reader read a file, if there is one. */
bool store_share(int fd, const collect_reader *reader);

/* Makes the folder and those it is in. */
bool make_folders(const char *path, mode_t mode);

#endif /* COLLECT_STORE_H */
