/* What a database must be able to do; a file NAME.c of static functions ends in one table. */

#ifndef ATH_BACK_END_H
#define ATH_BACK_END_H

#include "database.h"

typedef struct ath_back_end {
    const char *name;
    bool (*takes)(const char *address);
    /* the address without anything that is secret; free it.  NULL: no memory */
    char *(*shown)(const char *address);
    /* Words of the schema: a key that numbers itself, whole numbers of 64 bits, numbers. */
    const char *key, *integer, *real;
    const char *begin; /* a transaction that no other writer is in */
    /* whether a table of that name is there, as a number */
    const char *has_table;
    const char *size; /* bytes that it takes, as a number */

    ath_status (*open)(const char *address, ath_mode mode, atm_message *message,
                       void **connection_p);
    void (*close)(void *connection);
    ath_status (*query)(void *connection, const char *sql, const ath_cell *cells, int count,
                        ath_row row, void *context, atm_message *message);
    ath_status (*load_start)(void *connection, const char *table, const char *const *columns,
                             int count, atm_message *message);
    ath_status (*load_row)(void *connection, const int64_t *integers, atm_message *message);
    ath_status (*load_end)(void *connection, atm_message *message);
    ath_status (*limit)(void *connection, double seconds, atm_message *message);
    bool (*free_space)(void *connection, uint64_t *bytes_p); /* NULL: not known */
} ath_back_end;

/* The one for an address; NULL and a message if it was not there when this was built. */
const ath_back_end *ath_back_end_of(const char *address, atm_message *message);

extern const ath_back_end ath_sqlite;
extern const ath_back_end ath_postgresql;

#endif /* ATH_BACK_END_H */
