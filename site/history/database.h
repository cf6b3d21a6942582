/*
 * Database: statements to SQLite or PostgreSQL.  Statements are the same for both: parameters
 * are $1, $2, ... and stand in this order.  What differs is in one table of functions for each
 * (back_end.h); back_ends.c lists them.
 *
 *     status = ath_open("history.db", ATH_WRITE, &message, &database);
 *     status = ath_query(database, "SELECT id FROM file WHERE path = $1", cells, 1, row, context,
 *                        &message);
 */

#ifndef ATH_DATABASE_H
#define ATH_DATABASE_H

#include "history.h"

typedef struct ath_database ath_database;

typedef enum ath_mode {
    ATH_READ, /* what is there, and nothing is changed */
    ATH_WRITE /* made if it is not there, brought to the newest version if it is */
} ath_mode;

typedef enum ath_type { ATH_NULL, ATH_INTEGER, ATH_REAL, ATH_TEXT } ath_type;

/* A parameter or a result.  Text: UTF-8 that ends in a 0; of results, until the function
 * returns. */
typedef struct ath_cell {
    ath_type type;
    int64_t integer;
    double real;
    const char *text;
} ath_cell;

static inline ath_cell ath_integer(int64_t integer)
{
    return (ath_cell){.type = ATH_INTEGER, .integer = integer};
}

static inline ath_cell ath_real(double real)
{
    return (ath_cell){.type = ATH_REAL, .real = real};
}

static inline ath_cell ath_text(const char *text)
{
    return (ath_cell){.type = ATH_TEXT, .text = text};
}

/* address: "postgresql://..." or the path of a file.  The caller closes it; NULL is fine.
 * ATH_NEWER if its version is not known, ATH_BAD_FILE if it is something else. */
ath_status ath_open(const char *address, ath_mode mode, atm_message *message,
                    ath_database **database_p);
void ath_close(ath_database *database);

/* The address it was opened with, without a password. */
const char *ath_name(const ath_database *database);

/* The one who is asked for if none is named: $ROMIO_AUTOTUNE_HISTORY, else history.db in the
 * user's folder for data.  False if there is no such folder. */
bool ath_default_address(size_t size, char *address_p);

/* Statements that take longer fail from now on, with ATH_TOO_LONG. */
ath_status ath_limit(ath_database *database, double seconds, atm_message *message);

/* No rows, or each row in turn until the function says otherwise than ATH_OK, which is returned.
 * Results come in the types of their columns. */
ath_status ath_run(ath_database *database, const char *sql, const ath_cell *cells, int count,
                   atm_message *message);
typedef ath_status (*ath_row)(const ath_cell *cells, int count, void *context);
ath_status ath_query(ath_database *database, const char *sql, const ath_cell *cells, int count,
                     ath_row row, void *context, atm_message *message);
/* The first column of the first row; *integer_p stays if there is none. */
ath_status ath_query_integer(ath_database *database, const char *sql, const ath_cell *cells,
                             int count, atm_message *message, int64_t *integer_p);

/* A sum over a column, in any database: of doubles, which no numbers of a spool overflow. */
#define ATH_SUM(column) "sum(CAST(" column " AS DOUBLE PRECISION))"

/* Bytes that it takes, without what was pruned and is used again. */
ath_status ath_size(ath_database *database, atm_message *message, int64_t *bytes_p);
/* Bytes that are free where it is; false if that is not known (another machine's). */
bool ath_free_space(const ath_database *database, uint64_t *bytes_p);

/* One writer at a time; what is not committed has not happened. */
ath_status ath_begin(ath_database *database, atm_message *message);
ath_status ath_commit(ath_database *database, atm_message *message);
void ath_rollback(ath_database *database);

/* Many rows of integers into the columns of one table, within a transaction; nothing else is
 * run between start and end. */
ath_status ath_load_start(ath_database *database, const char *table, const char *const *columns,
                          int count, atm_message *message);
ath_status ath_load_row(ath_database *database, const int64_t *integers, atm_message *message);
ath_status ath_load_end(ath_database *database, atm_message *message);

#endif /* ATH_DATABASE_H */
