/* Whether something is a spool, in pieces of any size. */

#include "help.h"

#include "collect/check.h"
#include "common/rng.h"
#include "formats/collector_socket.h"

enum { UID = 1000, ROOM = 4096 };

typedef struct stream {
    char bytes[ROOM];
    size_t length, ends[8], count; /* of blocks */
} stream;

static void add(stream *s, const void *bytes, size_t count)
{
    memcpy(s->bytes + s->length, bytes, count);
    s->length += count;
}

static void add_head(stream *s, const char *magic, uint32_t uid)
{
    atw_spool_head head = {
        .version = ATW_SPOOL_VERSION, .order = ATW_SPOOL_ORDER, .uid = uid, .unique = 7};

    memcpy(head.magic, magic, sizeof(head.magic));
    add(s, &head, sizeof(head));
    s->ends[s->count++] = s->length;
}

static void add_block(stream *s, uint32_t kind, uint64_t bytes, size_t content)
{
    static const char zeros[1024];
    atw_spool_block block = {kind, 0, bytes};

    add(s, &block, sizeof(block));
    add(s, zeros, (content + 7) / 8 * 8);
    s->ends[s->count++] = s->length;
}

static stream usual(void)
{
    stream s = {.length = 0};

    add_head(&s, ATW_SPOOL_MAGIC, UID);
    add_block(&s, ATW_BLOCK_FACTS, 13, 13);
    add_block(&s, ATW_BLOCK_FILE, 9, 9);
    add_block(&s, ATW_BLOCK_ACTIVITIES, 128, 128);
    add_block(&s, ATW_BLOCK_DROPPED, 8, 8);
    return s;
}

static check take_all(const stream *s)
{
    check c = {.status = CHECK_MORE};

    check_take(&c, UID, s->bytes, s->length);
    return c;
}

/* --- what is right */

static void test_pieces(void **state)
{
    stream s = usual();
    uint64_t random = 1;

    (void) state;
    add_block(&s, ATW_BLOCK_END, 0, 0);
    for (int round = 0; round < 200; round++) {
        check c = {.status = CHECK_MORE};
        size_t at = 0, block = 0;

        while (at < s.length) {
            size_t piece = 1 + (size_t) rng_below(&random, 60);

            if (piece > s.length - at)
                piece = s.length - at;
            assert_int_equal(check_take(&c, UID, s.bytes + at, piece), piece);
            at += piece;
            while (block < s.count && s.ends[block] <= at)
                block++;
            assert_int_equal(c.taken, at);
            assert_int_equal(c.whole, block > 0 ? s.ends[block - 1] : 0);
        }
        assert_int_equal(c.status, CHECK_END);
        assert_int_equal(c.head.unique, 7);
    }
}

static void test_query(void **state)
{
    stream s = {.length = 0};

    (void) state;
    add_head(&s, ATW_COLLECT_QUERY, 0);
    assert_int_equal(take_all(&s).status, CHECK_QUERY);
}

static void test_health(void **state)
{
    stream s = {.length = 0};

    (void) state;
    add_head(&s, ATW_COLLECT_HEALTH, UID);
    assert_int_equal(take_all(&s).status, CHECK_HEALTH);
}

/* --- what is wrong */

static void assert_wrong(const stream *s, const char *problem, size_t whole)
{
    check c = take_all(s);

    assert_int_equal(c.status, CHECK_WRONG);
    assert_string_equal(c.problem, problem);
    assert_int_equal(c.whole, whole);
}

static void test_heads(void **state)
{
    stream s = {.length = 0}, other = {.length = 0}, garbage = {.length = 0};

    (void) state;
    add_head(&s, ATW_SPOOL_MAGIC, UID + 1);
    assert_wrong(&s, "a spool of another user", 64);
    add_head(&other, "ATWSPOON", UID);
    assert_wrong(&other, "no spool", 64);
    memset(garbage.bytes, 0xa5, sizeof(garbage.bytes));
    garbage.length = 1000;
    assert_wrong(&garbage, "another byte order", 64);
}

static void test_blocks(void **state)
{
    static const struct {
        uint32_t kind;
        uint64_t bytes;
        const char *problem;
    } cases[] = {
        {0, 0, "a block that is not known"},
        {99, 8, "a block that is not known"},
        {ATW_BLOCK_ACTIVITIES, 65, "activities of no such size"},
        {ATW_BLOCK_ACTIVITIES, UINT64_MAX - 63, "activities of no such size"},
        {ATW_BLOCK_ACTIVITIES, UINT64_C(1) << 40, "activities of no such size"},
        {ATW_BLOCK_DROPPED, 16, "a number of another size"},
        {ATW_BLOCK_FILE, 1 << 20, "a path too long"},
        {ATW_BLOCK_SURVEY, UINT64_MAX, "a text too long"},
        {ATW_BLOCK_END, 8, "an end with content"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        stream s = usual();
        size_t whole = s.length;

        add_block(&s, cases[i].kind, cases[i].bytes, 64);
        assert_wrong(&s, cases[i].problem, whole);
    }
}

static void test_behind_the_end(void **state)
{
    stream s = usual();
    size_t whole;

    (void) state;
    add_block(&s, ATW_BLOCK_END, 0, 0);
    whole = s.length;
    add_block(&s, ATW_BLOCK_DROPPED, 8, 8);
    assert_wrong(&s, "something behind the end", whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),         cmocka_unit_test(test_query),
        cmocka_unit_test(test_heads),          cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_behind_the_end), cmocka_unit_test(test_health),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
