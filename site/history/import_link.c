/* What spools say of the processes that left records. */

#include <stdint.h>

#include "import_inside.h"

#include <stdlib.h>
#include <string.h>

/* A process that was there when the file was opened: it has done something since.  Numbers of
 * processes come again: the latest. */
#define OF_RECORD                                                                                  \
    "FROM process p WHERE p.host = record.host AND p.pid = record.pid AND "                        \
    "p.started + p.began / 1e9 <= record.started + 1 AND "                                         \
    "p.started + p.lasted / 1e9 >= record.started - 1"

/* --- names that are relative */

typedef struct relative {
    int64_t record;
    char *path;
} relative;

typedef struct relatives {
    relative *at;
    size_t count, room;
} relatives;

static ath_status keep(const ath_cell *cells, int count, void *context)
{
    relatives *all = context;
    const char *name = cells[1].type == ATH_TEXT ? cells[1].text : "";
    const char *directory = cells[2].type == ATH_TEXT ? cells[2].text : "";
    char *path;

    (void) count;
    if (all->count == all->room) {
        size_t room = all->room > 0 ? 2 * all->room : 64;
        relative *at = realloc(all->at, room * sizeof(*at));

        if (at == NULL)
            return ATH_NO_MEMORY;
        all->at = at;
        all->room = room;
    }
    path = import_path(directory, name, strlen(name));
    if (path == NULL)
        return ATH_NO_MEMORY;
    all->at[all->count++] = (relative){cells[0].integer, path};
    return ATH_OK;
}

static ath_status set_file(ath_database *database, const relative *r, atm_message *message)
{
    int64_t file;
    ath_status status = import_file(database, r->path, message, &file);
    ath_cell cells[] = {ath_integer(file), ath_integer(r->record)};

    return status == ATH_OK
               ? ath_run(database, "UPDATE record SET file = $1 WHERE id = $2", cells, 2, message)
               : status;
}

static ath_status resolve(ath_database *database, atm_message *message)
{
    relatives all = {.at = NULL};
    ath_status status =
        ath_query(database,
                  "SELECT r.id, r.path, r.directory FROM (SELECT record.id, f.path, (SELECT "
                  "p.directory " OF_RECORD " ORDER BY p.started DESC LIMIT 1) AS directory FROM "
                  "record JOIN file f ON f.id = record.file WHERE f.path NOT LIKE '/%') AS r WHERE "
                  "r.directory LIKE '/%'",
                  NULL, 0, keep, &all, message);

    for (size_t i = 0; i < all.count; i++) {
        if (status == ATH_OK && all.at[i].path[0] == '/')
            status = set_file(database, &all.at[i], message);
        free(all.at[i].path);
    }
    free(all.at);
    return status;
}

ath_status ath_import_link(ath_database *database, atm_message *message)
{
    ath_status status = ath_begin(database, message);

    if (status == ATH_OK)
        status = ath_run(database,
                         "UPDATE record SET program = (SELECT p.program " OF_RECORD
                         " ORDER BY p.started DESC LIMIT 1) WHERE program = '' AND "
                         "EXISTS (SELECT 1 " OF_RECORD ")",
                         NULL, 0, message);
    if (status == ATH_OK)
        status = resolve(database, message);
    if (status == ATH_OK)
        return ath_commit(database, message);
    ath_rollback(database);
    return status;
}
