/* The file in which a collector says how its node is. */

#ifndef COLLECT_NEIGHBOURS_FILE_H
#define COLLECT_NEIGHBOURS_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct neighbours_said {
    int64_t sequence; /* grows with each time it is written */
    int64_t time;     /* seconds since 1970 */
    int64_t processes, slow;
    bool is_suspect, is_raised;
} neighbours_said;

enum { NEIGHBOURS_NAME = 128 }; /* bytes of a name */

/* Whole or not at all; *owner_p: the user that the file belongs to there.  False: errno says why.
 */
bool neighbours_file_write(const char *dir, const char *name, const neighbours_said *said,
                           uid_t *owner_p);

/* False: it is not to be believed. */
bool neighbours_file_read(const char *dir, const char *name, uid_t owner, neighbours_said *said_p);

#endif /* COLLECT_NEIGHBOURS_FILE_H */
