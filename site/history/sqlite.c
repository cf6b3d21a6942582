/* SQLite: a history in one file, on a local disk. */

#include "back_end.h"
#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    STATEMENTS = 32,      /* prepared ones that are kept, by the address of their text */
    COLUMNS = 32,         /* of a result */
    ROWS = 16,            /* of an insert of many */
    PATIENCE = 60 * 1000, /* ms that one waits for another writer */
    LOOK = 10000,         /* steps of SQLite's machine between looks at the clock: under 1 ms */
    MARK = 0x41544849     /* application_id: "ATHI" */
};

typedef struct prepared {
    const char *sql;
    sqlite3_stmt *statement;
} prepared;

typedef struct connection {
    sqlite3 *handle;
    char *path;
    prepared kept[STATEMENTS];
    int next;                       /* of these, to be replaced */
    sqlite3_stmt *load, *load_last; /* inserts of ROWS rows, and of one */
    int columns, rows;              /* of it, and bound so far */
    int64_t *waiting;               /* the same rows, for the last ones */
    double seconds;                 /* that a statement may take; 0: any */
    double deadline;                /* of the one that runs */
} connection;

static ath_status complain(const connection *c, int code, atm_message *message)
{
    ath_status status = code == SQLITE_NOMEM                                 ? ATH_NO_MEMORY
                        : code == SQLITE_NOTADB                              ? ATH_BAD_FILE
                        : code == SQLITE_INTERRUPT                           ? ATH_TOO_LONG
                        : code == SQLITE_CANTOPEN || code == SQLITE_READONLY ? ATH_NO_ACCESS
                                                                             : ATH_DATABASE;

    return ath_complain(status, message, "%.128s: %.96s", c->path,
                        code == SQLITE_NOTADB ? "is no history" : sqlite3_errmsg(c->handle));
}

/* --- statements */

static int is_late(void *connection_)
{
    const connection *c = connection_;

    return clock_steady() > c->deadline;
}

static ath_status limit(void *connection_, double seconds, atm_message *message)
{
    connection *c = connection_;

    (void) message;
    c->seconds = seconds;
    sqlite3_busy_timeout(c->handle, (int) (seconds * 1000));
    sqlite3_progress_handler(c->handle, LOOK, is_late, c);
    return ATH_OK;
}

/* Most statements are literals: the address finds them, the text makes sure. */
static int prepare(connection *c, const char *sql, bool keep, sqlite3_stmt **statement_p)
{
    int code;

    for (int i = 0; keep && i < STATEMENTS; i++)
        if (c->kept[i].sql == sql && strcmp(sqlite3_sql(c->kept[i].statement), sql) == 0) {
            *statement_p = c->kept[i].statement;
            return SQLITE_OK;
        }
    code = sqlite3_prepare_v2(c->handle, sql, -1, statement_p, NULL);
    if (code == SQLITE_OK && keep) {
        prepared *at = &c->kept[c->next++ % STATEMENTS];

        sqlite3_finalize(at->statement);
        *at = (prepared){sql, *statement_p};
    }
    return code;
}

static int bind(sqlite3_stmt *statement, const ath_cell *cells, int count)
{
    int code = SQLITE_OK;

    for (int i = 0; code == SQLITE_OK && i < count; i++) {
        const ath_cell *cell = &cells[i];

        if (cell->type == ATH_INTEGER)
            code = sqlite3_bind_int64(statement, i + 1, cell->integer);
        else if (cell->type == ATH_REAL)
            code = sqlite3_bind_double(statement, i + 1, cell->real);
        else if (cell->type == ATH_TEXT)
            code = sqlite3_bind_text(statement, i + 1, cell->text, -1, SQLITE_STATIC);
    }
    return code;
}

static ath_cell cell_of(sqlite3_stmt *statement, int column)
{
    switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER:
            return ath_integer(sqlite3_column_int64(statement, column));
        case SQLITE_FLOAT:
            return ath_real(sqlite3_column_double(statement, column));
        case SQLITE_TEXT:
            return ath_text((const char *) sqlite3_column_text(statement, column));
        default:
            return (ath_cell){.type = ATH_NULL};
    }
}

static ath_status hand_over(sqlite3_stmt *statement, ath_row row, void *context)
{
    ath_cell cells[COLUMNS];
    int count = sqlite3_column_count(statement);

    count = count < COLUMNS ? count : COLUMNS;
    for (int i = 0; i < count; i++)
        cells[i] = cell_of(statement, i);
    return row != NULL ? row(cells, count, context) : ATH_OK;
}

static ath_status query(void *connection_, const char *sql, const ath_cell *cells, int count,
                        ath_row row, void *context, atm_message *message)
{
    connection *c = connection_;
    bool keep = count > 0; /* those without parameters are run once */
    sqlite3_stmt *statement = NULL;
    int code = prepare(c, sql, keep, &statement);
    ath_status status = ATH_OK;

    c->deadline = clock_steady() + c->seconds;
    if (code == SQLITE_OK)
        code = bind(statement, cells, count);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW && (status = hand_over(statement, row, context)) != ATH_OK)
            break;
    }
    if (status == ATH_OK && code != SQLITE_DONE)
        status = complain(c, code, message);
    if (keep)
        sqlite3_reset(statement);
    else
        sqlite3_finalize(statement);
    return status;
}

/* --- many rows */

static void put_list(FILE *out, int count, const char *const *words)
{
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "(", words != NULL ? words[i] : "?");
    fputs(")", out);
}

static int prepare_insert(connection *c, const char *table, const char *const *columns, int count,
                          int rows, sqlite3_stmt **statement_p)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int code = SQLITE_NOMEM;

    if (out == NULL)
        return code;
    fprintf(out, "INSERT INTO %s ", table);
    put_list(out, count, columns);
    for (int i = 0; i < rows; i++) {
        fputs(i > 0 ? ", " : " VALUES ", out);
        put_list(out, count, NULL);
    }
    if (fclose(out) == 0)
        code = sqlite3_prepare_v2(c->handle, text, -1, statement_p, NULL);
    free(text);
    return code;
}

static ath_status load_start(void *connection_, const char *table, const char *const *columns,
                             int count, atm_message *message)
{
    connection *c = connection_;
    int code = prepare_insert(c, table, columns, count, ROWS, &c->load);

    if (code == SQLITE_OK)
        code = prepare_insert(c, table, columns, count, 1, &c->load_last);
    c->columns = count;
    c->rows = 0;
    c->waiting = malloc((size_t) count * ROWS * sizeof(*c->waiting));
    if (c->waiting == NULL)
        code = SQLITE_NOMEM;
    return code == SQLITE_OK ? ATH_OK : complain(c, code, message);
}

static ath_status insert(connection *c, sqlite3_stmt *statement, const int64_t *integers, int count,
                         atm_message *message)
{
    int code;

    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(statement, i + 1, integers[i]);
    code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? ATH_OK : complain(c, code, message);
}

/* A statement costs about as much as a row does. */
static ath_status load_row(void *connection_, const int64_t *integers, atm_message *message)
{
    connection *c = connection_;

    memcpy(c->waiting + c->rows * c->columns, integers, (size_t) c->columns * sizeof(*integers));
    if (++c->rows < ROWS)
        return ATH_OK;
    c->rows = 0;
    return insert(c, c->load, c->waiting, ROWS * c->columns, message);
}

static void load_clear(connection *c)
{
    sqlite3_finalize(c->load);
    sqlite3_finalize(c->load_last);
    free(c->waiting);
    c->load = c->load_last = NULL;
    c->waiting = NULL;
}

static ath_status load_end(void *connection_, atm_message *message)
{
    connection *c = connection_;
    ath_status status = ATH_OK;

    for (int i = 0; status == ATH_OK && i < c->rows; i++)
        status = insert(c, c->load_last, c->waiting + i * c->columns, c->columns, message);
    load_clear(c);
    return status;
}

static bool free_space(void *connection_, uint64_t *bytes_p)
{
    const connection *c = connection_;
    struct statvfs disk;

    if (statvfs(c->path, &disk) != 0)
        return false;
    *bytes_p = (uint64_t) disk.f_bavail * disk.f_frsize;
    return true;
}

/* --- opening */

static void close_file(void *connection_)
{
    connection *c = connection_;

    load_clear(c);
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(c->kept[i].statement);
    sqlite3_close(c->handle);
    free(c->path);
    free(c);
}

/* All folders on the way that are missing, for the user alone. */
static bool make_folders(const char *path)
{
    char *copy = strdup(path);
    bool made = copy != NULL;

    for (char *slash = made ? strchr(copy + 1, '/') : NULL; made && slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = mkdir(copy, 0700) == 0 || errno == EEXIST;
        *slash = '/';
    }
    free(copy);
    return made;
}

/* What jobs did is nobody else's business, whatever the umask is. */
static ath_status make_file(const char *path, atm_message *message)
{
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

    if (file < 0 && errno == ENOENT && make_folders(path))
        file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0 && errno != EEXIST)
        return ath_complain(ATH_NO_ACCESS, message, "%.128s: cannot be made: %s", path,
                            strerror(errno));
    if (file >= 0)
        close(file);
    return ATH_OK;
}

static ath_status keep_mark(const ath_cell *cells, int count, void *context)
{
    if (count > 0)
        *(int64_t *) context = cells[0].integer;
    return ATH_OK;
}

/* A database of somebody else's stays as it is. */
static ath_status check_mark(connection *c, ath_mode mode, atm_message *message)
{
    int64_t mark = 0, tables = 0;
    ath_status status = query(c, "PRAGMA application_id", NULL, 0, keep_mark, &mark, message);

    if (status == ATH_OK)
        status =
            query(c, "SELECT count(*) FROM sqlite_master", NULL, 0, keep_mark, &tables, message);
    if (status != ATH_OK || mark == MARK)
        return status;
    if (mark != 0 || tables > 0 || mode == ATH_READ)
        return ath_complain(ATH_BAD_FILE, message, "%.128s: is no history", c->path);
    return query(c, "PRAGMA application_id = 1096042569", NULL, 0, NULL, NULL, message);
}

/* Readers do not wait for the writer nor it for them.  What was committed survives a crash of the
 * program; after one of the machine the last spools may be missing, and are imported again. */
static ath_status set_up(connection *c, ath_mode mode, atm_message *message)
{
    static const char *const pragmas[] = {
        "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA cache_size = -65536",
        "PRAGMA wal_autocheckpoint = 16384", "PRAGMA temp_store = MEMORY"};
    ath_status status = check_mark(c, mode, message);

    for (size_t i = 0; mode == ATH_WRITE && i < sizeof(pragmas) / sizeof(pragmas[0]); i++)
        if (status == ATH_OK)
            status = query(c, pragmas[i], NULL, 0, NULL, NULL, message);
    return status;
}

static ath_status open_file(const char *address, ath_mode mode, atm_message *message,
                            void **connection_p)
{
    connection *c = calloc(1, sizeof(*c));
    ath_status status = ATH_NO_MEMORY;
    int code, flags = mode == ATH_WRITE ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;

    if (c != NULL && (c->path = strdup(address)) != NULL)
        status = mode == ATH_WRITE ? make_file(address, message) : ATH_OK;
    if (status == ATH_OK && access(address, F_OK) != 0)
        status = ath_complain(ATH_NO_ACCESS, message,
                              "%.128s: is not there; autotune history import makes it", address);
    if (status == ATH_OK) {
        code = sqlite3_open_v2(address, &c->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
        status = code == SQLITE_OK ? ATH_OK : complain(c, code, message);
    }
    if (status == ATH_OK) {
        sqlite3_busy_timeout(c->handle, PATIENCE);
        status = set_up(c, mode, message);
    }
    if (status == ATH_OK)
        *connection_p = c;
    else if (c != NULL)
        close_file(c);
    return status;
}

/* Any name of a file; but a mistyped address of a server is shown to nobody as one. */
static bool is_file(const char *address)
{
    return strstr(address, "://") == NULL && strcasestr(address, "password") == NULL;
}

const ath_back_end ath_sqlite = {
    .name = "SQLite",
    .takes = is_file,
    .shown = strdup,
    .key = "INTEGER PRIMARY KEY",
    .integer = "INTEGER",
    .real = "REAL",
    .begin = "BEGIN IMMEDIATE",
    .has_table = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = $1",
    .size = "SELECT (c.page_count - f.freelist_count) * s.page_size FROM pragma_page_count() c, "
            "pragma_freelist_count() f, pragma_page_size() s",
    .open = open_file,
    .close = close_file,
    .query = query,
    .load_start = load_start,
    .load_row = load_row,
    .load_end = load_end,
    .limit = limit,
    .free_space = free_space,
};
