/* ad_autotune_name: names, links and hint values, without MPI. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ad_autotune/ad_autotune_name.h"

/* name splits into prefix and path */
static void expect_split(const char *name, const char *prefix, const char *path)
{
    const char *found;
    size_t length;

    assert_string_equal(ADIOI_AUTOTUNE_split_name(name, &found, &length), path);
    assert_int_equal(length, strlen(prefix));
    assert_memory_equal(found, prefix, length);
}

static void split_names(void **state)
{
    (void) state;
    expect_split("/x/y", "", "/x/y");
    expect_split("lustre:/x", "lustre", "/x");
    expect_split("LUSTRE:x", "LUSTRE", "x");
    expect_split("autotune:/x", "", "/x");
    expect_split("autotune:AUTOTUNE:gpfs:/x", "gpfs", "/x");
    expect_split("autotunes:/x", "autotunes", "/x");
    expect_split("gpfs:autotune:/x", "gpfs", "autotune:/x");
    expect_split("/x/a:b", "", "/x/a:b");
    expect_split("./a:b", "", "./a:b");
    expect_split("ufs:a:b", "ufs", "a:b");
    expect_split("c:/x", "", "c:/x");
    expect_split(":/x", "", ":/x");
    expect_split("ufs:", "ufs", "");
    expect_split("", "", "");
}

static void expect_directory(const char *path, const char *directory)
{
    char result[16];

    assert_int_equal(ADIOI_AUTOTUNE_directory(path, result, sizeof(result)), 0);
    assert_string_equal(result, directory);
}

static void directories(void **state)
{
    char tiny[4];

    (void) state;
    expect_directory("file", ".");
    expect_directory("/file", "/");
    expect_directory("/a/b/file", "/a/b");
    expect_directory("a/file", "a");
    expect_directory("a/", "a");
    assert_int_equal(ADIOI_AUTOTUNE_directory("/abc/file", tiny, sizeof(tiny)), -1);
    assert_int_equal(ADIOI_AUTOTUNE_directory("/ab/file", tiny, sizeof(tiny)), 0);
}

static void expect_target(const char *path, const char *target, const char *result)
{
    char found[16];

    assert_int_equal(ADIOI_AUTOTUNE_link_target(path, target, found, sizeof(found)), 0);
    assert_string_equal(found, result);
}

static void link_targets(void **state)
{
    char tiny[8];

    (void) state;
    expect_target("/a/link", "/b/file", "/b/file");
    expect_target("/a/link", "file", "/a/file");
    expect_target("/a/link", "../file", "/a/../file");
    expect_target("/link", "file", "/file");
    expect_target("link", "file", "file");
    assert_int_equal(ADIOI_AUTOTUNE_link_target("/a/l", "target", tiny, sizeof(tiny)), -1);
    assert_int_equal(ADIOI_AUTOTUNE_link_target("/a/l", "/long/target", tiny, sizeof(tiny)), -1);
}

static void modes(void **state)
{
    ADIOI_AUTOTUNE_mode mode = ADIOI_AUTOTUNE_ENABLE;

    (void) state;
    assert_int_equal(ADIOI_AUTOTUNE_parse_mode("disable", &mode), 0);
    assert_int_equal(mode, ADIOI_AUTOTUNE_DISABLE);
    assert_int_equal(ADIOI_AUTOTUNE_parse_mode("Automatic", &mode), 0);
    assert_int_equal(mode, ADIOI_AUTOTUNE_AUTOMATIC);
    assert_int_equal(ADIOI_AUTOTUNE_parse_mode("ENABLE", &mode), 0);
    assert_int_equal(mode, ADIOI_AUTOTUNE_ENABLE);
    for (const char *const *bad = (const char *const[]){"", "2", "onn", "enabled", "enable ", NULL};
         *bad; bad++) {
        assert_int_equal(ADIOI_AUTOTUNE_parse_mode(*bad, &mode), -1);
        assert_int_equal(mode, ADIOI_AUTOTUNE_ENABLE);
    }
    for (const char *const *on = (const char *const[]){"on", "YES", "True", "1", NULL}; *on; on++) {
        mode = ADIOI_AUTOTUNE_DISABLE;
        assert_int_equal(ADIOI_AUTOTUNE_parse_mode(*on, &mode), 0);
        assert_int_equal(mode, ADIOI_AUTOTUNE_AUTOMATIC);
    }
    for (const char *const *off = (const char *const[]){"off", "No", "FALSE", "0", NULL}; *off;
         off++) {
        mode = ADIOI_AUTOTUNE_ENABLE;
        assert_int_equal(ADIOI_AUTOTUNE_parse_mode(*off, &mode), 0);
        assert_int_equal(mode, ADIOI_AUTOTUNE_DISABLE);
    }
    assert_string_equal(ADIOI_AUTOTUNE_mode_name(ADIOI_AUTOTUNE_DISABLE), "disable");
}

/* The preload library asks for all files; what the user says to ROMIO counts more. */
static void all_files(void **state)
{
    (void) state;
    unsetenv("ROMIO_FSTYPE_FORCE");
    assert_false(ADIOI_AUTOTUNE_takes_all());
    ADIOI_AUTOTUNE_all_files = 1;
    assert_true(ADIOI_AUTOTUNE_takes_all());
    setenv("ROMIO_FSTYPE_FORCE", "ufs:", 1);
    assert_false(ADIOI_AUTOTUNE_takes_all());
    ADIOI_AUTOTUNE_all_files = 0;
    setenv("ROMIO_FSTYPE_FORCE", "AutoTune:", 1);
    assert_true(ADIOI_AUTOTUNE_takes_all());
    unsetenv("ROMIO_FSTYPE_FORCE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_names),  cmocka_unit_test(directories),
        cmocka_unit_test(link_targets), cmocka_unit_test(modes),
        cmocka_unit_test(all_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
