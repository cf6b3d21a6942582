/* Databases: versions, files of others, statements. */

#include "unit/history/history_help.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include "history/schema.h"

static const char path[] = "versions.db";

static void remove_file(void)
{
    unlink(path);
    unlink("versions.db-wal");
    unlink("versions.db-shm");
}

static void run_sql(const char *sql)
{
    sqlite3 *handle = NULL;

    assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

static void expect(ath_mode mode, ath_status expected, const char *text)
{
    atm_message message = {""};
    ath_database *database = NULL;
    ath_status status = ath_open(path, mode, &message, &database);

    assert_int_equal(status, expected);
    assert_true((status == ATH_OK) == (database != NULL));
    if (strstr(message.text, text) == NULL)
        fail_msg("%s, not %s", message.text, text);
    ath_close(database);
}

/* --- files */

static void made_for_the_user_alone(void **state)
{
    struct stat info;

    (void) state;
    remove_file();
    expect(ATH_READ, ATH_NO_ACCESS, "versions.db: is not there");
    assert_int_not_equal(stat(path, &info), 0);
    umask(0);
    expect(ATH_WRITE, ATH_OK, "");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    expect(ATH_READ, ATH_OK, "");
    expect(ATH_WRITE, ATH_OK, "");
}

static void versions(void **state)
{
    (void) state;
    remove_file();
    expect(ATH_WRITE, ATH_OK, "");
    run_sql("UPDATE history_version SET version = 1000");
    expect(ATH_READ, ATH_NEWER, "is of version 1000, made by a newer romio-autotune");
    expect(ATH_WRITE, ATH_NEWER, "is of version 1000");
    remove_file();
    expect(ATH_WRITE, ATH_OK, "");
    run_sql("DROP TABLE history_version");
    expect(ATH_READ, ATH_BAD_FILE, "is no history");
}

static void older_versions_are_brought_up(void **state)
{
    ath_database *database = NULL;

    (void) state;
    remove_file();
    expect(ATH_WRITE, ATH_OK, "");
    run_sql("INSERT INTO trial VALUES (1, 1, 0, '{}', 1, 1, 1, 0, 1);"
            "ALTER TABLE trial DROP COLUMN independent; DROP TABLE quota;"
            "ALTER TABLE process DROP COLUMN directory;"
            "INSERT INTO source VALUES (1, 'a', 'a', 100, 1, 0), (2, 'b', 'b', 20, 1, 0);"
            "INSERT INTO process SELECT id, id, 'h', 1, 7, 'u', 'p', '', '', -1, 0, 0, 0, 0, 0, 0, "
            "0 FROM source;"
            "UPDATE history_version SET version = 1");
    expect(ATH_READ, ATH_BAD_FILE, "is of the older version 1; the next import brings it to 3");
    expect(ATH_WRITE, ATH_OK, "");
    expect(ATH_READ, ATH_OK, "");
    run_sql("UPDATE trial SET record = 2 WHERE independent = 0");
    assert_int_equal(ath_open(path, ATH_READ, NULL, &database), ATH_OK);
    assert_int_equal(number_in(database, "SELECT bytes FROM quota WHERE uid = 7"), 120);
    ath_close(database);
    run_sql("INSERT INTO trial VALUES (1, 1, 0, '{}', 1, 1, 1, 0, 1)"); /* its place is free */
}

static void files_of_others(void **state)
{
    FILE *file;

    (void) state;
    remove_file();
    run_sql("CREATE TABLE precious (x)");
    expect(ATH_READ, ATH_BAD_FILE, "is no history");
    expect(ATH_WRITE, ATH_BAD_FILE, "is no history");
    remove_file();
    file = fopen(path, "w");
    for (int i = 0; i < 1000; i++)
        fputs("This is a text that somebody wrote.\n", file);
    fclose(file);
    expect(ATH_WRITE, ATH_BAD_FILE, "is no history");
    remove_file();
    assert_int_equal(mkdir(path, 0700), 0);
    expect(ATH_WRITE, ATH_NO_ACCESS, path);
    assert_int_equal(rmdir(path), 0);
}

static void kinds_of_addresses(void **state)
{
    atm_message message = {""};
    ath_database *database = NULL;

    (void) state;
    assert_int_equal(ath_open("mysql://host/name", ATH_READ, &message, &database), ATH_NO_ACCESS);
    assert_non_null(strstr(message.text, "mysql://: this autotune was built without"));
    message.text[0] = '\0';
    assert_int_equal(
        ath_open("postgresql://ada:secret@/none?host=/none", ATH_READ, &message, &database),
        ATH_NO_ACCESS);
    assert_true(message.text[0] != '\0');
    assert_null(strstr(message.text, "secret"));
}

static void passwords_are_not_told(void **state)
{
    static const char *const addresses[] = {
        "postgresql://ada:secret@/none?host=/none",
        "postgres://ada:secret@/none?host=/none",
        "postgresql:///none?host=/none&pass%77ord=secret",
        "postgresql:///none?host=/none&password=no&password=secret",
        "postgresql://ada:%zz%secret@/none?host=/none",
        "postgresql://ada:no@secret@/none?host=/none",
        "postgresql://ada:no@%zsecret/none",
        "host=/none user=ada password=secret",
        "host=/none user=ada password = 'secret' dbname=none",
        "host=/none sslpassword=secret",
        "hots=/none user=ada password=secret",
        "host=/none user=ada password='secret",
    };

    (void) state;
    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        atm_message message = {""};
        ath_database *database = NULL;

        assert_int_equal(ath_open(addresses[i], ATH_READ, &message, &database), ATH_NO_ACCESS);
        assert_true(message.text[0] != '\0');
        if (strstr(message.text, "secret") != NULL)
            fail_msg("%s: %s", addresses[i], message.text);
    }
}

static void usual_address(void **state)
{
    char address[256];

    (void) state;
    setenv("HOME", "/home/ada", 1);
    unsetenv("XDG_DATA_HOME");
    unsetenv("ROMIO_AUTOTUNE_HISTORY");
    assert_true(ath_default_address(sizeof(address), address));
    assert_string_equal(address, "/home/ada/.local/share/romio-autotune/history.db");
    setenv("XDG_DATA_HOME", "/data", 1);
    assert_true(ath_default_address(sizeof(address), address));
    assert_string_equal(address, "/data/romio-autotune/history.db");
    setenv("ROMIO_AUTOTUNE_HISTORY", "postgresql://host/name", 1);
    assert_true(ath_default_address(sizeof(address), address));
    assert_string_equal(address, "postgresql://host/name");
    assert_false(ath_default_address(4, address));
}

/* --- statements: the same for all databases */

static void types(void **state)
{
    ath_database *database = empty_history();
    ath_cell cells[] = {ath_text("it's \"it\""), ath_text("\xe2\x82\xac"), ath_integer(INT64_MIN),
                        ath_integer(INT64_MAX), ath_real(0.1)};

    (void) state;
    assert_int_equal(ath_run(database,
                             "INSERT INTO source (identity, name, bytes, whole, imported) VALUES "
                             "($1, $2, $3, $4, $5)",
                             cells, 5, NULL),
                     ATH_OK);
    assert_string_equal(text_in(database, "SELECT identity FROM source").text, "it's \"it\"");
    assert_string_equal(text_in(database, "SELECT name FROM source").text, "\xe2\x82\xac");
    assert_true(number_in(database, "SELECT bytes FROM source") == INT64_MIN);
    assert_true(number_in(database, "SELECT whole FROM source") == INT64_MAX);
    assert_int_equal(number_in(database, "SELECT count(*) FROM source WHERE imported = 0.1"), 1);
    ath_close(database);
}

static void transactions(void **state)
{
    ath_database *database = empty_history();
    ath_cell cell = ath_text("x");
    const char *insert = "INSERT INTO file (path) VALUES ($1)";
    atm_message message = {""};

    (void) state;
    assert_int_equal(ath_begin(database, NULL), ATH_OK);
    assert_int_equal(ath_run(database, insert, &cell, 1, NULL), ATH_OK);
    ath_rollback(database);
    assert_int_equal(number_in(database, "SELECT count(*) FROM file"), 0);
    assert_int_equal(ath_begin(database, NULL), ATH_OK);
    assert_int_equal(ath_run(database, insert, &cell, 1, NULL), ATH_OK);
    assert_int_equal(ath_commit(database, NULL), ATH_OK);
    assert_int_equal(number_in(database, "SELECT count(*) FROM file"), 1);
    assert_int_equal(ath_run(database, insert, &cell, 1, &message), ATH_DATABASE);
    assert_true(message.text[0] != '\0');
    assert_int_equal(number_in(database, "SELECT count(*) FROM file"), 1);
    assert_int_equal(ath_run(database, "SELECT nonsense", NULL, 0, &message), ATH_DATABASE);
    ath_close(database);
}

static void many_rows(void **state)
{
    static const char *const columns[] = {"process", "file", "call",  "activities",
                                          "bytes",   "busy", "errors"};
    ath_database *database = empty_history();

    (void) state;
    assert_int_equal(ath_begin(database, NULL), ATH_OK);
    assert_int_equal(ath_load_start(database, "use", columns, 7, NULL), ATH_OK);
    for (int64_t i = 0; i < 10000; i++) {
        int64_t row[] = {i, -i, 1, i << 40, INT64_MIN, INT64_MAX, 0};

        assert_int_equal(ath_load_row(database, row, NULL), ATH_OK);
    }
    assert_int_equal(ath_load_end(database, NULL), ATH_OK);
    assert_int_equal(ath_commit(database, NULL), ATH_OK);
    assert_int_equal(number_in(database, "SELECT count(*) FROM use"), 10000);
    assert_int_equal(number_in(database, "SELECT sum(process + file) FROM use"), 0);
    assert_true(number_in(database, "SELECT max(bytes) FROM use") == INT64_MIN);
    assert_true(number_in(database, "SELECT min(busy) FROM use") == INT64_MAX);
    ath_close(database);
}

static ath_status stop_at_two(const ath_cell *cells, int count, void *context)
{
    (void) cells;
    (void) count;
    return ++*(int *) context == 2 ? ATH_NO_MEMORY : ATH_OK;
}

static void rows_until_told_otherwise(void **state)
{
    ath_database *database = empty_history();
    int rows = 0;

    (void) state;
    for (int i = 0; i < 5; i++) {
        ath_cell cell = ath_text((const char *[]){"a", "b", "c", "d", "e"}[i]);

        assert_int_equal(ath_run(database, "INSERT INTO file (path) VALUES ($1)", &cell, 1, NULL),
                         ATH_OK);
    }
    assert_int_equal(
        ath_query(database, "SELECT path FROM file", NULL, 0, stop_at_two, &rows, NULL),
        ATH_NO_MEMORY);
    assert_int_equal(rows, 2);
    assert_int_equal(number_in(database, "SELECT count(*) FROM file"), 5);
    ath_close(database);
}

/* --- texts */

static void statements_that_take_too_long(void **state)
{
    ath_database *database = new_history();
    atm_message message = {""};
    int64_t count = 0;

    (void) state;
    assert_int_equal(ath_limit(database, 0.05, &message), ATH_OK);
    assert_int_equal(
        ath_query_integer(database,
                          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
                          "i < 1000000000) SELECT count(*) FROM n",
                          NULL, 0, &message, &count),
        ATH_TOO_LONG);
    assert_string_not_equal(message.text, "");
    assert_int_equal(number_in(database, "SELECT 7"), 7); /* each has its own time */
    ath_close(database);
}

static void clean_texts(void **state)
{
    static const char *const texts[][2] = {{"plain", "plain"},
                                           {"\xc3\xa4", "\xc3\xa4"},
                                           {"\x1b[1m", "\xef\xbf\xbd[1m"},
                                           {"\xc2\x9b", "\xef\xbf\xbd"},
                                           {"a\xff", "a\xef\xbf\xbd"},
                                           {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
                                           {"", ""}};
    char *text;

    (void) state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        text = ath_clean(texts[i][0], strlen(texts[i][0]));
        assert_string_equal(text, texts[i][1]);
        free(text);
    }
    text = ath_clean("a\0b", 3);
    assert_string_equal(text, "a\xef\xbf\xbd"
                              "b");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_for_the_user_alone),
        cmocka_unit_test(versions),
        cmocka_unit_test(older_versions_are_brought_up),
        cmocka_unit_test(files_of_others),
        cmocka_unit_test(kinds_of_addresses),
        cmocka_unit_test(passwords_are_not_told),
        cmocka_unit_test(types),
        cmocka_unit_test(transactions),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(rows_until_told_otherwise),
        cmocka_unit_test(statements_that_take_too_long),
        cmocka_unit_test(clean_texts),
        cmocka_unit_test(usual_address),
    };

    return cmocka_run_group_tests_name("database", tests, NULL, NULL);
}
