/* The rows of a spool and of its process. */

#include <stdint.h>

#include "import_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files/user.h"

/* --- rows that are made once */

static ath_status find_or_make(ath_database *database, const char *find, const char *make,
                               const ath_cell *cells, int count, atm_message *message,
                               int64_t *id_p)
{
    int64_t id = 0;
    ath_status status = ath_query_integer(database, find, cells, count, message, &id);

    if (status == ATH_OK && id == 0)
        status = ath_run(database, make, cells, count, message);
    if (status == ATH_OK && id == 0)
        status = ath_query_integer(database, find, cells, count, message, &id);
    if (status == ATH_OK)
        *id_p = id;
    return status;
}

ath_status import_file(ath_database *database, const char *path, atm_message *message,
                       int64_t *id_p)
{
    ath_cell cell = ath_text(path);

    return find_or_make(database, "SELECT id FROM file WHERE path = $1",
                        "INSERT INTO file (path) VALUES ($1)", &cell, 1, message, id_p);
}

ath_status import_call(ath_database *database, const char *layer, const char *name,
                       atm_message *message, int64_t *id_p)
{
    ath_cell cells[] = {ath_text(layer), ath_text(name)};

    return find_or_make(database, "SELECT id FROM call WHERE layer = $1 AND name = $2",
                        "INSERT INTO call (layer, name) VALUES ($1, $2)", cells, 2, message, id_p);
}

/* --- who it is of */

ath_status import_check_owner(const import_job *j)
{
    uint32_t said = ath_spool_head(j->spool)->uid, owner = ath_spool_owner(j->spool);

    if (said == owner || owner == (uint32_t) geteuid())
        return ATH_OK;
    return ath_complain(ATH_BAD_FILE, j->message,
                        "%.128s: says that it is of user %u, but belongs to user %u", j->path, said,
                        owner);
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static const char *without_folders(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

enum { USER_NAME = 256 };

/* What a spool says may be anything: its owner is believed, and only where nobody here has that
 * number, the spool. */
static const char *user_name(const import_job *j, char name[USER_NAME])
{
    return atm_user_find(ath_spool_head(j->spool)->uid, USER_NAME, name) ? name
                                                                         : or_empty(j->facts.user);
}

/* --- the process */

typedef struct earlier {
    int64_t id, bytes, process, activities, dropped, began, lasted;
} earlier;

static ath_status keep_earlier(const ath_cell *cells, int count, void *context)
{
    (void) count;
    *(earlier *) context =
        (earlier){cells[0].integer, cells[1].integer, cells[2].integer, cells[3].integer,
                  cells[4].integer, cells[5].integer, cells[6].integer};
    return ATH_OK;
}

ath_status import_find_source(import_job *j)
{
    char identity[32] = "";
    ath_cell cell = ath_text(identity);
    earlier found = {0};
    ath_status status;

    snprintf(identity, sizeof(identity), "%016llx",
             (unsigned long long) ath_spool_head(j->spool)->unique);
    status = ath_query(
        j->database,
        "SELECT s.id, s.bytes, p.id, p.activities, p.dropped, p.began, "
        "p.lasted FROM source s LEFT JOIN process p ON p.source = s.id WHERE s.identity = $1",
        &cell, 1, keep_earlier, &found, j->message);
    j->source = found.id;
    j->process = found.process;
    j->before = (uint64_t) found.bytes;
    j->activities = found.activities;
    j->dropped = found.dropped;
    j->began = found.began;
    j->lasted = found.lasted;
    return status;
}

static ath_status make_source(import_job *j)
{
    char identity[32] = "";
    ath_cell cells[] = {ath_text(identity), ath_text("")};
    ath_status status;

    snprintf(identity, sizeof(identity), "%016llx",
             (unsigned long long) ath_spool_head(j->spool)->unique);
    status = ath_run(j->database,
                     "INSERT INTO source (identity, name, bytes, whole, imported) "
                     "VALUES ($1, $2, 0, 0, 0)",
                     cells, 2, j->message);
    if (status == ATH_OK)
        status = ath_query_integer(j->database, "SELECT id FROM source WHERE identity = $1", cells,
                                   1, j->message, &j->source);
    return status;
}

ath_status import_make_process(import_job *j)
{
    const atw_spool_head *head = ath_spool_head(j->spool);
    ath_cell cells[] = {ath_integer(j->source), ath_integer(head->pid), ath_integer(head->uid),
                        ath_real((double) head->realtime / 1e9),
                        ath_integer((int64_t) head->monotonic)};
    ath_status status = make_source(j);

    cells[0].integer = j->source;
    if (status == ATH_OK)
        status = ath_run(j->database,
                         "INSERT INTO process (source, pid, uid, started, monotonic, host, "
                         "username, program, arguments, job, rank, ranks, activities, dropped, "
                         "began, lasted) VALUES ($1, $2, $3, $4, $5, '', '', '', '', '', -1, 0, 0, "
                         "0, 0, 0)",
                         cells, 5, j->message);
    if (status == ATH_OK)
        status = ath_query_integer(j->database, "SELECT id FROM process WHERE source = $1", cells,
                                   1, j->message, &j->process);
    return status;
}

static ath_status store_process(import_job *j)
{
    char user[USER_NAME];
    ath_cell cells[] = {ath_text(or_empty(j->facts.host)),
                        ath_text(user_name(j, user)),
                        ath_text(without_folders(or_empty(j->facts.program))),
                        ath_text(or_empty(j->facts.arguments)),
                        ath_text(or_empty(j->facts.job)),
                        ath_integer(j->facts.rank),
                        ath_integer(j->facts.ranks),
                        ath_integer(j->activities),
                        ath_integer(j->dropped),
                        ath_integer(j->began),
                        ath_integer(j->lasted),
                        ath_text(or_empty(j->facts.directory)),
                        ath_integer(j->process)};

    return ath_run(j->database,
                   "UPDATE process SET host = $1, username = $2, program = $3, arguments = $4, "
                   "job = $5, rank = $6, ranks = $7, activities = $8, dropped = $9, began = $10, "
                   "lasted = $11, directory = $12 WHERE id = $13",
                   cells, 13, j->message);
}

static ath_status store_source(import_job *j)
{
    char *name = ath_clean(j->path, strlen(j->path));
    ath_cell cells[] = {ath_text(name), ath_integer((int64_t) j->after), ath_integer(j->whole),
                        ath_real((double) time(NULL)), ath_integer(j->source)};
    ath_status status = ATH_NO_MEMORY;

    if (name != NULL)
        status = ath_run(j->database,
                         "UPDATE source SET name = $1, bytes = $2, whole = $3, imported = $4 "
                         "WHERE id = $5",
                         cells, 5, j->message);
    free(name);
    return status;
}

ath_status import_store_process(import_job *j)
{
    ath_status status = store_process(j);

    return status == ATH_OK ? store_source(j) : status;
}
