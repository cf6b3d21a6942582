/* Calls within calls, in threads and after a fork. */

#include "help.h"

#include <errno.h>
#include <pthread.h>

#include "watch/modules.h"
#include "watch/threads.h"

TEST_CALLS;

static atomic_int state_of_process = ATW_ON;
atomic_int *atw_state = &state_of_process;
unsigned atw_generation;

static atw_activity seen[2 * ATW_DEPTH];
static int seen_count;

static uint64_t takes; /* ns that modules take, at least */

void atw_modules_see(const atw_call *call)
{
    uint64_t until = atw_now() + takes;

    while (atw_now() < until)
        ;
    seen[seen_count++] = call->activity;
    errno = EIO; /* modules may do that */
}

static int start(void **state)
{
    (void) state;
    atw_threads_start(64);
    return 0;
}

static int anew(void **state)
{
    (void) state;
    atw_threads_anew();
    seen_count = 0;
    return 0;
}

static void end(atw_call *call)
{
    atw_returned(call);
    atw_end(call);
}

/* What is measured of some calls stands for all. */
static void test_what_we_take(void **state)
{
    uint64_t calls, time;
    atw_call call;

    (void) state;
    atw_threads_own(&calls, &time);
    assert_int_equal(calls, 0);
    assert_int_equal(time, 0);
    takes = 1000;
    for (int i = 0; i < 200; i++) {
        seen_count = 0;
        assert_true(atw_begin(&call, TEST_READ, 1));
        end(&call);
    }
    takes = 0;
    atw_threads_own(&calls, &time);
    assert_int_equal(calls, 200);
    assert_true(time >= 200 * 1000);
}

/* --- frames: the first is the deepest */

static void test_parents(void **state)
{
    atw_call frames[3];

    (void) state;
    assert_true(atw_begin(&frames[2], TEST_OPEN, 1));
    assert_true(atw_begin(&frames[1], TEST_READ, 2));
    assert_true(atw_begin(&frames[0], TEST_READ, 3));
    end(&frames[0]);
    end(&frames[1]);
    assert_true(atw_begin(&frames[1], TEST_WRITE, 2));
    end(&frames[1]);
    end(&frames[2]);
    assert_int_equal(seen_count, 4);
    assert_int_equal(seen[0].id, 3); /* in the order of their ends */
    assert_int_equal(seen[0].parent, 2);
    assert_int_equal(seen[1].id, 2);
    assert_int_equal(seen[1].parent, 1);
    assert_int_equal(seen[2].id, 4);
    assert_int_equal(seen[2].parent, 1);
    assert_int_equal(seen[3].id, 1);
    assert_int_equal(seen[3].parent, 0);
    assert_true(seen[3].start <= seen[0].start && seen[0].end <= seen[3].end);
    assert_int_equal(seen[3].offset, -1);
    assert_int_equal(seen[3].file, 1);
}

static void test_calls_that_were_left(void **state)
{
    atw_call frames[3];

    (void) state;
    assert_true(atw_begin(&frames[2], TEST_OPEN, 1));
    assert_true(atw_begin(&frames[0], TEST_READ, 2)); /* longjmp */
    assert_true(atw_begin(&frames[1], TEST_READ, 3));
    end(&frames[1]);
    end(&frames[2]);
    assert_int_equal(seen_count, 2);
    assert_int_equal(seen[0].parent, seen[1].id);
    assert_true(atw_begin(&frames[0], TEST_READ, 2)); /* and from the outermost */
    assert_true(atw_begin(&frames[1], TEST_READ, 2));
    end(&frames[1]);
    assert_int_equal(seen[2].parent, 0);
}

static void test_deep(void **state)
{
    atw_call frames[2 * ATW_DEPTH];

    (void) state;
    for (int i = 2 * ATW_DEPTH - 1; i >= 0; i--)
        assert_true(atw_begin(&frames[i], TEST_READ, 1));
    for (int i = 0; i < 2 * ATW_DEPTH; i++)
        end(&frames[i]);
    assert_int_equal(seen_count, 2 * ATW_DEPTH);
    assert_int_equal(seen[2 * ATW_DEPTH - 1].parent, 0);
    assert_int_equal(seen[0].parent, ATW_DEPTH); /* the last that there was room for */
    assert_int_equal(atw_local.thread->depth, 0);
}

static void test_works_for(void **state)
{
    atw_call frames[2];

    (void) state;
    assert_true(atw_begin(&frames[1], TEST_SYNC, 1));
    atw_works_for(&frames[1], 77);
    assert_true(atw_begin(&frames[0], TEST_WRITE, 1));
    end(&frames[0]);
    assert_int_equal(seen[0].parent, 77);
    frames[1].forgotten = true;
    end(&frames[1]);
    assert_int_equal(seen_count, 1);
}

static void test_errno_stays(void **state)
{
    atw_call call;

    (void) state;
    assert_true(atw_begin(&call, TEST_READ, 1));
    errno = 12345;
    end(&call);
    assert_int_equal(errno, 12345);
    assert_int_equal(call.saved_errno, 12345);
}

static void test_our_own_calls(void **state)
{
    atw_call call;

    (void) state;
    assert_non_null(atw_enter());
    assert_false(atw_begin(&call, TEST_READ, 1));
    atw_leave();
    assert_true(atw_begin(&call, TEST_READ, 1));
    end(&call);
}

/* --- fork */

static void test_fork_within(void **state)
{
    atw_call frames[2];

    (void) state;
    assert_true(atw_begin(&frames[1], TEST_OPEN, 1));
    atw_generation++;
    atw_threads_anew();
    assert_true(atw_begin(&frames[0], TEST_READ, 1));
    end(&frames[0]);
    assert_int_equal(seen[0].id, 1);
    assert_int_equal(seen[0].parent, 0);
    end(&frames[1]); /* the parent's */
    assert_int_equal(seen_count, 1);
}

/* --- threads */

static void *read_once(void *id_)
{
    atw_call call;

    if (atw_begin(&call, TEST_READ, 1))
        end(&call);
    *(uint64_t *) id_ = call.activity.id;
    return NULL;
}

static uint64_t id_in_thread(void)
{
    pthread_t thread;
    uint64_t id = 0;

    assert_int_equal(pthread_create(&thread, NULL, read_once, &id), 0);
    pthread_join(thread, NULL);
    return id;
}

static void test_threads(void **state)
{
    uint64_t here;

    (void) state;
    read_once(&here);
    assert_int_equal(here, 1);
    assert_int_equal(id_in_thread(), UINT64_C(1) << 40 | 1);
    assert_int_equal(id_in_thread(), UINT64_C(1) << 40 | 2); /* in the place of one that ended */
    read_once(&here);
    assert_int_equal(here, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_parents, anew),
        cmocka_unit_test_setup(test_what_we_take, anew),
        cmocka_unit_test_setup(test_calls_that_were_left, anew),
        cmocka_unit_test_setup(test_deep, anew),
        cmocka_unit_test_setup(test_works_for, anew),
        cmocka_unit_test_setup(test_errno_stays, anew),
        cmocka_unit_test_setup(test_our_own_calls, anew),
        cmocka_unit_test_setup(test_fork_within, anew),
        cmocka_unit_test_setup(test_threads, anew),
    };

    return cmocka_run_group_tests(tests, start, NULL);
}
