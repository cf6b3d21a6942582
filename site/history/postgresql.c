/* PostgreSQL: a history that several machines import to.  Compiled where libpq is. */

#include "back_end.h"

#include <arpa/inet.h>
#include <endian.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 32,
    NUMBER = 32,            /* characters of a number */
    CHUNK = 256 * 1024,     /* bytes of a COPY that are sent at once */
    ROW = 2 + COLUMNS * 12, /* bytes of a row of integers, at most */
};

/* Types of columns (pg_type.dat): what count() and sums of them give is numeric */
enum {
    OID_INT8 = 20,
    OID_INT2 = 21,
    OID_INT4 = 23,
    OID_FLOAT4 = 700,
    OID_FLOAT8 = 701,
    OID_NUMERIC = 1700
};

typedef struct connection {
    PGconn *handle;
    int columns; /* of a COPY */
    size_t used;
    char chunk[CHUNK];
} connection;

/* Its messages end in a newline and may have several lines. */
static ath_status complain(const connection *c, const char *said, atm_message *message)
{
    const char *database = PQdb(c->handle);

    return ath_complain(PQstatus(c->handle) == CONNECTION_OK ? ATH_DATABASE : ATH_NO_ACCESS,
                        message, "PostgreSQL %.64s: %.*s", database != NULL ? database : "",
                        (int) strcspn(said, "\n"), said);
}

/* 57014: query_canceled, which is what a statement_timeout does */
static ath_status refuse(const connection *c, const PGresult *result, atm_message *message)
{
    const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    ath_status status = complain(c, PQresultErrorMessage(result), message);

    return code != NULL && strcmp(code, "57014") == 0 ? ATH_TOO_LONG : status;
}

/* --- statements */

static void to_texts(const ath_cell *cells, int count, char numbers[][NUMBER], const char **texts_p)
{
    for (int i = 0; i < count; i++) {
        texts_p[i] = numbers[i];
        if (cells[i].type == ATH_INTEGER)
            snprintf(numbers[i], NUMBER, "%lld", (long long) cells[i].integer);
        else if (cells[i].type == ATH_REAL)
            snprintf(numbers[i], NUMBER, "%.17g", cells[i].real);
        else
            texts_p[i] = cells[i].type == ATH_TEXT ? cells[i].text : NULL;
    }
}

static ath_cell cell_of(const PGresult *result, int row, int column)
{
    const char *text = PQgetvalue(result, row, column);

    if (PQgetisnull(result, row, column))
        return (ath_cell){.type = ATH_NULL};
    switch (PQftype(result, column)) {
        case OID_INT2:
        case OID_INT4:
        case OID_INT8:
            return ath_integer(strtoll(text, NULL, 10));
        case OID_NUMERIC: /* the sum of integers */
            return strchr(text, '.') == NULL ? ath_integer(strtoll(text, NULL, 10))
                                             : ath_real(strtod(text, NULL));
        case OID_FLOAT4:
        case OID_FLOAT8:
            return ath_real(strtod(text, NULL));
        default:
            return ath_text(text);
    }
}

static ath_status hand_over(const PGresult *result, ath_row row, void *context)
{
    int count = PQnfields(result) < COLUMNS ? PQnfields(result) : COLUMNS;
    ath_status status = ATH_OK;
    ath_cell cells[COLUMNS];

    for (int i = 0; status == ATH_OK && i < PQntuples(result); i++) {
        for (int k = 0; k < count; k++)
            cells[k] = cell_of(result, i, k);
        status = row != NULL ? row(cells, count, context) : ATH_OK;
    }
    return status;
}

/* Row by row: a table of activities does not fit in memory.  All results are taken, also after a
 * failure, or the connection is of no further use. */
static ath_status take_results(connection *c, ath_row row, void *context, atm_message *message)
{
    ath_status status = ATH_OK;

    for (PGresult *result; (result = PQgetResult(c->handle)) != NULL; PQclear(result)) {
        ExecStatusType said = PQresultStatus(result);

        if (status != ATH_OK)
            continue;
        if (said == PGRES_SINGLE_TUPLE || said == PGRES_TUPLES_OK)
            status = hand_over(result, row, context);
        else if (said != PGRES_COMMAND_OK)
            status = refuse(c, result, message);
    }
    return status;
}

static ath_status query(void *connection_, const char *sql, const ath_cell *cells, int count,
                        ath_row row, void *context, atm_message *message)
{
    connection *c = connection_;
    char numbers[COLUMNS][NUMBER];
    const char *texts[COLUMNS];
    int sent;

    to_texts(cells, count, numbers, texts);
    /* several statements in one go are allowed only without parameters */
    sent = count > 0 ? PQsendQueryParams(c->handle, sql, count, NULL, texts, NULL, NULL, 0)
                     : PQsendQuery(c->handle, sql);
    if (!sent)
        return complain(c, PQerrorMessage(c->handle), message);
    PQsetSingleRowMode(c->handle);
    return take_results(c, row, context, message);
}

static ath_status limit(void *connection_, double seconds, atm_message *message)
{
    char sql[64];

    snprintf(sql, sizeof(sql), "SET statement_timeout = %.0f", seconds * 1000 + 1);
    return query(connection_, sql, NULL, 0, NULL, NULL, message);
}

/* --- many rows: COPY in its binary form */

static ath_status send_chunk(connection *c, atm_message *message)
{
    int sent = PQputCopyData(c->handle, c->chunk, (int) c->used);

    c->used = 0;
    return sent == 1 ? ATH_OK : complain(c, PQerrorMessage(c->handle), message);
}

static void put(connection *c, const void *bytes, size_t length)
{
    memcpy(c->chunk + c->used, bytes, length);
    c->used += length;
}

static char *copy_text(const char *table, const char *const *columns, int count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    fprintf(out, "COPY %s (", table);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", columns[i]);
    fputs(") FROM STDIN (FORMAT binary)", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static ath_status load_start(void *connection_, const char *table, const char *const *columns,
                             int count, atm_message *message)
{
    static const char head[19] = "PGCOPY\n\377\r\n"; /* its 0, no flags, no extension */
    connection *c = connection_;
    char *sql = copy_text(table, columns, count);
    PGresult *result = sql != NULL ? PQexec(c->handle, sql) : NULL;
    ath_status status = ATH_OK;

    if (sql == NULL)
        status = ATH_NO_MEMORY;
    else if (PQresultStatus(result) != PGRES_COPY_IN)
        status = complain(c, PQerrorMessage(c->handle), message);
    PQclear(result);
    free(sql);
    c->columns = count;
    c->used = 0;
    put(c, head, sizeof(head));
    return status;
}

static ath_status load_row(void *connection_, const int64_t *integers, atm_message *message)
{
    connection *c = connection_;
    ath_status status = c->used + ROW > CHUNK ? send_chunk(c, message) : ATH_OK;
    uint16_t columns = htons((uint16_t) c->columns);
    uint32_t length = htonl(8);

    put(c, &columns, sizeof(columns));
    for (int i = 0; i < c->columns; i++) {
        uint64_t number = htobe64((uint64_t) integers[i]);

        put(c, &length, sizeof(length));
        put(c, &number, sizeof(number));
    }
    return status;
}

static ath_status load_end(void *connection_, atm_message *message)
{
    connection *c = connection_;
    uint16_t end = 0xffff;
    ath_status status = c->used + ROW > CHUNK ? send_chunk(c, message) : ATH_OK;

    put(c, &end, sizeof(end));
    if (status == ATH_OK)
        status = send_chunk(c, message);
    if (PQputCopyEnd(c->handle, status == ATH_OK ? NULL : "given up") != 1 && status == ATH_OK)
        status = complain(c, PQerrorMessage(c->handle), message);
    if (status == ATH_OK)
        return take_results(c, NULL, NULL, message);
    take_results(c, NULL, NULL, NULL);
    return status;
}

/* --- addresses: all that libpq knows, postgresql://... and "host=... password=..." */

static bool is_address(const char *address)
{
    PQconninfoOption *options =
        strchr(address, '=') != NULL ? PQconninfoParse(address, NULL) : NULL;

    PQconninfoFree(options);
    return options != NULL || strncmp(address, "postgresql://", 13) == 0 ||
           strncmp(address, "postgres://", 11) == 0;
}

static const char *value_of(const PQconninfoOption *options, const char *name)
{
    for (; options->keyword != NULL; options++)
        if (strcmp(options->keyword, name) == 0 && options->val != NULL)
            return options->val;
    return "";
}

/* Whom it connects to where: a password, and whatever else there is, is left out.  A host with an @
 * is the rest of a password that has one. */
static char *shown_address(const char *address)
{
    PQconninfoOption *options = PQconninfoParse(address, NULL);
    char *shown = NULL;
    const char *user, *host;

    if (options == NULL)
        return strdup("postgresql://");
    user = value_of(options, "user");
    host = value_of(options, "host");
    if (asprintf(&shown, "postgresql://%s%s%s%s%s/%s", user, user[0] != '\0' ? "@" : "",
                 strchr(host, '@') == NULL ? host : "?",
                 value_of(options, "port")[0] != '\0' ? ":" : "", value_of(options, "port"),
                 value_of(options, "dbname")) < 0)
        shown = NULL;
    PQconninfoFree(options);
    return shown;
}

/* What libpq says of an address that is none quotes parts of it. */
static ath_status check_address(const char *address, atm_message *message)
{
    PQconninfoOption *options = PQconninfoParse(address, NULL);
    bool good = options != NULL && strchr(value_of(options, "host"), '@') == NULL;

    PQconninfoFree(options);
    return good ? ATH_OK
                : ath_complain(
                      ATH_NO_ACCESS, message,
                      "PostgreSQL: the address is none; write %%40 for @ and %%25 for %% in "
                      "a password");
}

/* --- opening */

static void close_connection(void *connection_)
{
    connection *c = connection_;

    PQfinish(c->handle);
    free(c);
}

static void say_nothing(void *context, const char *notice)
{
    (void) context;
    (void) notice;
}

static ath_status open_connection(const char *address, ath_mode mode, atm_message *message,
                                  void **connection_p)
{
    ath_status status = check_address(address, message);
    connection *c = status == ATH_OK ? calloc(1, sizeof(*c)) : NULL;

    if (c == NULL)
        return status != ATH_OK ? status : ATH_NO_MEMORY;
    c->handle = PQconnectdb(address);
    if (PQstatus(c->handle) != CONNECTION_OK)
        status = complain(c, PQerrorMessage(c->handle), message);
    PQsetNoticeProcessor(c->handle, say_nothing, NULL);
    if (status == ATH_OK && PQsetClientEncoding(c->handle, "UTF8") != 0)
        status = complain(c, PQerrorMessage(c->handle), message);
    if (status == ATH_OK && mode == ATH_READ)
        status = query(c, "SET default_transaction_read_only = on", NULL, 0, NULL, NULL, message);
    if (status == ATH_OK)
        *connection_p = c;
    else
        close_connection(c);
    return status;
}

/* The number of the lock is any that nobody else is likely to take. */
const ath_back_end ath_postgresql = {
    .name = "PostgreSQL",
    .takes = is_address,
    .shown = shown_address,
    .key = "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
    .integer = "BIGINT",
    .real = "DOUBLE PRECISION",
    .begin = "BEGIN; SELECT pg_advisory_xact_lock(1096042569)",
    .has_table = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND "
                 "tablename = $1",
    .size = "SELECT pg_database_size(current_database())",
    .open = open_connection,
    .close = close_connection,
    .query = query,
    .load_start = load_start,
    .load_row = load_row,
    .load_end = load_end,
    .limit = limit,
};
