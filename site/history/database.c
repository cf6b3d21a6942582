/* Database: which one, and of which version. */

#include "back_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema.h"

struct ath_database {
    const ath_back_end *back_end;
    void *connection;
    bool writing; /* in a transaction */
    char *name;
};

/* --- addresses */

bool ath_default_address(size_t size, char *address_p)
{
    const char *named = getenv("ROMIO_AUTOTUNE_HISTORY"), *data = getenv("XDG_DATA_HOME"),
               *home = getenv("HOME");
    int length = 0;

    if (named != NULL && named[0] != '\0')
        length = snprintf(address_p, size, "%s", named);
    else if (data != NULL && data[0] == '/')
        length = snprintf(address_p, size, "%s/romio-autotune/history.db", data);
    else if (home != NULL && home[0] == '/')
        length = snprintf(address_p, size, "%s/.local/share/romio-autotune/history.db", home);
    return length > 0 && (size_t) length < size;
}

const char *ath_name(const ath_database *database)
{
    return database->name;
}

/* --- statements */

ath_status ath_limit(ath_database *database, double seconds, atm_message *message)
{
    return database->back_end->limit(database->connection, seconds, message);
}

ath_status ath_query(ath_database *database, const char *sql, const ath_cell *cells, int count,
                     ath_row row, void *context, atm_message *message)
{
    return database->back_end->query(database->connection, sql, cells, count, row, context,
                                     message);
}

ath_status ath_run(ath_database *database, const char *sql, const ath_cell *cells, int count,
                   atm_message *message)
{
    return ath_query(database, sql, cells, count, NULL, NULL, message);
}

typedef struct first_integer {
    bool found;
    int64_t integer;
} first_integer;

static ath_status keep_first(const ath_cell *cells, int count, void *context)
{
    first_integer *first = context;

    if (!first->found && count > 0 && cells[0].type == ATH_INTEGER)
        *first = (first_integer){true, cells[0].integer};
    return ATH_OK;
}

ath_status ath_query_integer(ath_database *database, const char *sql, const ath_cell *cells,
                             int count, atm_message *message, int64_t *integer_p)
{
    first_integer first = {false, 0};
    ath_status status = ath_query(database, sql, cells, count, keep_first, &first, message);

    if (status == ATH_OK && first.found)
        *integer_p = first.integer;
    return status;
}

ath_status ath_size(ath_database *database, atm_message *message, int64_t *bytes_p)
{
    return ath_query_integer(database, database->back_end->size, NULL, 0, message, bytes_p);
}

bool ath_free_space(const ath_database *database, uint64_t *bytes_p)
{
    return database->back_end->free_space != NULL &&
           database->back_end->free_space(database->connection, bytes_p);
}

ath_status ath_begin(ath_database *database, atm_message *message)
{
    ath_status status = ath_run(database, database->back_end->begin, NULL, 0, message);

    database->writing = status == ATH_OK;
    return status;
}

ath_status ath_commit(ath_database *database, atm_message *message)
{
    ath_status status = ath_run(database, "COMMIT", NULL, 0, message);

    if (status != ATH_OK)
        ath_rollback(database);
    database->writing = false;
    return status;
}

void ath_rollback(ath_database *database)
{
    if (database->writing)
        ath_run(database, "ROLLBACK", NULL, 0, NULL);
    database->writing = false;
}

ath_status ath_load_start(ath_database *database, const char *table, const char *const *columns,
                          int count, atm_message *message)
{
    return database->back_end->load_start(database->connection, table, columns, count, message);
}

ath_status ath_load_row(ath_database *database, const int64_t *integers, atm_message *message)
{
    return database->back_end->load_row(database->connection, integers, message);
}

ath_status ath_load_end(ath_database *database, atm_message *message)
{
    return database->back_end->load_end(database->connection, message);
}

/* --- versions */

/* 0: nothing is there yet */
static ath_status read_version(ath_database *database, atm_message *message, int64_t *version_p)
{
    ath_cell name = ath_text("history_version");
    int64_t tables = 0, version = 0;
    ath_status status =
        ath_query_integer(database, database->back_end->has_table, &name, 1, message, &tables);

    if (status == ATH_OK && tables > 0)
        status = ath_query_integer(database, "SELECT version FROM history_version", NULL, 0,
                                   message, &version);
    if (status == ATH_OK)
        *version_p = version;
    return status;
}

static ath_status run_step(ath_database *database, int version, int statement, atm_message *message)
{
    const ath_back_end *b = database->back_end;
    char *sql = ath_schema_statement(version, statement, b->key, b->integer, b->real);
    ath_status status = sql != NULL ? ath_run(database, sql, NULL, 0, message) : ATH_NO_MEMORY;

    free(sql);
    return status;
}

static ath_status migrate(ath_database *database, int64_t from, atm_message *message)
{
    ath_cell newest = ath_integer(ATH_SCHEMA_VERSION);
    ath_status status = ATH_OK;

    for (int version = (int) from + 1; version <= ATH_SCHEMA_VERSION; version++)
        for (int i = 0; status == ATH_OK && i < ath_schema_statements(version); i++)
            status = run_step(database, version, i, message);
    if (status == ATH_OK)
        status = ath_run(database, "DELETE FROM history_version", NULL, 0, message);
    if (status == ATH_OK)
        status = ath_run(database, "INSERT INTO history_version (version) VALUES ($1)", &newest, 1,
                         message);
    return status;
}

/* Looks again with no other writer about: two may have found it old. */
static ath_status bring_up(ath_database *database, atm_message *message)
{
    int64_t version = 0;
    ath_status status = ath_begin(database, message);

    if (status == ATH_OK)
        status = read_version(database, message, &version);
    if (status == ATH_OK && version < ATH_SCHEMA_VERSION)
        status = migrate(database, version, message);
    if (status == ATH_OK)
        return ath_commit(database, message);
    ath_rollback(database);
    return status;
}

static ath_status check_version(ath_database *database, ath_mode mode, atm_message *message)
{
    int64_t version = 0;
    ath_status status = read_version(database, message, &version);

    if (status != ATH_OK)
        return status;
    if (version > ATH_SCHEMA_VERSION)
        return ath_complain(ATH_NEWER, message,
                            "%.128s: is of version %lld, made by a newer romio-autotune; this one "
                            "knows up to %d",
                            database->name, (long long) version, ATH_SCHEMA_VERSION);
    if (version == ATH_SCHEMA_VERSION)
        return ATH_OK;
    if (mode == ATH_WRITE)
        return bring_up(database, message);
    if (version == 0)
        return ath_complain(ATH_BAD_FILE, message, "%.128s: is no history", database->name);
    return ath_complain(ATH_BAD_FILE, message,
                        "%.128s: is of the older version %lld; the next import brings it to %d",
                        database->name, (long long) version, ATH_SCHEMA_VERSION);
}

/* --- opening */

ath_status ath_open(const char *address, ath_mode mode, atm_message *message,
                    ath_database **database_p)
{
    const ath_back_end *back_end = ath_back_end_of(address, message);
    ath_database *database = back_end != NULL ? calloc(1, sizeof(*database)) : NULL;
    ath_status status = back_end != NULL ? ATH_NO_MEMORY : ATH_NO_ACCESS;

    if (database != NULL && (database->name = back_end->shown(address)) != NULL) {
        database->back_end = back_end;
        status = back_end->open(address, mode, message, &database->connection);
        if (status == ATH_OK)
            status = check_version(database, mode, message);
    }
    if (status == ATH_OK)
        *database_p = database;
    else
        ath_close(database);
    return status;
}

void ath_close(ath_database *database)
{
    if (database == NULL)
        return;
    if (database->connection != NULL)
        database->back_end->close(database->connection);
    free(database->name);
    free(database);
}
