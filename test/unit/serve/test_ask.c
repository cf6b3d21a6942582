/* Addresses: decoding, parameters, which page, and back again. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/rng.h"
#include "serve/html.h"
#include "serve/page_metrics.h"

static const asked all[] = {ASKED_SINCE,  ASKED_UNTIL,  ASKED_USER, ASKED_PROGRAM,   ASKED_JOB,
                            ASKED_LAYER,  ASKED_CALL,   ASKED_FILE, ASKED_OPERATION, ASKED_PROCESS,
                            ASKED_ERRORS, ASKED_NUMBER, ASKED_SORT, ASKED_PAGE,      ASKED_END};

/* --- paths */

static void expect_page(const char *path, const serve_page *page, int64_t id)
{
    int64_t found = -1;

    assert_ptr_equal(serve_find(path, &found), page);
    assert_int_equal(found, page != NULL ? id : -1);
}

static void paths(void **state)
{
    (void) state;
    expect_page("/", &page_overview, 0);
    expect_page("/jobs", &page_jobs, 0);
    expect_page("/file/17", &page_file, 17);
    expect_page("/activity/9223372036854775807", NULL, 0); /* too near the end of the range */
    expect_page("/activity/4294967297", &page_activity, 4294967297);
    expect_page("/activity", &page_cause, 0);
    expect_page("/file/", NULL, 0);
    expect_page("/file/0", NULL, 0);
    expect_page("/file/01", NULL, 0);
    expect_page("/file/-1", NULL, 0);
    expect_page("/file/1x", NULL, 0);
    expect_page("/file/99999999999999999999999", NULL, 0);
    expect_page("/jobs/", NULL, 0);
    expect_page("/../etc/passwd", NULL, 0);
    expect_page("", NULL, 0);
    expect_page("*", NULL, 0);
}

static void decoded(void **state)
{
    char long_uri[ASK_URI + 2];
    atm_message message = {""};
    ask asked;

    (void) state;
    assert_int_equal(ask_path("/a%2Fb%20+?x=1", &message, &asked), SERVE_OK);
    assert_string_equal(asked.path, "/a/b +");
    assert_int_equal(ask_path("/%ff%0A", &message, &asked), SERVE_OK);
    assert_string_equal(asked.path, "/\xef\xbf\xbd\xef\xbf\xbd");
    assert_int_equal(ask_path("/%", &message, &asked), SERVE_BAD);
    assert_int_equal(ask_path("/%4", &message, &asked), SERVE_BAD);
    assert_int_equal(ask_path("/%4g", &message, &asked), SERVE_BAD);
    assert_int_equal(ask_path("/a%00b", &message, &asked), SERVE_BAD);
    assert_non_null(strstr(message.text, "0 byte"));
    memset(long_uri, 'a', sizeof(long_uri));
    long_uri[ASK_URI + 1] = '\0';
    assert_int_equal(ask_path(long_uri, &message, &asked), SERVE_LONG);
    long_uri[ASK_URI - 1] = '\0'; /* fits, but no path does */
    assert_int_equal(ask_path(long_uri, &message, &asked), SERVE_BAD);
}

/* --- parameters */

static serve_status take(const char *uri, atm_message *message, ask *asked)
{
    message->text[0] = '\0';
    assert_int_equal(ask_path(uri, message, asked), SERVE_OK);
    return ask_parameters(uri, all, message, asked);
}

static void parameters(void **state)
{
    atm_message message;
    ask asked;

    (void) state;
    assert_int_equal(take("/a?user=ada&file=*.h5&since=2026-11-01&until=2026-11-01T08%3A30&page=3"
                          "&process=7&errors=1&sort=-bytes&program=a+b&&call=",
                          &message, &asked),
                     SERVE_OK);
    assert_string_equal(asked.user, "ada");
    assert_string_equal(asked.file, "*.h5");
    assert_string_equal(asked.like, "%.h5");
    assert_true(asked.since == 1793491200);
    assert_true(asked.until == 1793491200 + 8.5 * 3600);
    assert_int_equal(asked.page, 3);
    assert_int_equal(asked.process, 7);
    assert_int_equal(asked.errors, 1);
    assert_string_equal(asked.sort, "-bytes");
    assert_string_equal(asked.program, "a b");
    assert_string_equal(asked.call, "");
    assert_int_equal(take("/a", &message, &asked), SERVE_OK);
    assert_true(asked.since == 0 && asked.until == ASK_EVER && asked.page == 1);
    assert_string_equal(asked.like, "");
    assert_int_equal(take("/a?file=50%25_!", &message, &asked), SERVE_OK);
    assert_string_equal(asked.like, "%50!%!_!!%");
}

static void refused(void **state)
{
    static const char *const wrong[][2] = {
        {"/a?cat=1", "cat: is no parameter of this page"},
        {"/a?user=a&user=b", "user: is there twice"},
        {"/a?page=0", "page: must be a number"},
        {"/a?page=-1", "page: must be a number"},
        {"/a?page=99999999", "page: is too large"},
        {"/a?process=4294967296", "process: is too large"},
        {"/a?since=yesterday", "since: must be a time"},
        {"/a?since=2026-13-01", "since: must be a time"},
        {"/a?since=1e300", "since: must be a time"},
        {"/a?errors=yes", "errors: must be 1"},
        {"/a?operation=delete", "operation: must be read or write"},
        {"/a?user=%zz", "user: has a %"},
        {"/a?user=%00", "user: has a 0 byte"},
        {"/a?=x", ": is no parameter"},
    };
    atm_message message;
    ask asked;

    (void) state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_int_equal(take(wrong[i][0], &message, &asked), SERVE_BAD);
        if (strstr(message.text, wrong[i][1]) == NULL)
            fail_msg("%s: %s, not %s", wrong[i][0], message.text, wrong[i][1]);
    }
    assert_int_equal(ask_path("/a?job=1", &message, &asked), SERVE_OK);
    assert_int_equal(
        ask_parameters("/a?job=1", (const enum asked[]){ASKED_USER, ASKED_END}, &message, &asked),
        SERVE_BAD);
}

/* Any bytes: an answer, and no access beyond buffers (sanitizers and valgrind look at that). */
static void garbage(void **state)
{
    static const char bits[] = "/?&=%+#;ab05fF \x80\xff<>\"'";
    uint64_t random = 20261117;
    char uri[ASK_URI];

    (void) state;
    for (int round = 0; round < 20000; round++) {
        atm_message message = {""};
        int length = rng_below(&random, round % 100 == 0 ? ASK_URI - 1 : 60);
        ask asked;

        for (int i = 0; i < length; i++)
            uri[i] = bits[rng_below(&random, (int) sizeof(bits) - 1)];
        uri[length] = '\0';
        if (ask_path(uri, &message, &asked) == SERVE_OK)
            ask_parameters(uri, all, &message, &asked);
    }
}

/* --- and back */

static char *self(serve_visit *visit, const char *sort, int64_t page)
{
    char *text = NULL;
    size_t size;

    visit->out = open_memstream(&text, &size);
    html_self(visit, sort, page);
    fclose(visit->out);
    return text;
}

static void links(void **state)
{
    serve_visit visit = {.page = &page_activities};
    char *text;

    (void) state;
    assert_int_equal(
        take("/activities?file=a%26b%3D%22%3Cx%3E&layer=posix&page=4", &visit.message, &visit.ask),
        SERVE_OK);
    text = self(&visit, "-bytes", 1);
    assert_string_equal(text,
                        "/activities?layer=posix&amp;file=a%26b%3D%22%3Cx%3E&amp;sort=-bytes");
    free(text);
    text = self(&visit, "", 5);
    assert_string_equal(text, "/activities?layer=posix&amp;file=a%26b%3D%22%3Cx%3E&amp;page=5");
    free(text);
}

static void escaped(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void) state;
    html_link(out, "/job?a=\"&job=", "\"><script>\xff", "</a><script>");
    metrics_label(out, "layer", "a\"b\\c\nd");
    fclose(out);
    assert_string_equal(text, "<a href=\"/job?a=&quot;&amp;job=%22%3E%3Cscript%3E%FF\">"
                              "&lt;/a&gt;&lt;script&gt;</a>{layer=\"a\\\"b\\\\c\\nd\"}");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths),   cmocka_unit_test(decoded), cmocka_unit_test(parameters),
        cmocka_unit_test(refused), cmocka_unit_test(garbage), cmocka_unit_test(links),
        cmocka_unit_test(escaped),
    };

    return cmocka_run_group_tests_name("ask", tests, NULL, NULL);
}
