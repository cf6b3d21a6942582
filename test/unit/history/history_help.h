/* What the tests of history share: a database, and numbers in it. */

#ifndef HISTORY_HELP_H
#define HISTORY_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "history/database.h"

/* $HISTORY_TEST_DB, or a new file */
static inline ath_database *new_history(void)
{
    const char *address = getenv("HISTORY_TEST_DB");
    atm_message message = {""};
    ath_database *database = NULL;

    if (address == NULL) {
        address = "test.db";
        unlink("test.db");
        unlink("test.db-wal");
        unlink("test.db-shm");
    }
    if (ath_open(address, ATH_WRITE, &message, &database) != ATH_OK)
        fail_msg("%s", message.text);
    return database;
}

/* Empty, of a database that stays from test to test. */
static inline ath_database *empty_history(void)
{
    static const char *const tables[] = {"source", "process", "call",  "file",  "use", "activity",
                                         "survey", "record",  "trial", "quota", NULL};
    ath_database *database = new_history();

    for (int i = 0; tables[i] != NULL; i++) {
        char sql[64];

        snprintf(sql, sizeof(sql), "DELETE FROM %s", tables[i]);
        assert_int_equal(ath_run(database, sql, NULL, 0, NULL), ATH_OK);
    }
    return database;
}

static inline int64_t number_in(ath_database *database, const char *sql)
{
    atm_message message = {""};
    int64_t number = -1;

    if (ath_query_integer(database, sql, NULL, 0, &message, &number) != ATH_OK)
        fail_msg("%s: %s", sql, message.text);
    return number;
}

typedef struct first_text {
    char text[4096];
} first_text;

static inline ath_status keep_text(const ath_cell *cells, int count, void *context)
{
    (void) count;
    snprintf(((first_text *) context)->text, sizeof(first_text), "%s",
             cells[0].type == ATH_TEXT ? cells[0].text : "");
    return ATH_OK;
}

static inline first_text text_in(ath_database *database, const char *sql)
{
    first_text text = {""};

    assert_int_equal(ath_query(database, sql, NULL, 0, keep_text, &text, NULL), ATH_OK);
    return text;
}

#endif /* HISTORY_HELP_H */
