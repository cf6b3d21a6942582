/* Guard: hosts, tokens. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "serve/guard.h"
#include "serve/listen.h"

static const char token[] = "0123456789abcdefXYZ";

static void hosts(void **state)
{
    static const char *const own[] = {"localhost",      "LOCALHOST:80",   "127.0.0.1",
                                      "127.0.0.1:8090", "127.12.1.255:1", "[::1]",
                                      "[::1]:8090"};
    static const char *const other[] = {"",
                                        "localhost.evil.org",
                                        "127.0.0.1.evil.org",
                                        "127.0.0.1:80:80",
                                        "127.0.0.1:",
                                        "127.0.0.1.",
                                        "127.",
                                        "127.0.0.1@evil.org",
                                        "evil.org:80",
                                        "[::1]x",
                                        "10.0.0.1",
                                        "localhost:8o"};

    (void) state;
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (!guard_host_is_own(own[i]))
            fail_msg("%s is refused", own[i]);
    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
        if (guard_host_is_own(other[i]))
            fail_msg("%s is let in", other[i]);
}

static serve_status asked(const char *with, const char *host, const char *authorization)
{
    serve_site site = {.token = with};
    serve_request request = {
        .method = "GET", .uri = "/", .host = host, .authorization = authorization};

    return guard_check(&site, &request);
}

static void without_a_token(void **state)
{
    (void) state;
    assert_int_equal(asked(NULL, "localhost:1", NULL), SERVE_OK);
    assert_int_equal(asked(NULL, "evil.org", NULL), SERVE_MISDIRECTED);
    assert_int_equal(asked(NULL, NULL, NULL), SERVE_MISDIRECTED);
}

/* printf '%s' 'any:0123456789abcdefXYZ' | base64, and so on */
static void with_a_token(void **state)
{
    static const char *const wrong[] = {
        "Bearer 0123456789abcdefXY",
        "Bearer 0123456789abcdefXYZZ",
        "Bearer 0123456789abcdefXYz",
        "Bearer ",
        "Bearer",
        "",
        "Digest 0123456789abcdefXYZ",
        "Basic YW55OjAxMjM0NTY3ODlhYmNkZWZYWQ==", /* any:0123456789abcdefXY */
        "Basic MDEyMzQ1Njc4OWFiY2RlZlhZWg==",     /* without a user */
        "Basic YW55",
        "Basic =",
        "Basic ????",
        "Basic YW55OjAxMjM0NTY3ODlhYmNkZWZYWVo=x",
    };
    char endless[4096] = "Basic ";

    (void) state;
    assert_int_equal(asked(token, "any.org", "Bearer 0123456789abcdefXYZ"), SERVE_OK);
    assert_int_equal(asked(token, NULL, "bearer 0123456789abcdefXYZ"), SERVE_OK);
    assert_int_equal(asked(token, NULL, "Basic YW55OjAxMjM0NTY3ODlhYmNkZWZYWVo="), SERVE_OK);
    assert_int_equal(asked(token, "localhost", NULL), SERVE_WHO);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (asked(token, "localhost", wrong[i]) != SERVE_WHO)
            fail_msg("%s is let in", wrong[i]);
    memset(endless + 6, 'Q', sizeof(endless) - 7);
    assert_int_equal(asked(token, NULL, endless), SERVE_WHO);
}

/* A token's 0 must not be what a longer one is compared with. */
static void same(void **state)
{
    (void) state;
    assert_true(guard_same("abc", 3, "abc"));
    assert_false(guard_same("abc", 2, "abc"));
    assert_false(guard_same("abc\0abc", 7, "abc"));
    assert_false(guard_same("", 0, "abc"));
    assert_false(guard_same("a", 1, ""));
    assert_true(guard_same("", 0, ""));
}

static void tokens(void **state)
{
    (void) state;
    assert_null(guard_token_wrong(token));
    assert_non_null(guard_token_wrong("short"));
    assert_non_null(guard_token_wrong("0123456789 abcdef"));
    assert_non_null(guard_token_wrong("0123456789\xc3\xa4"
                                      "abcdef"));
}

static void addresses(void **state)
{
    atm_message message = {""};
    char url[64];

    (void) state;
    assert_true(listen_is_local("127.0.0.1") && listen_is_local("127.9.9.9"));
    assert_true(listen_is_local("::1") && listen_is_local("/run/x.socket"));
    assert_false(listen_is_local("0.0.0.0") || listen_is_local("::") ||
                 listen_is_local("10.0.0.1"));
    assert_false(listen_is_local("localhost") || listen_is_local("::ffff:127.0.0.1"));
    assert_int_equal(listen_on("localhost", 0, &message, sizeof(url), url), -1);
    assert_non_null(strstr(message.text, "must be an IP address"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts), cmocka_unit_test(without_a_token), cmocka_unit_test(with_a_token),
        cmocka_unit_test(same),  cmocka_unit_test(tokens),          cmocka_unit_test(addresses),
    };

    return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
