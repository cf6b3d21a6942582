/* The libraries that a program would be started with: those that the loader has given this one. */

#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "autotune/program_needs.h"
#include "autotune/program_search.h"

static bool is_same_file(const char *one, const char *other)
{
    struct stat a, b;

    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

typedef struct loaded {
    const program_needs *needs;
    int count;
} loaded;

static int look_for(struct dl_phdr_info *info, size_t size, void *context)
{
    loaded *loaded = context;
    bool found = false;

    (void) size;
    if (info->dlpi_name[0] != '/') /* the program, and the kernel's */
        return 0;
    for (int i = 0; i < loaded->needs->count; i++)
        found |= is_same_file(loaded->needs->paths[i], info->dlpi_name);
    if (!found)
        fail_msg("%s was loaded", info->dlpi_name);
    loaded->count++;
    return 0;
}

static void as_the_loader(void **state)
{
    program_needs needs;
    loaded loaded = {.needs = &needs};

    (void) state;
    if (getenv("LD_PRELOAD") != NULL)
        skip();
    assert_true(program_needs_find("/proc/self/exe", "/etc/ld.so.cache", &needs));
    assert_string_equal(needs.missing, "");
    dl_iterate_phdr(look_for, &loaded);
    assert_in_range(loaded.count, 2, 1000);
    assert_int_equal(loaded.count, needs.count);
    program_needs_release(&needs);
}

static void nothing_there(void **state)
{
    program_needs needs;

    (void) state;
    assert_true(program_needs_find("/none", "/none", &needs));
    assert_int_equal(needs.count, 0);
    program_needs_release(&needs);
    assert_true(program_needs_find("/etc/passwd", "/etc/passwd", &needs));
    assert_int_equal(needs.count, 0);
    program_needs_release(&needs);
}

/* Every beginning of a program, and each with bytes that are not its own. */
static void damaged_programs(void **state)
{
    char path[] = "/tmp/test_needs.XXXXXX", *text;
    FILE *file = fopen("/proc/self/exe", "r");
    size_t length, step;
    uint64_t random = 1;
    int made = mkstemp(path);

    (void) state;
    assert_non_null(file);
    assert_true(made >= 0);
    text = malloc(1 << 24);
    length = fread(text, 1, 1 << 24, file);
    fclose(file);
    step = length / 200;
    for (size_t cut = 0; cut < length; cut += cut < 1000 ? 7 : step) {
        program_needs needs;

        for (int i = 0; i < 4; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            text[(random >> 33) % 4096] = (char) (random >> 24);
        }
        assert_int_equal(ftruncate(made, 0), 0);
        assert_int_equal(pwrite(made, text, cut, 0), cut);
        if (program_needs_find(path, "/none", &needs))
            program_needs_release(&needs);
    }
    close(made);
    unlink(path);
    free(text);
}

static void damaged_caches(void **state)
{
    char path[] = "/tmp/test_needs.XXXXXX", *text = malloc(1 << 22);
    FILE *file = fopen("/etc/ld.so.cache", "r");
    size_t length;
    int made = mkstemp(path);

    (void) state;
    if (file == NULL)
        skip();
    length = fread(text, 1, 1 << 22, file);
    fclose(file);
    for (size_t cut = 0; cut < length; cut += cut < 200 ? 1 : length / 50) {
        program_cache cache;
        program_paths paths = {.cache = &cache};
        char found[PATH_MAX];

        assert_int_equal(pwrite(made, text, cut, 0), cut);
        program_cache_read(path, &cache);
        assert_false(program_search(&paths, "libnone-at-all.so", found));
        program_cache_release(&cache);
    }
    close(made);
    unlink(path);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_loader), cmocka_unit_test(nothing_there),
        cmocka_unit_test(damaged_programs), cmocka_unit_test(damaged_caches)};

    return cmocka_run_group_tests_name("needs", tests, NULL, NULL);
}
