/* ROMIO_AUTOTUNE_WATCH. */

#include "help.h"

#include <stdio.h>
#include <unistd.h>

#include "watch/config.h"
#include "watch/modules.h"

TEST_CALLS;

/* --- modules that are none */

static uint64_t after = 4;
static const atw_option options[] = {{"after", &after, 1, 100}, {.name = NULL}};
static char path[16];
static const atw_word words[] = {{"file", path, sizeof(path)}, {.name = NULL}};
static const atw_module first = {.name = "first", .options = options},
                        second = {.name = "second", .words = words};
static char used[64];

const atw_module *atw_module_named(const char *name)
{
    return strcmp(name, "first") == 0 ? &first : strcmp(name, "second") == 0 ? &second : NULL;
}

void atw_module_names(char *names, size_t room)
{
    snprintf(names, room, "first, second");
}

void atw_module_use(const atw_module *module)
{
    strcat(used, module->name);
    strcat(used, " ");
}

static char said[1024];

static void complain(const char *sentence)
{
    strcat(said, sentence);
    strcat(said, "\n");
}

static atw_config read_config(const char *text)
{
    atw_config config;

    used[0] = said[0] = '\0';
    after = 4;
    path[0] = '\0';
    atw_config_read(text, complain, &config);
    return config;
}

/* --- what is right */

static void test_modules(void **state)
{
    atw_config config = read_config("first,second");

    (void) state;
    assert_string_equal(used, "first second ");
    assert_string_equal(said, "");
    assert_int_equal(config.activities, 32768);
    assert_int_equal(config.limit, 1 << 30);
    read_config("first:after=7");
    assert_int_equal(after, 7);
    read_config(" first after=9 , second");
    assert_int_equal(after, 9);
    assert_string_equal(used, "first second ");
    read_config("off");
    assert_string_equal(used, "");
    assert_string_equal(said, "");
}

static void test_words(void **state)
{
    (void) state;
    read_config("second:file=/a/path,first:after=5");
    assert_string_equal(said, "");
    assert_string_equal(path, "/a/path");
    assert_int_equal(after, 5);
}

static void test_spool(void **state)
{
    atw_config config = read_config("second,spool:dir=/some/where:limit=3M:buffer=1M");

    (void) state;
    assert_string_equal(said, "");
    assert_string_equal(config.folder, "/some/where");
    assert_int_equal(config.limit, 3 << 20);
    assert_int_equal(config.activities, 16384);
    assert_int_equal(read_config("spool:buffer=1").activities, 64);
    assert_int_equal(read_config("spool:buffer=65K").activities, 2048);
    assert_int_equal(read_config("spool:buffer=1T").activities, 1 << 20);
}

static void test_collect(void **state)
{
    atw_config config = read_config("first,collect");

    (void) state;
    assert_string_equal(said, "");
    assert_string_equal(used, "first ");
    assert_true(config.collect);
    assert_string_equal(config.socket, "");
    config = read_config("collect:socket=/run/x.sock,spool:dir=/y");
    assert_string_equal(said, "");
    assert_string_equal(config.socket, "/run/x.sock");
    assert_string_equal(config.folder, "/y");
    assert_false(read_config("first").collect);
}

static void test_folder(void **state)
{
    (void) state;
    assert_int_equal(setenv("TMPDIR", "/var/tmp", 1), 0);
    assert_string_equal(read_config("first").folder, "/var/tmp");
    assert_int_equal(setenv("TMPDIR", "relative", 1), 0);
    assert_string_equal(read_config("first").folder, "/tmp");
}

static void test_file(void **state)
{
    static const char text[] = "# a comment, first\nfirst after=5 # not second\n\nspool dir=/x\n";
    char path[] = "/tmp/test_config.XXXXXX", bad[128];
    int fd = mkstemp(path);

    (void) state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
    close(fd);
    assert_string_equal(read_config(path).folder, "/x");
    assert_string_equal(used, "first ");
    assert_int_equal(after, 5);
    assert_string_equal(said, "");
    unlink(path);
    read_config(path);
    snprintf(bad, sizeof(bad), "%s: cannot be read: No such file or directory\n", path);
    assert_string_equal(said, bad);
}

/* --- what is wrong */

static void test_wrong(void **state)
{
    static const char *const cases[][2] = {
        {"fist",
         "ROMIO_AUTOTUNE_WATCH: fist: must be spool, collect, off or one of the modules first, "
         "second\n"},
        {"first:later=1", "ROMIO_AUTOTUNE_WATCH: later=1: the module has no such option\n"},
        {"second:after=1", "ROMIO_AUTOTUNE_WATCH: after=1: the module has no such option\n"},
        {"first:after=0", "ROMIO_AUTOTUNE_WATCH: after=0: not a number, or out of range\n"},
        {"first:after=x", "ROMIO_AUTOTUNE_WATCH: after=x: not a number, or out of range\n"},
        {"second:file=", "ROMIO_AUTOTUNE_WATCH: file=: must not be empty, or is too long\n"},
        {"second:file=/a/longer/path/x", "ROMIO_AUTOTUNE_WATCH: file=/a/longer/path/x: must not be "
                                         "empty, or is too long\n"},
        {"first:file=/a", "ROMIO_AUTOTUNE_WATCH: file=/a: the module has no such option\n"},
        {"first:after", "ROMIO_AUTOTUNE_WATCH: after: must be NAME=VALUE\n"},
        {"spool:dir=here",
         "ROMIO_AUTOTUNE_WATCH: dir=here: must be the path of a folder, from the root\n"},
        {"spool:limit=0", "ROMIO_AUTOTUNE_WATCH: limit=0: must be a number greater than 0, such as "
                          "4096 or 64M\n"},
        {"collect:dir=/x", "ROMIO_AUTOTUNE_WATCH: dir=/x: collect has only socket\n"},
        {"collect:socket=x",
         "ROMIO_AUTOTUNE_WATCH: socket=x: must be the path of a socket, from the "
         "root, of at most 107 bytes\n"},
        {"spool:size=1", "ROMIO_AUTOTUNE_WATCH: size=1: spool has only dir, limit and buffer\n"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        read_config(cases[i][0]);
        assert_string_equal(said, cases[i][1]);
        assert_int_equal(after, 4);
    }
}

static void test_a_wrong_folder_is_not_used(void **state)
{
    (void) state;
    assert_int_equal(setenv("TMPDIR", "/var/tmp", 1), 0);
    assert_string_equal(read_config("spool:dir=here").folder, "/var/tmp");
}

static void test_numbers(void **state)
{
    static const char *const wrong[] = {
        "", "x", "-1", "+1", " 1", "1 ", "1KB", "99999999999999999T", "1.5"};
    uint64_t number = 0;

    (void) state;
    assert_true(atw_config_number("0", &number));
    assert_int_equal(number, 0);
    assert_true(atw_config_number("3T", &number));
    assert_int_equal(number, UINT64_C(3) << 40);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(atw_config_number(wrong[i], &number));
    assert_int_equal(number, UINT64_C(3) << 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modules), cmocka_unit_test(test_spool),
        cmocka_unit_test(test_folder),  cmocka_unit_test(test_file),
        cmocka_unit_test(test_wrong),   cmocka_unit_test(test_a_wrong_folder_is_not_used),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_collect),
        cmocka_unit_test(test_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
