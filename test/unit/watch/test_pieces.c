/* Ring, map, files by number, text. */

#include "help.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "watch/files.h"
#include "watch/map.h"
#include "watch/ring.h"
#include "watch/text.h"

TEST_CALLS;

/* --- ring */

static void put(atw_ring *ring, uint64_t id, bool has_room)
{
    atw_activity activity = {.id = id};

    assert_int_equal(atw_ring_put(ring, &activity), has_room);
}

static void expect(atw_ring *ring, uint64_t first, size_t count)
{
    const atw_activity *at;

    assert_int_equal(atw_ring_peek(ring, &at), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(at[i].id, first + i);
    atw_ring_got(ring, count);
}

static void test_ring(void **state)
{
    atw_activity slots[4];
    atw_ring ring = {.slots = slots, .size = 4};

    (void) state;
    expect(&ring, 0, 0);
    for (uint64_t id = 1; id <= 3; id++)
        put(&ring, id, true);
    expect(&ring, 1, 3);
    for (uint64_t id = 4; id <= 7; id++)
        put(&ring, id, true);
    put(&ring, 8, false);
    put(&ring, 9, false);
    assert_int_equal(atw_ring_dropped(&ring), 2);
    assert_int_equal(atw_ring_dropped(&ring), 0);
    expect(&ring, 4, 1); /* up to the end of the ring */
    put(&ring, 8, true);
    put(&ring, 9, false);
    expect(&ring, 5, 4);
    expect(&ring, 0, 0);
    assert_int_equal(atw_ring_dropped(&ring), 1);
}

/* --- map */

static void test_map(void **state)
{
    static atw_map map;
    atw_slot value = {.file = 7, .id = 9, .offset = -1};
    unsigned put = 0;

    (void) state;
    assert_null(atw_map_find(&map, 100));
    assert_true(atw_map_put(&map, 100, &value));
    assert_int_equal(atw_map_find(&map, 100)->file, 7);
    assert_null(atw_map_find(&map, 101));
    assert_null(atw_map_find(&map, 0));
    assert_null(atw_map_find(&map, 1));
    atw_map_remove(&map, atw_map_find(&map, 100));
    assert_null(atw_map_find(&map, 100));
    for (uint64_t key = 2; key < 2 * ATW_MAP_SIZE; key++) {
        value.id = key;
        put += atw_map_put(&map, key * 64, &value);
    }
    assert_true(put > ATW_MAP_SIZE / 2 && put <= ATW_MAP_SIZE);
    for (uint64_t key = 2; key < ATW_MAP_SIZE / 4; key++)
        assert_int_equal(atw_map_find(&map, key * 64)->id, key);
}

static void test_claim(void **state)
{
    static atw_map map;
    atw_slot value = {.id = 1}, *claimed;

    (void) state;
    assert_true(atw_map_put(&map, 100, &value));
    claimed = atw_map_claim(&map, 100);
    assert_non_null(claimed);
    assert_null(atw_map_claim(&map, 100));
    assert_null(atw_map_find(&map, 100));
    value.id = 2; /* the handle is used again before the first is removed */
    assert_true(atw_map_put(&map, 100, &value));
    assert_int_equal(atw_map_find(&map, 100)->id, 2);
    assert_int_equal(claimed->id, 1);
    atw_map_remove(&map, claimed);
    claimed = atw_map_claim(&map, 100);
    assert_int_equal(claimed->id, 2);
    atw_map_let_go(claimed, 100);
    assert_int_equal(atw_map_find(&map, 100)->id, 2);
    assert_int_equal(atomic_load(&map.count), 1);
}

/* --- files */

static void test_files(void **state)
{
    uint32_t a = atw_file_number("/a", 2), b = atw_file_number("/b", 2);
    char name[32];
    size_t length;

    (void) state;
    assert_true(a > 0 && b > 0 && a != b);
    assert_int_equal(atw_file_number("/a", 2), a);
    assert_int_equal(atw_file_number("/ab", 2), a);
    assert_memory_equal(atw_file_path(b, &length), "/b", 2);
    assert_int_equal(length, 2);
    for (int i = 0; i < 20000; i++) {
        snprintf(name, sizeof(name), "/files/%d", i);
        assert_true(atw_file_number(name, strlen(name)) > 0);
    }
    snprintf(name, sizeof(name), "/files/%d", 12345);
    assert_string_equal(atw_file_path(atw_file_number(name, strlen(name)), &length), name);
    assert_null(atw_file_path(0, &length));
    assert_null(atw_file_path(500000, &length));
    assert_null(atw_file_path(UINT32_MAX, &length));
}

static void test_named(void **state)
{
    char here[4096], whole[4200];
    size_t length;

    (void) state;
    assert_int_equal(atw_file_named(NULL), 0);
    assert_int_equal(atw_file_named("/a"), atw_file_number("/a", 2));
    assert_non_null(getcwd(here, sizeof(here)));
    snprintf(whole, sizeof(whole), "%s/x y", strcmp(here, "/") == 0 ? "" : here);
    assert_string_equal(atw_file_path(atw_file_named("x y"), &length), whole);
}

/* --- text */

static void assert_quoted(const char *bytes, size_t length, const char *want)
{
    atw_text text = {.bytes = NULL};

    atw_text_quote(&text, bytes, length);
    assert_int_equal(text.length, strlen(want));
    assert_memory_equal(text.bytes, want, text.length);
    atw_text_free(&text);
    assert_null(text.bytes);
}

static void test_quotes(void **state)
{
    (void) state;
    assert_quoted("", 0, "\"\"");
    assert_quoted("a b", 3, "\"a b\"");
    assert_quoted("\"\\\n\x7f", 4, "\"\\u0022\\u005c\\u000a\\u007f\"");
    assert_quoted("\0", 1, "\"\\u0000\"");
    assert_quoted("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9,
                  "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
    assert_quoted("\xc3", 1, "\"\xef\xbf\xbd\"");
    assert_quoted("\xc0\xaf", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\"");
    assert_quoted("\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void test_members(void **state)
{
    static const char want[] = "{\"a\": -1, \"b\": 9223372036854775807}";
    atw_text text = {.bytes = NULL};

    (void) state;
    atw_text_say(&text, "{");
    atw_text_member(&text, "a", -1);
    atw_text_member(&text, "b", INT64_MAX);
    atw_text_say(&text, "}");
    assert_int_equal(text.length, sizeof(want) - 1);
    assert_memory_equal(text.bytes, want, text.length);
    for (int i = 0; i < 100000; i++)
        atw_text_say(&text, "0123456789");
    assert_int_equal(text.length, sizeof(want) - 1 + 1000000);
    assert_memory_equal(text.bytes, want, sizeof(want) - 1);
    atw_text_free(&text);
}

/* --- memory */

/* Nobody else's is in the lines of it, before or after. */
static void test_apart(void **state)
{
    uintptr_t before = (uintptr_t) atw_take(24), end = before + 24;

    (void) state;
    for (size_t bytes = 1; bytes < 100000; bytes = 3 * bytes + 1) {
        char *taken = atw_take_apart(bytes);

        assert_non_null(taken);
        assert_int_equal((uintptr_t) taken % 64, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(taken[i], 0);
        assert_true((uintptr_t) taken / 64 != (end - 1) / 64);
        memset(taken, 1, bytes);
        before = (uintptr_t) atw_take(8);
        assert_true(before / 64 != ((uintptr_t) taken + bytes - 1) / 64);
        end = before + 8;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),    cmocka_unit_test(test_map),   cmocka_unit_test(test_claim),
        cmocka_unit_test(test_files),   cmocka_unit_test(test_named), cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_members), cmocka_unit_test(test_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
