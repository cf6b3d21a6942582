/* Extent locks of an object: who gets how much, and who has to give way. */

#include "standin_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define END UINT64_MAX
enum { A, B, C };

static struct standin_object object;

static int start(void **state)
{
    (void) state;
    memset(&object, 0, sizeof object);
    return 0;
}

/* Transfers, or -1 if the node already had the lock. */
static int take(int node, bool write, uint64_t from, uint64_t to)
{
    bool granted;
    unsigned transfers = standin_lock(&object, (uint32_t) node, write, from, to, &granted);

    return granted ? (int) transfers : -1;
}

static bool has(int node, bool write, uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; i < object.count; i++) {
        const struct standin_extent *e = &object.extents[i];

        if (e->node == (uint32_t) node && e->write == write && e->start == from && e->end == to)
            return true;
    }
    return false;
}

static void first_writer_gets_all(void **state)
{
    (void) state;
    assert_int_equal(take(A, true, 100, 200), 0);
    assert_true(has(A, true, 0, END));
    assert_int_equal(take(A, true, 5000, 6000), -1);
    assert_int_equal(take(A, false, 0, 10), -1);
    assert_int_equal(object.count, 1);
}

static void second_writer_takes_what_follows(void **state)
{
    (void) state;
    take(A, true, 0, 100);
    assert_int_equal(take(B, true, 100, 200), 1);
    assert_true(has(A, true, 0, 100));
    assert_true(has(B, true, 100, END));
    assert_int_equal(take(A, true, 200, 300), 1);
    assert_true(has(B, true, 100, 200));
    assert_true(has(A, true, 200, END));
    assert_int_equal(take(B, true, 100, 200), -1);
    assert_int_equal(take(A, true, 0, 50), -1);
}

static void writers_between_others_keep_to_their_place(void **state)
{
    (void) state;
    take(A, true, 0, 100);
    take(B, true, 500, 600); /* A: 0 to 500 */
    assert_int_equal(take(C, true, 200, 300), 1);
    assert_true(has(A, true, 0, 200));
    assert_true(has(C, true, 200, 500));
    assert_true(has(B, true, 500, END));
    assert_int_equal(object.count, 3);
}

static void every_holder_gives_way(void **state)
{
    (void) state;
    take(A, true, 0, 100);
    take(B, true, 100, 200);
    take(A, true, 200, 300);
    assert_int_equal(take(C, true, 50, 250), 3);
    assert_true(has(A, true, 0, 50));
    assert_true(has(C, true, 50, END));
    assert_int_equal(object.count, 2);
}

static void readers_share(void **state)
{
    (void) state;
    assert_int_equal(take(A, false, 0, 100), 0);
    assert_int_equal(take(B, false, 0, 100), 0);
    assert_true(has(A, false, 0, END));
    assert_true(has(B, false, 0, END));
    assert_int_equal(take(C, true, 0, 100), 2);
    assert_true(has(C, true, 0, END));
    assert_int_equal(take(A, false, 10, 20), 1);
    assert_true(has(C, true, 0, 10));
    assert_true(has(A, false, 10, END));
}

static void writing_replaces_own_reading(void **state)
{
    (void) state;
    take(A, false, 0, 100);
    assert_int_equal(take(A, true, 0, 100), 0);
    assert_true(has(A, true, 0, END));
    assert_int_equal(object.count, 1);
}

static void own_locks_join(void **state)
{
    (void) state;
    take(A, true, 0, 100);
    take(B, true, 100, 200);
    take(A, true, 100, 200); /* B's lock goes */
    assert_true(has(A, true, 0, END));
    assert_int_equal(object.count, 1);
}

static void many_extents_push_out_the_oldest(void **state)
{
    (void) state;
    for (int i = 0; i < 2 * STANDIN_EXTENTS; i++)
        assert_int_equal(take(i % 2, true, 10u * i, 10u * i + 10), i > 0);
    assert_int_equal(object.count, STANDIN_EXTENTS);
    assert_int_equal(take(A, true, 0, 10), 0); /* forgotten, but not held by another */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(first_writer_gets_all, start),
        cmocka_unit_test_setup(second_writer_takes_what_follows, start),
        cmocka_unit_test_setup(writers_between_others_keep_to_their_place, start),
        cmocka_unit_test_setup(every_holder_gives_way, start),
        cmocka_unit_test_setup(readers_share, start),
        cmocka_unit_test_setup(writing_replaces_own_reading, start),
        cmocka_unit_test_setup(own_locks_join, start),
        cmocka_unit_test_setup(many_extents_push_out_the_oldest, start),
    };

    return cmocka_run_group_tests_name("locks", tests, NULL, NULL);
}
