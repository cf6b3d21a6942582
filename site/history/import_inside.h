/* What the files import_*.c share. */

#ifndef ATH_IMPORT_INSIDE_H
#define ATH_IMPORT_INSIDE_H

#include "import.h"
#include "spool_read.h"

/* The id of a row, which is made if it is not there. */
ath_status import_file(ath_database *database, const char *path, atm_message *message,
                       int64_t *id_p);
ath_status import_call(ath_database *database, const char *layer, const char *name,
                       atm_message *message, int64_t *id_p);

/* --- import_path.c: one name for each file */

/* The name from the root, without a driver's prefix, "." and "..", of one that was used in a
 * directory (NULL or "": not known).  What is no name of a file stays.  Clean; free it, NULL
 * without memory. */
char *import_path(const char *directory, const char *name, size_t length);

/* --- import_facts.c: what the text blocks of a spool say */

typedef struct import_facts {
    char *program, *arguments, *host, *user, *job, *directory; /* clean; NULL: not said */
    int64_t rank, ranks;
} import_facts;

void import_facts_clear(import_facts *facts);
/* Replaces the facts by those of a later block. */
ath_status import_facts_read(const ath_spool *spool, const ath_block *block, atm_message *message,
                             import_facts *facts);

/* Ids of calls by their index in the spool; free it. */
ath_status import_calls_read(ath_database *database, const ath_spool *spool, const ath_block *block,
                             atm_message *message, int64_t **calls_p, size_t *count_p);

/* --- import_limits.c */

typedef struct import_room {
    const ath_import_limits *limits;
    const ath_database *database;
    int64_t size;  /* of the database when it was looked at, */
    uint64_t disk; /* what was free then, */
    bool knows_disk;
    uint64_t taken; /* and what was added since */
} import_room;

ath_status import_room_of(ath_database *database, const ath_import_limits *limits,
                          atm_message *message, import_room *room_p);
/* Takes a file's bytes from the room; ATH_NO_ROOM if they exceed it. */
ath_status import_room_take(import_room *room, const char *path, uint64_t bytes,
                            atm_message *message);
/* The same for a user's limit, without taking them; */
ath_status import_user_check(ath_database *database, const ath_import_limits *limits, uint32_t uid,
                             const char *path, uint64_t bytes, atm_message *message);
/* adds them to what the user has. */
ath_status import_user_add(ath_database *database, uint32_t uid, uint64_t bytes,
                           atm_message *message);

/* --- sums of what a spool says never wrap around */

#define IMPORT_MOST (INT64_C(1) << 61)

static inline int64_t import_add(int64_t sum, uint64_t more)
{
    return more < (uint64_t) IMPORT_MOST && sum < IMPORT_MOST - (int64_t) more
               ? sum + (int64_t) more
               : IMPORT_MOST;
}

/* --- import_uses.c: sums by file and call */

typedef struct import_use {
    int64_t file, call; /* call 0: no entry */
    int64_t activities, bytes, busy, errors;
} import_use;

typedef struct import_uses {
    import_use *entries;
    size_t size, count; /* size: a power of two, or 0 */
} import_uses;

/* The entry, valid until the next one is asked for; NULL without memory. */
import_use *import_use_of(import_uses *uses, int64_t file, int64_t call);
ath_status import_uses_store(ath_database *database, int64_t process, const import_uses *uses,
                             atm_message *message);
void import_uses_clear(import_uses *uses);

/* --- import_process.c: the rows of a spool and of its process */

typedef struct import_job {
    ath_database *database;
    ath_spool *spool;
    atm_message *message;
    const char *path;
    const ath_import_limits *limits;
    int64_t source, process;
    uint64_t before; /* bytes of it that were imported earlier */
    uint64_t after;  /* and after this */
    bool whole;      /* its last block is there */
    import_facts facts;
    int64_t *calls;
    size_t call_count;
    int64_t *files; /* ids by number; 0: no such number */
    size_t file_count;
    import_uses uses;
    int surveys; /* of the spool, with those that were left out */
    uint64_t survey_bytes;
    int64_t activities, dropped; /* of the process, since it began */
    int64_t began, lasted;       /* first and last moment of activities, ns since `monotonic` */
    int64_t new_activities, new_dropped;
} import_job;

/* Stores a survey, or leaves it out and says why in the message. */
ath_status import_survey(import_job *j, const ath_block *block, bool is_new);

/* Checks that a spool belongs to the user that it names, or to whoever imports it. */
ath_status import_check_owner(const import_job *j);
/* What is known of it: source and process are 0 if it is new, process alone if it was pruned. */
ath_status import_find_source(import_job *j);
/* The rows, empty... */
ath_status import_make_process(import_job *j);
/* ...and what they say in the end. */
ath_status import_store_process(import_job *j);

#endif /* ATH_IMPORT_INSIDE_H */
