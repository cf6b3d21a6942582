/* Activities in the order of each column, both ways, page by page: what a plain statement says. */

#include "unit/serve/serve_help.h"

#include "serve/ask.h"
#include "serve/serve.h"

static serve_site site = {.patience = 30};
static ath_database *database;

static int make_history(void **state)
{
    (void) state;
    database = empty_history();
    import_spools(database);
    site.database = getenv("HISTORY_TEST_DB") != NULL ? getenv("HISTORY_TEST_DB") : "test.db";
    return 0;
}

static int close_history(void **state)
{
    (void) state;
    ath_close(database);
    return 0;
}

typedef struct expected {
    int64_t ids[1024];
    int count;
} expected;

static ath_status keep(const ath_cell *cells, int count, void *context)
{
    expected *e = context;

    (void) count;
    assert_in_range(e->count, 0, 1023);
    e->ids[e->count++] = cells[0].integer;
    return ATH_OK;
}

static expected in_order(const char *sql, bool down, const char *where)
{
    expected e = {.count = 0};
    atm_message message = {""};
    char text[1024];

    snprintf(text, sizeof(text),
             "SELECT a.id FROM activity a JOIN process p ON p.id = a.id / 4294967296 JOIN call c "
             "ON c.id = a.call LEFT JOIN file f ON f.id = a.file WHERE %s ORDER BY %s%s, p.id "
             "DESC, a.id",
             where, sql, down ? " DESC" : "");
    if (ath_query(database, text, NULL, 0, keep, &e, &message) != ATH_OK)
        fail_msg("%s: %s", text, message.text);
    return e;
}

/* The rows of a page are those that are expected there. */
static void expect_page(const char *name, bool down, const char *parameters, int page,
                        const expected *e)
{
    static const char link[] = "href=\"/activity/";
    char uri[256];
    serve_request request = {.method = "GET", .uri = uri, .host = "localhost"};
    serve_reply reply;
    const char *at;
    int row = (page - 1) * ASK_ROWS;

    snprintf(uri, sizeof(uri), "/activities?sort=%s%s&page=%d%s", down ? "-" : "", name, page,
             parameters);
    serve_answer(&site, &request, &reply);
    if (reply.status != SERVE_OK)
        fail_msg("%s: %d", uri, reply.status);
    for (at = strstr(reply.body, link); at != NULL; at = strstr(at, link), row++) {
        at += sizeof(link) - 1;
        if (row >= e->count || strtoll(at, NULL, 10) != e->ids[row])
            fail_msg("%s: activity %lld in row %d", uri, strtoll(at, NULL, 10), row);
    }
    assert_int_equal(row, e->count < page * ASK_ROWS ? e->count : page * ASK_ROWS);
    free(reply.body);
}

static const char *const columns[][2] = {
    {"activity", "a.id"},
    {"process", "p.id"},
    {"rank", "p.rank"},
    {"layer", "c.layer"},
    {"call", "c.name"},
    {"started", "p.started + CAST(a.start AS DOUBLE PRECISION) / 1e9"},
    {"since", "a.start - CASE WHEN p.began < 0 THEN p.began "
              "ELSE 0 END"},
    {"duration", "a.duration"},
    {"offset", "a.position"},
    {"bytes", "a.bytes"},
    {"error", "a.error"},
    {"user", "p.username"},
    {"file", "coalesce(f.path, '')"}};

static void expect_all(const char *parameters, const char *where)
{
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        for (int down = 0; down < 2; down++) {
            expected e = in_order(columns[i][1], down, where);

            assert_true(e.count > 0);
            for (int page = 1; (page - 1) * ASK_ROWS < e.count; page++)
                expect_page(columns[i][0], down, parameters, page, &e);
        }
}

static void every_column(void **state)
{
    (void) state;
    expect_all("", "1 = 1");
}

static void of_a_layer(void **state)
{
    (void) state;
    expect_all("&layer=posix", "c.layer = 'posix'");
}

static void of_a_time(void **state)
{
    (void) state;
    expect_all("&since=2023-11-14T22:13:20&until=2023-11-14T22:13:21",
               "p.started + CAST(a.start AS DOUBLE PRECISION) / 1e9 >= 1700000000 AND "
               "p.started + CAST(a.start AS DOUBLE PRECISION) / 1e9 < 1700000001");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column),
        cmocka_unit_test(of_a_layer),
        cmocka_unit_test(of_a_time),
    };

    return cmocka_run_group_tests_name("sorted", tests, make_history, close_history);
}
