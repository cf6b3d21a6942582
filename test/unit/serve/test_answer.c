/* Answers: every page of a history with hostile texts, every link of every page, and what is
 * refused.  Spools are those of make_spools, in the folder "spools". */

#include "unit/serve/serve_help.h"

#include <time.h>

#include "serve/pages.h"

static serve_site site = {.patience = 30};

/* --- a history */

/* Weeks of trials, reads and writes, with hostile texts in all that is text. */
static void add_trials(ath_database *database)
{
    for (int i = 0; i < 60; i++) {
        char identity[32];
        ath_cell record[] = {ath_text(identity), ath_text("<prog>&\""),
                             ath_real(1793491200 - 86400.0 * 3 * i)};
        ath_cell trial[] = {ath_text(identity), ath_integer(i % 2), ath_real(0.5 + 0.01 * (i % 7))};

        snprintf(identity, sizeof(identity), "test-%d", i);
        assert_int_equal(
            ath_run(database,
                    "INSERT INTO record (identity, file, program, username, host, pid, job, "
                    "wrapped, status, ranks, nodes, started, seconds, line) VALUES ($1, (SELECT "
                    "min(id) FROM file), $2, '<user>', 'h', 1, 'j\"<b>', 'ufs', '<status>', 4, 1, "
                    "$3, 1, '{\"<line>\": 1}')",
                    record, 3, NULL),
            ATH_OK);
        assert_int_equal(
            ath_run(database,
                    "INSERT INTO trial (record, writes, origin, settings, calls, bytes, seconds, "
                    "predicted) VALUES ((SELECT id FROM record WHERE identity = $1), $2, 0, "
                    "'{\"cb_nodes\":2}', 3, 1048576, $3, 0.5)",
                    trial, 3, NULL),
            ATH_OK);
    }
}

static int make_history(void **state)
{
    ath_database *database = empty_history();

    (void) state;
    import_spools(database);
    add_trials(database);
    ath_close(database);
    site.database = getenv("HISTORY_TEST_DB") != NULL ? getenv("HISTORY_TEST_DB") : "test.db";
    return 0;
}

/* --- asking */

static serve_reply ask_for(const char *uri)
{
    serve_request request = {.method = "GET", .uri = uri, .host = "localhost"};
    serve_reply reply;

    serve_answer(&site, &request, &reply);
    assert_non_null(reply.body);
    assert_int_equal(strlen(reply.body), reply.length);
    return reply;
}

static void expect(const char *uri, serve_status status, const char *text)
{
    serve_reply reply = ask_for(uri);

    if (reply.status != status)
        fail_msg("%s: %d, not %d: %s", uri, reply.status, status, reply.body);
    if (strstr(reply.body, text) == NULL)
        fail_msg("%s: has no %s: %s", uri, text, reply.body);
    free(reply.body);
}

static int times_in(const char *text, const char *word)
{
    int count = 0;

    while ((text = strstr(text, word)) != NULL) {
        text += strlen(word);
        count++;
    }
    return count;
}

/* Nothing of the texts as they were. */
static void expect_escaped(const char *uri, const char *body)
{
    static const char *const raw[] = {"<script",   "<img",         "onmouseover=\"",
                                      "<b>pwrite", "\"<b>",        "<i>",
                                      "<u>",       "<layer",       "<prog",
                                      "<line>",    "<status",      "<user",
                                      "<!--",      "<![CDATA",     "\x1b",
                                      "\r",        "\xef\xbf\xbe", "javascript:alert(3)\">"};

    for (size_t i = 0; i < sizeof(raw) / sizeof(raw[0]); i++)
        if (strstr(body, raw[i]) != NULL)
            fail_msg("%s: has %s", uri, raw[i]);
}

/* --- numbers that no program has, as an older version took them from anybody's spool */

static void change(const char *sql)
{
    atm_message message = {""};
    ath_database *database = NULL;

    assert_int_equal(ath_open(site.database, ATH_WRITE, &message, &database), ATH_OK);
    if (ath_run(database, sql, NULL, 0, &message) != ATH_OK)
        fail_msg("%s: %s", sql, message.text);
    ath_close(database);
}

static void sums_that_overflow(void **state)
{
    static const char *const uris[] = {"/", "/jobs", "/job?job=77", "/files", "/metrics"};

    change("UPDATE use SET bytes = 4611686018427387903, busy = 4611686018427387903");
    change("UPDATE process SET dropped = 9223372036854775807");
    for (size_t i = 0; i < sizeof(uris) / sizeof(uris[0]); i++)
        expect(uris[i], SERVE_OK, "");
    make_history(state);
}

/* A spool of an earlier library, which began after its activities. */
static void spools_that_began_late(void **state)
{
    serve_reply reply;

    change("UPDATE process SET began = -329000000, lasted = -1000000 WHERE job = '77'");
    reply = ask_for("/job?job=77");
    assert_int_equal(times_in(reply.body, "<td class=\"n\">328 ms</td>"), 4);
    free(reply.body);
    change("UPDATE activity SET start = -329000000");
    expect("/activities?job=77&call=pwrite", SERVE_OK, "<td class=\"n\">0 ns</td>");
    make_history(state);
}

static void files_of_the_system(void **state)
{
    static const char *const uris[] = {"/files?", "/job?job=77&"};
    char uri[64];

    change("UPDATE file SET path = '/usr/lib/libc.so.6' WHERE path = '/scratch/field.h5'");
    for (int i = 0; i < 2; i++) {
        serve_reply reply = ask_for(uris[i]);

        assert_int_equal(reply.status, SERVE_OK);
        assert_null(strstr(reply.body, "libc.so.6"));
        free(reply.body);
        snprintf(uri, sizeof(uri), "%ssystem=1", uris[i]);
        expect(uri, SERVE_OK, "libc.so.6");
    }
    make_history(state);
}

/* 40 rounds of four ranks: each reads and writes 100 KiB a round, POSIX takes 0.788 of 0.95 ms. */
static void programs(void **state)
{
    serve_reply reply = ask_for("/program?program=vpic");

    (void) state;
    assert_int_equal(reply.status, SERVE_OK);
    assert_int_equal(times_in(reply.body, "<svg"), 2);
    assert_non_null(strstr(reply.body, "Accesses by size"));
    assert_non_null(strstr(reply.body, "I/O by rank over time"));
    assert_null(strstr(reply.body, "style=\""));
    assert_non_null(strstr(reply.body, "bytes of an access to 1M: 160")); /* of POSIX and of MPI */
    assert_non_null(strstr(reply.body, "15.6 MiB"));                      /* read, and written */
    assert_non_null(strstr(reply.body, "/program?program=vpic&amp;job=77"));
    free(reply.body);
    expect("/programs", SERVE_OK, "/program?program=vpic");
    expect("/program?program=none", SERVE_MISSING, "there is no such run of this program");
    expect("/program?program=vpic&job=none", SERVE_MISSING, "there is no such run");
}

/* --- pages */

static void pages(void **state)
{
    (void) state;
    expect("/", SERVE_OK, "652"); /* activities */
    expect("/jobs", SERVE_OK, "/job?job=77");
    expect("/jobs?user=nobody-at-all", SERVE_OK, "Nothing.");
    expect("/jobs?until=1980-01-01", SERVE_OK, "Nothing.");
    expect("/job?job=77", SERVE_OK, "/scratch/field.h5");
    expect("/job?job=%22%3E%3Cscript%3Ealert(6)%3C/script%3E%26x%3D%253C", SERVE_OK,
           "&lt;script&gt;alert(6)");
    expect("/job?job=none", SERVE_MISSING, "there is no such job");
    expect("/job", SERVE_MISSING, "there is no such job");
    expect("/files?file=FIELD", SERVE_OK, "/scratch/field.h5");
    expect("/files?file=*.h5&sort=-bytes", SERVE_OK, "/scratch/field.h5");
    expect("/files?file=50%25", SERVE_OK, "Nothing.");
    expect("/files?file=DROP", SERVE_OK, "; DROP TABLE file; --");
    expect("/file/999999", SERVE_MISSING, "there is no such file");
    expect("/process/999999", SERVE_MISSING, "there is no such process");
    expect("/process/9223372036854775000", SERVE_MISSING, "there is no such process");
    expect("/record/999999", SERVE_MISSING, "there is no such record");
    expect("/activity/999999", SERVE_MISSING, "there is no such activity");
    expect("/activity?process=1&number=99999", SERVE_MISSING, "there is no such activity");
    expect("/anomalies?job=77", SERVE_OK, "<tr class=\"strong\">");
    expect("/advice", SERVE_OK, "&lt;prog&gt;&amp;");
    expect("/predicted?operation=write", SERVE_OK, "<td>write</td>");
    expect("/predicted?user=nobody", SERVE_OK, "no trials with a prediction");
    expect("/style.css", SERVE_OK, "color-scheme");
    expect("/metrics", SERVE_OK, "\n# EOF\n");
    expect("/metrics", SERVE_OK, "romio_autotune_layer_errors{layer=\"posix\"} 4\n");
    expect("/none", SERVE_MISSING, "There is no such page");
    expect("/jobs?sort=cats", SERVE_BAD, "sort: there is no column cats");
    expect("/jobs?layer=posix", SERVE_BAD, "layer: is no parameter of this page");
    expect("/pattern?number=1&job=none", SERVE_OK, "no accesses");
}

/* Selected by layer and order; 160 activities a process, of which 40 are pwrite. */
static void activities(void **state)
{
    serve_reply reply = ask_for("/activities?job=77&layer=posix&file=field&user=&errors=1");
    const char *link;
    char uri[128];

    (void) state;
    assert_int_equal(times_in(reply.body, "<tr>") - 1, 4); /* one fails on each rank */
    assert_int_equal(times_in(reply.body, ">28<"), 4);
    free(reply.body);
    reply = ask_for("/activities?job=77&call=pwrite");
    assert_int_equal(times_in(reply.body, "<tr>") - 1, 100);
    link = strstr(reply.body, "after=");
    assert_non_null(link);
    snprintf(uri, sizeof(uri), "/activities?job=77&call=pwrite&%.*s", (int) strcspn(link, "\"&"),
             link);
    free(reply.body);
    reply = ask_for(uri);
    assert_int_equal(times_in(reply.body, "<tr>") - 1, 60);
    assert_null(strstr(reply.body, "after="));
    free(reply.body);
    reply = ask_for("/activities?job=77&call=pwrite&sort=-duration&page=2");
    assert_int_equal(times_in(reply.body, "<tr>") - 1, 60);
    assert_non_null(strstr(reply.body, "101 to 160"));
    free(reply.body);
    expect("/activities?job=77&errors=1&file=field&layer=posix&sort=bytes", SERVE_OK, "1 to 4");
    reply = ask_for("/activities?job=77&call=pwrite&page=2");
    assert_int_equal(times_in(reply.body, "<tr>") - 1, 60);
    assert_non_null(strstr(reply.body, "101 to 160"));
    free(reply.body);
    reply = ask_for("/activities?job=77&call=pwrite&page=3");
    assert_non_null(strstr(reply.body, "Nothing more."));
    free(reply.body);
    reply = ask_for("/activities?since=2023-11-14T22:13:20&until=2023-11-14T22:13:21&sort=-since");
    assert_int_equal(times_in(reply.body, "<tr>") - 1, 100);
    free(reply.body);
    expect("/activities?since=2023-11-15", SERVE_OK, "Nothing.");
}

static void chains(void **state)
{
    ath_database *database = NULL;
    char uri[64];
    serve_reply reply;
    int64_t id = 0;

    (void) state;
    assert_int_equal(ath_open(site.database, ATH_READ, NULL, &database), ATH_OK);
    id = number_in(database, "SELECT min(a.id) FROM activity a JOIN call c ON c.id = a.call WHERE "
                             "c.name = 'pwrite' AND a.error <> 0");
    ath_close(database);
    snprintf(uri, sizeof(uri), "/activity/%lld", (long long) id);
    reply = ask_for(uri);
    assert_int_equal(reply.status, SERVE_OK);
    assert_non_null(strstr(reply.body, "<td>MPI_File_write_at</td>"));
    assert_non_null(strstr(reply.body, "<td>H5Dwrite</td>"));
    assert_true(strstr(reply.body, "<td>H5Dwrite</td>") >
                strstr(reply.body, "<td>MPI_File_write_at</td>"));
    assert_non_null(strstr(reply.body, "28, No space left on device"));
    free(reply.body);
}

static void patterns(void **state)
{
    ath_database *database = NULL;
    char uri[96];
    serve_reply reply;
    int64_t id;

    (void) state;
    assert_int_equal(ath_open(site.database, ATH_READ, NULL, &database), ATH_OK);
    id = number_in(database, "SELECT id FROM file WHERE path = '/scratch/field.h5'");
    ath_close(database);
    snprintf(uri, sizeof(uri), "/pattern?number=%lld&job=77", (long long) id);
    reply = ask_for(uri);
    assert_int_equal(reply.status, SERVE_OK);
    assert_int_equal(times_in(reply.body, "<svg"), 2);
    assert_int_equal(times_in(reply.body, "<path class=\"s c"), 8); /* four ranks */
    free(reply.body);
}

/* --- every link of every page leads somewhere, and all is escaped */

enum { LINKS = 3000, URI = 8192 };

typedef struct crawl {
    char *uris[LINKS];
    int count;
} crawl;

static void add_link(crawl *c, const char *from, size_t length)
{
    char uri[URI];
    size_t used = 0;

    for (size_t i = 0; i < length && used < sizeof(uri) - 1; i++) {
        uri[used++] = from[i];
        if (strncmp(from + i, "&amp;", 5) == 0)
            i += 4;
    }
    uri[used] = '\0';
    assert_int_equal(uri[0], '/');
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->uris[i], uri) == 0)
            return;
    if (c->count < LINKS)
        c->uris[c->count++] = strdup(uri);
}

static void look_at(crawl *c, const char *uri)
{
    serve_reply reply = ask_for(uri);

    if (reply.status != SERVE_OK)
        fail_msg("%s: %d: %s", uri, reply.status, reply.body);
    if (strncmp(reply.type, "text/html", 9) == 0)
        expect_escaped(uri, reply.body);
    for (const char *at = reply.body; (at = strstr(at, "href=\"")) != NULL;) {
        at += 6;
        add_link(c, at, strcspn(at, "\""));
    }
    free(reply.body);
}

static void links(void **state)
{
    crawl c = {.count = 0};
    time_t until = time(NULL) + 60;

    (void) state;
    add_link(&c, "/", 1);
    for (int i = 0; i < c.count; i++) {
        if (time(NULL) < until)
            look_at(&c, c.uris[i]);
    }
    assert_true(c.count > 500);
    for (int i = 0; i < c.count; i++)
        free(c.uris[i]);
}

/* --- what is refused */

static void others(void **state)
{
    static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "get", ""};
    serve_request request = {.method = "GET", .uri = "/", .host = "evil.org"};
    serve_site other = {.database = "none.db", .patience = 1};
    serve_reply reply;

    (void) state;
    serve_answer(&site, &request, &reply);
    assert_int_equal(reply.status, SERVE_MISDIRECTED);
    free(reply.body);
    request.host = "localhost";
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        request.method = methods[i];
        serve_answer(&site, &request, &reply);
        assert_int_equal(reply.status, SERVE_METHOD);
        free(reply.body);
    }
    request.method = "GET";
    serve_answer(&other, &request, &reply); /* it went away */
    assert_int_equal(reply.status, SERVE_BUSY);
    assert_non_null(strstr(reply.body, "none.db: is not there"));
    free(reply.body);
    other.token = "0123456789abcdef";
    serve_answer(&other, &request, &reply); /* not even that is told */
    assert_int_equal(reply.status, SERVE_WHO);
    assert_null(strstr(reply.body, "none.db"));
    free(reply.body);
}

static void headers(void **state)
{
    const serve_header *at = serve_headers;

    (void) state;
    while (at->name != NULL && strcmp(at->name, "Content-Security-Policy") != 0)
        at++;
    assert_non_null(at->name);
    assert_non_null(strstr(at->value, "default-src 'none'"));
    assert_null(strstr(at->value, "unsafe"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages),
        cmocka_unit_test(activities),
        cmocka_unit_test(chains),
        cmocka_unit_test(patterns),
        cmocka_unit_test(links),
        cmocka_unit_test(others),
        cmocka_unit_test(headers),
        cmocka_unit_test(sums_that_overflow),
        cmocka_unit_test(spools_that_began_late),
        cmocka_unit_test(files_of_the_system),
        cmocka_unit_test(programs),
    };

    return cmocka_run_group_tests_name("answer", tests, make_history, NULL);
}
